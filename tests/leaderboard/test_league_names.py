"""What a league may be called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.league_names import MAX_CODE_POINTS, normalise
from players.errors import BadName


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Sunday Solvers", "Sunday Solvers"),
        ("  Sunday \t Solvers\n", "Sunday Solvers"),
        ("Ann & Bob's #1 (2026)!", "Ann & Bob's #1 (2026)!"),
        ("\uff30yramid", "Pyramid"),
        ("e\u0301quipe", "équipe"),
        ("ชมรมพีระมิด", "ชมรมพีระมิด"),
        ("Kings \u2665\ufe0f 13", "Kings \u2665 13"),
        ("🃏 Jokers", "🃏 Jokers"),
        ("42\u00a042", "42 42"),
        ("abc", "abc"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_kept_in_one_form(text: str, name: str) -> None:
    assert normalise(text) == name


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no_letter"),
        ("ab", "too_short"),
        ("e\u0301\u0323a", "too_short"),
        ("x" * 41, "too_long"),
        ("a\u0316\u0317" * 21, "too_long"),
        ("ﷺ" * 4, "too_long"),
        ("x" * 1_000_000, "too_long"),
        ("!!! ???", "no_letter"),
        ("🃏🃏🃏", "no_letter"),
        ("Sun\u0000day", "bad_character"),
        ("Sun\u202eday", "bad_character"),
        ("Sun\u200bday", "bad_character"),
        ("Sun\u3164day", "bad_character"),
        ("Sun\udc00day", "bad_character"),
        ("Sun\ue000day", "bad_character"),
        ("\u0301Sunday", "stray_mark"),
        ("Sun \u0301day", "stray_mark"),
        ("Sunday!\u0301", "stray_mark"),
        ("Su\u0316\u0317\u0318\u0319nday", "stray_mark"),
    ],
)
def test_a_name_that_does_not_read_as_one_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadName) as refusal:
        normalise(text)
    assert (refusal.value.code, refusal.value.pointer) == (code, "/name")


@given(st.text(max_size=150))
def test_a_kept_name_fits_and_is_its_own_form(text: str) -> None:
    try:
        name = normalise(text)
    except BadName:
        return
    assert len(name) <= MAX_CODE_POINTS
    assert normalise(name) == name
