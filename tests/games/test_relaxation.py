from functools import cache
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.pyramid import RULES, Deal
from games.pyramid.layout import ALL, COVERS, PYRAMID, PYRAMID_SIZE, places
from games.pyramid.masks import Masks
from games.pyramid.pairings import Pairings
from games.pyramid.relaxation import Relaxation
from games.pyramid.solver import best_clear
from games.pyramid.tallies import Tallies
from tests.games.cast import deals, seeds


def relaxation(deal: Deal, *, cover_pairs: bool = False, enough: int = PYRAMID_SIZE) -> Relaxation:
    masks = Masks(deal)
    pairings = Pairings(masks, cover_pairs=cover_pairs)
    return Relaxation(masks, Tallies(masks), pairings, enough=enough)


def some_cards(seed: int) -> int:
    """What may be left of a deal late in a run: a small pyramid and any part of the stock."""
    rng = Random(seed)
    pyramid = PYRAMID
    for _ in range(rng.randrange(12, 26)):
        pyramid ^= 1 << rng.choice(uncovered(pyramid))
    return pyramid | rng.getrandbits(24) << PYRAMID_SIZE


def uncovered(pyramid: int) -> list[int]:
    return [place for place in places(pyramid) if not COVERS[place] & pyramid]


def most_cleared(deal: Deal, left: int, *, cover_pairs: bool) -> int:
    """The same, by trying every removal with every card of the stock."""
    values = [card.value for card in deal.cards]

    @cache
    def most(left: int) -> int:
        in_play = uncovered(left & PYRAMID) + places(left & ~PYRAMID)
        removals = [1 << place for place in in_play if values[place] == 13 and place < PYRAMID_SIZE]
        removals += [
            1 << place | 1 << partner
            for place in in_play
            for partner in in_play
            if place < partner and place < PYRAMID_SIZE and values[place] + values[partner] == 13
        ]
        removals += [
            1 << place | 1 << cover
            for place in places(left & PYRAMID)
            for cover in in_play
            if cover_pairs and COVERS[place] & left == 1 << cover and values[place] + values[cover] == 13
        ]
        here = PYRAMID_SIZE - (left & PYRAMID).bit_count()
        return max([here, *(most(left ^ removal) for removal in removals)])

    return most(left)


@given(deals, seeds.map(some_cards), st.booleans())
@settings(max_examples=150)
def test_the_value_is_that_of_trying_everything(deal: Deal, left: int, cover_pairs: bool) -> None:
    value = relaxation(deal, cover_pairs=cover_pairs).value(left)
    assert value == most_cleared(deal, left, cover_pairs=cover_pairs)


@given(deals, seeds.map(some_cards), st.integers(1, 28))
@settings(max_examples=50)
def test_the_value_stops_at_enough(deal: Deal, left: int, enough: int) -> None:
    assert relaxation(deal, enough=enough).value(left) == min(enough, relaxation(deal).value(left))


@given(deals)
@settings(max_examples=20)
def test_of_a_whole_deal_it_is_the_best_with_unlimited_passes(deal: Deal) -> None:
    assert relaxation(deal).value(ALL) == best_clear(deal, RULES["endless"]).cleared
