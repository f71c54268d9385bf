import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import SUITS
from games.pyramid import RULES, Deal, Rules, replay
from games.pyramid.layout import ROWS
from games.pyramid.solver import Best, best_clear, can_clear, can_win
from tests.games.cast import deals
from tests.games.exhaustive import any_flags, explore, knotted_deal

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "best_clear.jsonl").read_text().splitlines()
]
ONE_PASS = RULES["one-pass"]
STRICT = RULES["strict"]

some_rules = st.sampled_from(list(RULES.values()))


def assert_shown(best: Best, deal: Deal, rules: Rules) -> None:
    """The log of a best is legal and clears what it claims."""
    assert replay(deal, rules, best.log).cleared == best.cleared


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_the_best_of_every_vector_is_found_and_shown(vector: dict[str, Any]) -> None:
    deal = Deal.from_deck(vector["deck"])
    for slug, cleared in vector["best"].items():
        best = best_clear(deal, RULES[slug])
        assert (best.cleared, best.proven) == (cleared, True)
        assert_shown(best, deal, RULES[slug])


# Seeds whose deals have few positions.
WHERE_A_LIMIT_OF_PASSES_COSTS_CARDS = [
    18,
    103,
    134,
    140,
    152,
    171,
    246,
    260,
    303,
    318,
    338,
    350,
    352,
    384,
    386,
]
OTHERS = [1, 2, 4, 15, 16, 20, 24, 28, 41, 42, 49, 60, 64, 66, 67]


@pytest.mark.parametrize("seed", WHERE_A_LIMIT_OF_PASSES_COSTS_CARDS + OTHERS)
def test_nothing_in_any_position_of_a_small_deal_is_better(seed: int) -> None:
    rng = Random(seed)
    deal, rules = knotted_deal(rng), any_flags(rng)
    cleared, is_winnable = explore(deal, rules)
    best = best_clear(deal, rules)
    assert best.cleared == cleared
    assert_shown(best, deal, rules)
    assert can_win(deal, rules) is is_winnable


@pytest.mark.parametrize("number", range(1, 41))
def test_the_deals_whose_52_cards_can_all_go_are_those_an_exhaustive_search_found(number: int) -> None:
    assert can_win(Deal.from_number(number), STRICT) is (number in (10, 11, 18, 22, 32))


@pytest.mark.parametrize("number", [10, 11, 18, 22, 32])
def test_what_one_pass_wins_is_won_with_any_number_of_passes(number: int) -> None:
    rules = [replace(STRICT, passes=passes) for passes in (2, 3, None)]
    assert [can_win(Deal.from_number(number), each) for each in rules] == [True, True, True]


PYRAMID_OF_PAIRS = Deal.from_deck(
    "KC AC QC 2C JC KD 3C TC AD QD 2D JD 3D TD KH AH QH 2H JH 3H TH AS QS 2S JS 3S TS KS"
    " 4C 5C 6C 7C 8C 9C 4D 5D 6D 7D 8D 9D 4H 5H 6H 7H 8H 9H 4S 5S 6S 7S 8S 9S"
)
"""Every row of the pyramid goes by itself, and no card of the stock has a partner outside it."""


@pytest.mark.parametrize("passes", [1, 2, None])
def test_a_stock_that_cannot_go_is_no_win_when_all_52_have_to(passes: int | None) -> None:
    rules = Rules(slug="any", passes=passes, win="all")
    assert best_clear(PYRAMID_OF_PAIRS, rules).cleared == 28
    assert can_win(PYRAMID_OF_PAIRS, rules) is False


def test_an_empty_pyramid_does_not_win_when_all_52_have_to_go() -> None:
    deal = Deal.from_number(1)
    assert can_win(deal, replace(STRICT, win="pyramid")) is True
    assert can_win(deal, STRICT) is False


@given(deals, some_rules)
@settings(max_examples=15)
def test_as_much_as_the_best_can_be_cleared_and_no_more(deal: Deal, rules: Rules) -> None:
    best = best_clear(deal, rules).cleared
    answers = [can_clear(deal, rules, target) for target in (0, best, best + 1, 29)]
    assert answers == [True, True, False, False]


@given(deals, st.booleans(), st.booleans())
@settings(max_examples=10)
def test_another_pass_never_costs_a_card(deal: Deal, stock_top_in_play: bool, cover_pairs: bool) -> None:
    rules = Rules(slug="any", stock_top_in_play=stock_top_in_play, cover_pairs=cover_pairs)
    cleared = [best_clear(deal, replace(rules, passes=passes)).cleared for passes in (1, 2, 3, 9, None)]
    assert cleared == sorted(cleared)


@given(deals, some_rules)
@settings(max_examples=10)
def test_a_first_card_on_the_waste_changes_nothing(deal: Deal, rules: Rules) -> None:
    other = replace(rules, first_waste=not rules.first_waste)
    assert best_clear(deal, rules).cleared == best_clear(deal, other).cleared


@given(deals, some_rules)
@settings(max_examples=10)
def test_the_mirror_image_of_a_deal_has_the_same_best(deal: Deal, rules: Rules) -> None:
    pyramid = list(deal.pyramid)
    rows = [pyramid[row * (row + 1) // 2 :][: row + 1] for row in range(ROWS)]
    mirrored = [card for row in rows for card in reversed(row)]
    image = Deal((*mirrored, *deal.stock))
    assert best_clear(image, rules).cleared == best_clear(deal, rules).cleared


@given(deals, some_rules, st.permutations(SUITS))
@settings(max_examples=10)
def test_suits_do_not_matter(deal: Deal, rules: Rules, suits: list[str]) -> None:
    renamed = Deal.from_deck(deal.deck.translate(str.maketrans(SUITS, "".join(suits))))
    assert best_clear(renamed, rules).cleared == best_clear(deal, rules).cleared


@given(deals, some_rules)
@settings(max_examples=10)
def test_the_same_question_gets_the_same_log(deal: Deal, rules: Rules) -> None:
    assert best_clear(deal, rules) == best_clear(deal, rules)


HARD = Deal.from_number(52)


@pytest.mark.parametrize("node_budget", [0, 1, 30, 1000])
def test_a_spent_budget_gives_the_best_so_far_and_says_so(node_budget: int) -> None:
    best = best_clear(HARD, ONE_PASS, node_budget=node_budget)
    assert not best.proven
    assert_shown(best, HARD, ONE_PASS)


def test_a_larger_budget_finds_more() -> None:
    assert (
        best_clear(HARD, ONE_PASS, node_budget=0).cleared < best_clear(HARD, ONE_PASS, node_budget=30).cleared
    )


def test_a_budget_that_suffices_changes_nothing() -> None:
    assert best_clear(HARD, ONE_PASS, node_budget=100_000) == best_clear(HARD, ONE_PASS)


def test_what_a_spent_budget_leaves_open_is_answered_with_none() -> None:
    beyond = best_clear(HARD, ONE_PASS).cleared + 1
    assert can_clear(HARD, ONE_PASS, beyond, node_budget=30) is None
    assert can_win(HARD, STRICT, node_budget=30) is None


def test_what_is_found_within_the_budget_is_answered_with_true() -> None:
    found = best_clear(HARD, ONE_PASS, node_budget=30).cleared
    assert can_clear(HARD, ONE_PASS, found, node_budget=30) is True
