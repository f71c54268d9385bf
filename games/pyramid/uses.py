"""When stock cards come into play, and which are out of reach.

A *clock* is a moment of a run: the pass, from 0, and the place after the top of the waste, 0 for an empty
waste. Only draws and redeals let time pass. With the same cards left an earlier clock is never worse than a
later one: draw, and there it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.pyramid.layout import PYRAMID, PYRAMID_SIZE
from games.pyramid.masks import STOCK, Masks, bits
from games.pyramid.rules import Rules
from games.pyramid.tallies import GUARDS, Tallies, covered, swapped

_PASS = 64
_TOP = _PASS - 1


class Uses:
    """The uses of the stock cards of one deal. Stock kings are left out: they go when they are drawn."""

    def __init__(self, masks: Masks, tallies: Tallies, rules: Rules) -> None:
        self._masks = masks
        self._tallies = tallies
        self._last_pass = None if rules.passes is None else (rules.passes - 1) * _PASS
        self._stock_top_in_play = rules.stock_top_in_play
        self.start = PYRAMID_SIZE + rules.first_waste
        """The clock before the first move."""

    def next_uses(self, left: int, clock: int) -> Iterator[tuple[int, int, int]]:
        """Each single card that can still be used, and each pair of neighbours: first moment, mask, value.

        The value is 0 for a pair. Of neighbours of one value that come into play in the same pass only the
        first is named: used in its stead, the second leaves the same to play with, later.
        """
        top = clock & _TOP
        this_pass = clock - top
        next_pass = None if this_pass == self._last_pass else this_pass + _PASS
        before, value_before, pass_before = 0, 0, None
        for card in bits(left & STOCK):
            end = card.bit_length()
            value = self._masks.values[end - 1]
            in_pass = this_pass if end >= top else next_pass
            if in_pass is not None and (value != value_before or in_pass != pass_before):
                yield in_pass + end, card, value
            if self._stock_top_in_play and value + value_before == 13 and pass_before is not None:
                yield pass_before + before.bit_length(), before | card, 0
            before, value_before, pass_before = card, value, in_pass

    def settle(self, left: int, clock: int) -> tuple[int, int]:
        """The cards left that can still matter, and the earliest clock that is the same moment."""
        top = clock & _TOP
        this_pass = clock - top
        waste = left & STOCK & (1 << top) - 1
        if this_pass == self._last_pass:
            left ^= waste
            waste = self._within_reach(waste, left)
            left |= waste
        return left, this_pass + waste.bit_length()

    def _within_reach(self, waste: int, others: int) -> int:
        """The part of the waste, from its top, of which each card can have a partner of its own."""
        stock = others & STOCK if self._stock_top_in_play else 0
        pyramid = others & PYRAMID
        partners = self._tallies.of(pyramid) + self._tallies.of(stock)
        if covered(swapped(partners), self._tallies.of(waste)) == GUARDS:
            return waste
        within_reach = 0
        while waste:
            place = waste.bit_length() - 1
            above = within_reach & self._masks.of[self._masks.values[place]]
            if above.bit_count() >= ((pyramid | stock) & self._masks.partners[place]).bit_count():
                break
            within_reach |= 1 << place
            waste ^= 1 << place
        return within_reach
