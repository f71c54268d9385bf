import pickle
from itertools import count

import pytest

from games.cards import FULL_DECK, Card
from games.pyramid import MalformedMove, Move
from tests.games.cast import ALL_MOVES


def test_every_move_reads_itself_back_from_text() -> None:
    assert len(ALL_MOVES) == 3 + 52 + 52 * 51
    for move in ALL_MOVES:
        assert Move.parse(str(move)) == move


@pytest.mark.parametrize("text", ["D", "R", "U", "KD", "TC3S"])
def test_a_move_reads_itself_back_from_repr_and_from_a_pickle(text: str) -> None:
    move = Move.parse(text)
    assert eval(repr(move)) == move
    assert pickle.loads(pickle.dumps(move)) == move


def test_a_removal_keeps_its_cards_in_the_order_of_naming() -> None:
    assert Move.parse("TC3S").cards == (Card.parse("TC"), Card.parse("3S"))
    assert str(Move.removal(Card.parse("3S"), Card.parse("TC"))) == "3STC"


def test_only_removals_hold_cards() -> None:
    are_removals = {text: Move.parse(text).is_removal for text in ("D", "R", "U", "KD", "TC3S")}
    assert are_removals == {"D": False, "R": False, "U": False, "KD": True, "TC3S": True}


@pytest.mark.parametrize(
    "text",
    [
        "", "d", "DD", "D ", " D", "D\n", "X", "K", "kd", "KD ", "KDKD", "TC 3S", "TC-3S", "TC3", "TC3S2H",
        "10C3S", "\uff24", "\uff2bD", "K\u2666", "\ud800", "D\x00", "TC3S" * 10_000,
        None, True, 0, 1.5, b"D", ["D"], {"D": 1},
    ],
    ids=count(),
)  # fmt: skip
def test_anything_else_is_malformed_and_is_kept_as_given(text: object) -> None:
    with pytest.raises(MalformedMove) as refused:
        Move.parse(text)  # type: ignore[arg-type]
    assert refused.value.text == text
    assert refused.value.code == "malformed"


@pytest.mark.parametrize("count", [0, 3])
def test_a_removal_takes_one_card_or_two(count: int) -> None:
    with pytest.raises(MalformedMove):
        Move.removal(*FULL_DECK[:count])


def test_what_a_malformed_move_says_is_short_and_printable() -> None:
    with pytest.raises(MalformedMove) as refused:
        Move.parse("\x1b[2J\ud800" * 1000)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200
