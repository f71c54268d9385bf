"""A deal as masks of places: what is exposed, and where the cards of a value and their partners lie."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from games.pyramid.deal import Deal
from games.pyramid.layout import ALL, COVERS, PYRAMID, places

STOCK = ALL & ~PYRAMID
"""The mask of the places outside the pyramid."""


class Masks:
    """Where the values of a deal lie: masks of the cards `of` a value and of the `partners` of a place.

    A partner is a card that adds up to 13; `of[0]` and the partners of kings are empty.
    """

    __slots__ = ("kings", "of", "partners", "values")

    def __init__(self, deal: Deal) -> None:
        self.values = [card.value for card in deal.cards]
        self.of = [0] * 14
        for place, value in enumerate(self.values):
            self.of[value] |= 1 << place
        self.kings = self.of[13]
        self.partners = [self.of[13 - value] for value in self.values]


@cache
def exposed(pyramid: int) -> int:
    """The cards of a pyramid that nothing covers. It has 1,430 shapes, and each is worked out once."""
    return sum(1 << place for place in places(pyramid) if not COVERS[place] & pyramid)


def bits(mask: int) -> Iterator[int]:
    """The places in a mask as masks of one place, in order."""
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest
