import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.pyramid import RULES, Board, Deal, Rules
from games.pyramid.difficulty import PLAYOUTS, _PlainPlayer, difficulty
from games.pyramid.solver import best_clear
from tests.games.cast import any_rules, deals, seeds, wander

ENDLESS = RULES["endless"]
STOCK = "4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9H 9S"

LOCKED = Deal.from_deck(
    f"KC KD KH TC TD TH TS JC JD JH JS QC QD QH QS KS AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S {STOCK}"
)
"""The cards of the last row have their only partners above them, and the stock has none."""

COIN = Deal.from_deck(
    f"KC KD KH TC TD TH TS 2C JC JD JH QC QD QH QS AC KS AD AH AS 2D 2H 2S JS 3C 3D 3H 3S {STOCK}"
)
"""The jack of spades goes with the two beside it, which frees a king, or with the other two."""

some_rules = st.sampled_from(list(RULES.values()))


def test_each_playout_counts_alike() -> None:
    cleared = difficulty(COIN, ENDLESS) * 3 * PLAYOUTS
    assert cleared == pytest.approx(round(cleared))
    assert 2.3 * PLAYOUTS < cleared < 2.7 * PLAYOUTS


def test_a_deal_of_which_nothing_can_be_cleared_is_easy() -> None:
    assert best_clear(LOCKED, ENDLESS).cleared == 0
    assert difficulty(LOCKED, ENDLESS) == 1


@given(deals, some_rules)
@settings(max_examples=15)
def test_the_difficulty_is_a_share(deal: Deal, rules: Rules) -> None:
    assert 0 < difficulty(deal, rules) <= 1


@given(deals, some_rules)
@settings(max_examples=10)
def test_a_deal_has_one_difficulty_whatever_was_rolled_before(deal: Deal, rules: Rules) -> None:
    before = random.getstate()
    first = difficulty(deal, rules)
    assert random.getstate() == before
    random.random()
    assert difficulty(deal, rules) == first


def test_the_share_is_of_the_best_that_is_told() -> None:
    assert difficulty(COIN, ENDLESS, best=3) == difficulty(COIN, ENDLESS)
    assert difficulty(COIN, ENDLESS, best=6) == pytest.approx(difficulty(COIN, ENDLESS) / 2)


def test_a_plain_player_does_worse_with_a_single_pass() -> None:
    deal = Deal.from_number(1)
    shares = [difficulty(deal, RULES[slug], best=28) for slug in ("one-pass", "three-pass")]
    assert shares == sorted(set(shares))


@given(deals, any_rules, seeds, st.integers(0, 80))
@settings(max_examples=60)
def test_a_plain_player_sees_the_removals_the_board_allows(
    deal: Deal, rules: Rules, seed: int, length: int
) -> None:
    board = Board(deal, rules)
    wander(board, seed, length)
    left, drawn, _, _ = board._state
    seen = [
        frozenset(card for place, card in enumerate(deal.cards) if removal >> place & 1)
        for removal in _PlainPlayer(deal, rules)._removals(left, drawn)
    ]
    allowed = {frozenset(move.cards) for move in board.legal_moves if move.is_removal}
    assert len(seen) == len(set(seen))
    assert set(seen) == allowed or board.is_won
