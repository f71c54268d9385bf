"""Tallies: how many cards of each value, packed in one integer so that all values are compared at once.

Each value from 1 to 12 has a field of four bits, of which the count takes three. Values 1 to 6 fill the lower
half and their partners 12 to 7, in this order, the upper half: swap the halves, and each value has the count
of its partners. Kings are not counted.
"""

from __future__ import annotations

from games.pyramid.masks import Masks

_BITS = 4
_HALF = 6 * _BITS
_LOWER = (1 << _HALF) - 1
_ORDER = (1, 2, 3, 4, 5, 6, 12, 11, 10, 9, 8, 7)

UNIT = tuple(1 << _BITS * _ORDER.index(value) if value in _ORDER else 0 for value in range(14))
"""For each value the tally of one such card."""

GUARDS = sum(UNIT) << _BITS - 1
"""The highest bit of each field, which no tally has set: with it no field borrows from the next."""


class Tallies:
    """The tallies of sets of cards of one deal; every set is counted once."""

    def __init__(self, masks: Masks) -> None:
        self._fields = [(masks.of[value], UNIT[value]) for value in range(1, 13)]
        self._known: dict[int, int] = {}
        self._cards_of: dict[int, int] = {}

    def of(self, cards: int) -> int:
        """The tally of the cards in a mask."""
        tally = self._known.get(cards)
        if tally is None:
            tally = 0
            for places, unit in self._fields:
                tally += (cards & places).bit_count() * unit
            self._known[cards] = tally
        return tally

    def cards_of(self, guards: int) -> int:
        """The mask of all cards of the values with these guards."""
        cards = self._cards_of.get(guards)
        if cards is None:
            cards = self._cards_of[guards] = sum(
                places for places, unit in self._fields if unit << _BITS - 1 & guards
            )
        return cards


def swapped(tally: int) -> int:
    """The same tally, or guards, by the values of the partners."""
    return tally >> _HALF | (tally & _LOWER) << _HALF


def covered(supply: int, demand: int) -> int:
    """The guards of the values of which there is as much in one tally as in the other, or more."""
    return (supply | GUARDS) - demand & GUARDS


def fields(guards: int) -> int:
    """The mask of the counts of the values with these guards: where they are set, a count of seven."""
    return guards - (guards >> _BITS - 1)
