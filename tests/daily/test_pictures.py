"""Deals and positions as SVG: every card in its place, every move marked, nothing that is not well formed."""

import re
from xml.etree import ElementTree as ET

import pytest

from daily.pictures import MOST_STEPS, draw_cards, draw_deal, steps
from games.cards import FULL_DECK
from games.pyramid import Board, Deal, IllegalMove, Rules
from games.pyramid.solver import best_clear

DEAL = Deal.from_number(12345)
ENDLESS = Rules.named("endless")
USE = re.compile(
    r'<use class="([\w-]+)" href="#card-(\w\w)" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/>'
)


def drawn(picture: str) -> dict[str, str]:
    """The cards of a picture, each with the state it is drawn in."""
    return {card: state for state, card, *_ in USE.findall(picture)}


def places(picture: str) -> dict[str, tuple[int, int]]:
    """The cards of a picture, each with its left upper corner."""
    return {card: (int(x), int(y)) for _, card, x, y, *_ in USE.findall(picture)}


def test_each_of_the_52_cards_has_a_symbol_with_its_rank() -> None:
    root = ET.fromstring(draw_cards())
    cards = {symbol.get("id"): symbol for symbol in root if str(symbol.get("id")).startswith("card-")}
    assert set(cards) == {f"card-{card}" for card in FULL_DECK}
    texts = {str(name): "".join(symbol.itertext()) for name, symbol in cards.items()}
    assert (texts["card-TH"], texts["card-QS"], texts["card-AC"]) == ("10", "Q", "A")


def test_every_symbol_that_is_used_is_there() -> None:
    page = draw_cards() + draw_deal(DEAL, ENDLESS)
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= set(re.findall(r'id="([\w-]+)"', page))


def test_a_deal_shows_its_52_cards_in_dealing_order() -> None:
    assert list(drawn(draw_deal(DEAL, ENDLESS))) == DEAL.deck.split()


def test_the_pyramid_is_symmetric_and_each_card_lies_over_the_middle_of_two() -> None:
    at = places(draw_deal(DEAL, ENDLESS))
    board = Board(DEAL, ENDLESS)
    for card in DEAL.pyramid:
        covers = board.covers(card)
        if covers:
            (left, low), (right, also_low) = (at[str(cover)] for cover in covers)
            x, y = at[str(card)]
            assert left + right == 2 * x
            assert low == also_low > y


def test_everything_lies_inside_the_picture() -> None:
    picture = draw_deal(DEAL, ENDLESS)
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', picture)[0])
    for _, _, x, y, w, h in USE.findall(picture):
        assert 0 < int(x) < int(x) + int(w) < width
        assert 0 < int(y) < int(y) + int(h) < height


def test_no_two_cards_share_a_place() -> None:
    assert len(set(places(draw_deal(DEAL, ENDLESS)).values())) == 52


@pytest.mark.parametrize("rules", ["endless", "pyramide", "cover-pairs", "strict"])
def test_a_log_is_drawn_move_by_move_as_the_board_stands(rules: str) -> None:
    ruleset = Rules.named(rules)
    log = best_clear(DEAL, ruleset).log
    board = Board(DEAL, ruleset)
    pages = list(steps(DEAL, ruleset, log))
    assert len(pages) == len(log) + 1
    for page, text in zip(pages, [*log, None], strict=True):
        ET.fromstring(page.picture)
        cards = drawn(page.picture)
        assert page.cleared == board.cleared
        assert {card for card in cards if cards[card] == "undrawn"} <= {str(card) for card in board.stock}
        assert {card for card in cards if cards[card] == "gone"} <= {
            str(card) for card in DEAL.stock if card not in board.stock and card not in board.waste
        }
        assert len(cards) == 52 - board.cleared
        if text:
            move = board.play(text)
            assert {card for card in cards if cards[card] == "marked"} == {str(card) for card in move.cards}
    assert pages[-1].words == "the end"


def test_a_card_under_two_others_shows_no_scraps_of_its_picture() -> None:
    cards = drawn(draw_deal(DEAL, ENDLESS))
    assert [cards[str(card)] for card in DEAL.pyramid] == ["under"] * 21 + ["in-play"] * 7
    board = Board(DEAL, ENDLESS)
    for text in best_clear(DEAL, ENDLESS).log[:12]:
        board.play(text)
    *_, last = steps(DEAL, ENDLESS, best_clear(DEAL, ENDLESS).log[:12])
    under = {str(card) for card, state in drawn(last.picture).items() if state == "under"}
    assert under == {str(card) for card in board.pyramid if card and len(board.covers(card)) == 2}


def test_moves_are_told_in_words() -> None:
    log = [*["D"] * 24, "R", "U"]
    assert [step.words for step in steps(DEAL, ENDLESS, log)][-4:] == ["draw", "redeal", "undo", "the end"]
    removal = next(move for move in best_clear(DEAL, ENDLESS).log if len(move) == 4)
    words = [step.words for step in steps(DEAL, ENDLESS, best_clear(DEAL, ENDLESS).log)]
    ranks = [rank.replace("T", "10") for rank in removal[::2]]
    assert any(re.fullmatch(rf"{ranks[0]}. and {ranks[1]}.", text) for text in words)


def test_the_top_of_the_waste_is_ringed() -> None:
    *_, last = steps(DEAL, ENDLESS, ["D", "D"])
    cards = drawn(last.picture)
    assert cards[str(DEAL.stock[1])] == "top"
    assert cards[str(DEAL.stock[0])] == "buried"
    assert last.picture.count('class="ring top"') == 1


def test_a_position_is_told_to_those_who_cannot_see_it() -> None:
    first = next(steps(DEAL, ENDLESS, []))
    label = re.findall(r'aria-label="([^"]*)"', first.picture)[0]
    assert label.startswith("0 cleared. Exposed: ")
    assert label.endswith("Top of the waste: none. Stock: 24 cards.")


def test_of_a_very_long_log_the_rest_is_left_out() -> None:
    log = [*["D"] * 24, "R"] * 21
    pages = list(steps(DEAL, ENDLESS, log))
    assert len(pages) == MOST_STEPS + 1
    assert pages[-1].words == "25 more moves and the end"
    assert set(drawn(pages[-1].picture).values()) == {"in-play", "under", "undrawn"}


@pytest.mark.parametrize("log", [["R"], ["D"] * 600])
def test_an_illegal_log_is_not_drawn(log: list[str]) -> None:
    with pytest.raises(IllegalMove):
        list(steps(DEAL, ENDLESS, log))


def test_a_style_sheet_can_colour_each_suit() -> None:
    for card in FULL_DECK:
        symbol = re.findall(rf'<symbol id="card-{card}".*?</symbol>', draw_cards())[0]
        assert f'<g class="suit-{card.suit.lower()}" fill="#' in symbol
