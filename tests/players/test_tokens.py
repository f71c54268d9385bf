"""The secrets behind bearer tokens."""

from hashlib import sha256

import pytest

from players.tokens import digest_of, hint_of, is_well_formed, make_secret

SECRET = make_secret()


def test_a_secret_is_well_formed() -> None:
    assert is_well_formed(SECRET)
    assert len(SECRET) == 55


def test_no_two_secrets_are_equal() -> None:
    assert len({make_secret() for _ in range(100)}) == 100


@pytest.mark.parametrize("position", range(55))
def test_one_wrong_character_anywhere_is_noticed(position: int) -> None:
    wrong = "a" if SECRET[position] != "a" else "b"
    assert not is_well_formed(SECRET[:position] + wrong + SECRET[position + 1 :])


@pytest.mark.parametrize(
    "text",
    ["", "pyd_", SECRET[:-1], SECRET + "0", SECRET + "\n", " " + SECRET, SECRET.upper(), "pyd_" + "é" * 51],
    ids=["empty", "prefix", "short", "long", "newline", "space", "upper", "accents"],
)
def test_anything_else_is_not_well_formed(text: str) -> None:
    assert not is_well_formed(text)


def test_what_is_kept_is_the_sha_256() -> None:
    assert digest_of(SECRET) == sha256(SECRET.encode()).hexdigest()


def test_a_hint_gives_four_of_the_random_characters() -> None:
    assert hint_of(SECRET) == SECRET[:8]
