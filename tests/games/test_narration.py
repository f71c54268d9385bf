import pytest

from games.pyramid import RULES, Deal, IllegalMove
from games.pyramid.narration import narrate

DEAL = Deal.from_number(22)


def test_each_move_is_told_with_its_number_and_where_its_cards_lie() -> None:
    log = ["6H7S", "D", "7C6S", "D", "U", "U"]
    assert list(narrate(DEAL, RULES["endless"], log)) == [
        "  1  6H7S  take 6H from row 7 and 7S from row 7       2 cleared",
        "  2  D     draw 6S",
        "  3  7C6S  take 7C from row 6 and 6S from the waste   3 cleared",
        "  4  D     draw 6C",
        "  5  U     take the last move back",
        "  6  U     take the last move back                    2 cleared",
    ]


def test_a_card_of_the_stock_is_told_from_one_of_the_waste() -> None:
    *_, drawn = narrate(DEAL, RULES["strict"], [*["D"] * 9, "TS3S"])
    *_, undrawn = narrate(DEAL, RULES["strict"], [*["D"] * 8, "TS3S"])
    assert drawn == " 10  TS3S  take TS from the waste and 3S from row 7   1 cleared"
    assert undrawn == "  9  TS3S  take TS from the stock and 3S from row 7   1 cleared"


def test_a_redeal_tells_the_pass_it_begins() -> None:
    *_, last = narrate(DEAL, RULES["endless"], [*["D"] * 24, "R"])
    assert last == " 25  R     turn the waste over for pass 2"


@pytest.mark.parametrize("move", ["R", "KS", "6S7S", "D"])
def test_a_refused_move_is_not_told(move: str) -> None:
    log = [*["D"] * 24, move] if move == "D" else [move]
    with pytest.raises(IllegalMove):
        list(narrate(DEAL, RULES["one-pass"], log))
