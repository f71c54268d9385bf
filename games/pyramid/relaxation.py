"""How much of a pyramid can go when the stock cards that are left may be had at any time, each once.

With unlimited passes that is no relaxation: every stock card left can be brought to the top of the waste at
any time, so neither order nor position matters. For every other rule set it bounds the best from above, since
dropping the order of the stock only adds plays. (Two stock cards never go together: that only wastes them.)

Only values count here, so a state is the pyramid and how many stock cards of each value are left. Three
things make it small. A value is counted no further than the pyramid has partners for. Where the stock covers
both values of a pair, with a partner for every card of theirs in the pyramid, their cards are free: like
kings they go the moment they are exposed, because nothing else wants those partners. Only the other, scarce
values are searched.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.pyramid.layout import PYRAMID, PYRAMID_SIZE
from games.pyramid.masks import STOCK, Masks, bits, exposed
from games.pyramid.pairings import Pairings
from games.pyramid.tallies import UNIT, Tallies, covered, fields, swapped


class Relaxation:
    """The most pyramid cards that can be cleared when the stock has no order, for the states of one deal.

    Values stop at `enough`, where the caller needs to know no more.
    """

    def __init__(
        self, masks: Masks, tallies: Tallies, pairings: Pairings, *, enough: int = PYRAMID_SIZE
    ) -> None:
        self._kings = masks.kings
        self._tallies = tallies
        self._pairings = pairings
        self._enough = enough
        self._partner_units = [UNIT[13 - value] for value in masks.values]
        self._values: dict[tuple[int, int], int] = {}

    def value(self, left: int) -> int:
        """How many of the 28 can be gone in the end, of a deal of which this is left."""
        pyramid = left & PYRAMID
        return self._value(pyramid, swapped(self._tallies.of(pyramid)), self._tallies.of(left & STOCK))

    def _value(self, pyramid: int, demand: int, supply: int) -> int:
        plenty = covered(supply, demand)
        free = plenty & swapped(plenty)
        free_cards = self._tallies.cards_of(free) | self._kings
        while going := exposed(pyramid) & free_cards:
            pyramid ^= going
        # No more than is wanted, and of free values always the same, makes states equal that play alike.
        plenty_fields = fields(plenty)
        supply = demand & plenty_fields | supply & ~plenty_fields | fields(free)
        value = self._values.get((pyramid, supply))
        if value is None:
            value = self._values[pyramid, supply] = self._search(pyramid, demand, supply)
        return value

    def _search(self, pyramid: int, demand: int, supply: int) -> int:
        best = PYRAMID_SIZE - pyramid.bit_count()
        for state in self._after_one_removal(pyramid, demand, supply):
            if best >= self._enough:
                break
            best = max(best, self._value(*state))
        return min(best, self._enough)

    def _after_one_removal(self, pyramid: int, demand: int, supply: int) -> Iterator[tuple[int, int, int]]:
        for pair in self._pairings.pairs(pyramid):
            partner = self._partner_units[pair.bit_length() - 1]
            yield pyramid ^ pair, demand - partner - swapped(partner), supply
        for card in bits(exposed(pyramid)):
            partner = self._partner_units[card.bit_length() - 1]
            if supply & partner * 7:
                yield pyramid ^ card, demand - partner, supply - partner
