"""What a pyramid can do by itself: the pairs inside it, and what they open for the next stock card.

A pair inside the pyramid loses nothing by waiting: draws do not touch it. So a search need not try it at
every moment. It takes a pair only to open the card that the next stock card leaves with, or at the very end;
and of several sets of pairs that open the card it needs only those with no pair to spare, for a spare pair
can wait as well. A king goes the moment it is exposed: nothing else wants it.
"""

from __future__ import annotations

from typing import NamedTuple

from games.pyramid.layout import COVERS
from games.pyramid.masks import Masks, bits, exposed


class Openings(NamedTuple):
    """What can be made of a pyramid before another stock card is used, and with it."""

    after: list[list[int]]
    """For each value of a stock card the pyramids that using one such card can leave; for 0 the same one."""
    least: int
    """The smallest pyramid that is left when no stock card is used."""


class Pairings:
    """The removals inside the pyramid of one deal; every pyramid is looked into once."""

    def __init__(self, masks: Masks, *, cover_pairs: bool) -> None:
        self._masks = masks
        self._rank_pairs = [(masks.of[value], masks.of[13 - value]) for value in range(1, 7)]
        self._cover_pairs = cover_pairs
        self._pairs: dict[int, list[int]] = {}
        self._openings: dict[int, Openings] = {}

    def without_kings(self, pyramid: int) -> int:
        """The pyramid after every king that is exposed, or becomes so, has gone."""
        while kings := exposed(pyramid) & self._masks.kings:
            pyramid ^= kings
        return pyramid

    def pairs(self, pyramid: int) -> list[int]:
        """The masks of the pairs that can leave this pyramid now."""
        known = self._pairs.get(pyramid)
        if known is None:
            known = self._pairs[pyramid] = self._find_pairs(pyramid)
        return known

    def _find_pairs(self, pyramid: int) -> list[int]:
        open_cards = exposed(pyramid)
        pairs = [
            low | high
            for lows, highs in self._rank_pairs
            if open_cards & lows and open_cards & highs
            for low in bits(open_cards & lows)
            for high in bits(open_cards & highs)
        ]
        return pairs + self._last_covers(pyramid) if self._cover_pairs else pairs

    def _last_covers(self, pyramid: int) -> list[int]:
        """Each covered card with the exposed partner that is all that covers it."""
        return [
            cover | partner
            for cover in bits(exposed(pyramid))
            for partner in bits(pyramid & self._masks.partners[cover.bit_length() - 1])
            if COVERS[partner.bit_length() - 1] & pyramid == cover
        ]

    def openings(self, pyramid: int) -> Openings:
        """What this pyramid, which has no exposed king, opens by itself."""
        known = self._openings.get(pyramid)
        if known is None:
            known = self._openings[pyramid] = self._find_openings(pyramid)
        return known

    def _find_openings(self, pyramid: int) -> Openings:
        after: list[set[int]] = [set() for _ in range(14)]
        after[0].add(pyramid)
        least = pyramid
        # Pyramids with the same number of pairs gone, each with what was exposed before the last pair went.
        layer = {pyramid: 0}
        while layer:
            for shape, opened_before in layer.items():
                least = min(least, shape, key=int.bit_count)
                for card in bits(exposed(shape) & ~opened_before):
                    partner_value = 13 - self._masks.values[card.bit_length() - 1]
                    after[partner_value].add(self.without_kings(shape ^ card))
            layer = self._one_pair_on(layer)
        return Openings([sorted(shapes) for shapes in after], least)

    def _one_pair_on(self, layer: dict[int, int]) -> dict[int, int]:
        following: dict[int, int] = {}
        for shape in layer:
            for pair in self.pairs(shape):
                smaller = self.without_kings(shape ^ pair)
                following[smaller] = following.get(smaller, 0) | exposed(shape)
        return following

    def removals(self, pyramid: int, goal: int, stock_value: int) -> list[int]:
        """The removals that turn one pyramid into another, in a playable order, as masks of its cards.

        One of them is of a single card that leaves with a stock card of `stock_value`, or none if that is 0.
        The goal must be one that `openings` gave for the pyramid.
        """
        found = self._search_removals(pyramid, pyramid & ~goal, stock_value)
        if found is None:
            raise ValueError("the pyramid has no such opening")
        return found

    def _search_removals(self, pyramid: int, going: int, stock_value: int) -> list[int] | None:
        if not going:
            return None if stock_value else []
        takers = self._masks.of[13 - stock_value] if stock_value else 0
        for card in bits(exposed(pyramid) & going & (takers | self._masks.kings)):
            value_still_open = stock_value if card & self._masks.kings else 0
            rest = self._search_removals(pyramid ^ card, going ^ card, value_still_open)
            if rest is not None:
                return [card, *rest]
        for pair in self.pairs(pyramid):
            if not pair & ~going:
                rest = self._search_removals(pyramid ^ pair, going ^ pair, stock_value)
                if rest is not None:
                    return [pair, *rest]
        return None
