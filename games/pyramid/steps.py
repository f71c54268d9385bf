"""From the steps of a search to a move log.

A step says only which stock cards are used and what is left of the pyramid after it. The log also has the
draws and redeals that bring the cards into play, and takes every king that comes to the top of the waste
meanwhile.
"""

from __future__ import annotations

from typing import NamedTuple

from games.pyramid.deal import Deal
from games.pyramid.layout import ALL, PYRAMID_SIZE
from games.pyramid.masks import STOCK, Masks, bits
from games.pyramid.pairings import Pairings
from games.pyramid.rules import Rules


class Step(NamedTuple):
    """From one pyramid to the next with one stock card, with a pair of stock cards, or with none (0)."""

    pyramid: int
    goal: int
    used: int


class LogWriter:
    """Plays steps, in order and from the first move on, and notes every move in `log`."""

    def __init__(self, deal: Deal, rules: Rules, masks: Masks, pairings: Pairings) -> None:
        self.log: list[str] = []
        self._cards = deal.cards
        self._masks = masks
        self._pairings = pairings
        self._left = ALL
        self._drawn = PYRAMID_SIZE + rules.first_waste

    def write(self, step: Step) -> None:
        if step.used.bit_count() == 2:
            self._bring(step.used)
            self._remove(step.used)
            return
        stock_value = self._masks.values[step.used.bit_length() - 1] if step.used else 0
        for removal in self._pairings.removals(step.pyramid, step.goal, stock_value):
            if removal.bit_count() == 1 and not removal & self._masks.kings:
                self._bring(step.used)
                removal |= step.used
            self._remove(removal)

    def _bring(self, used: int) -> None:
        """Draw until the first of the used cards is on top of the waste, and the second next in the stock."""
        first = used & -used
        second = used ^ first
        while True:
            waste = self._left & STOCK & (1 << self._drawn) - 1
            stock = self._left >> self._drawn << self._drawn
            top = 1 << waste.bit_length() >> 1
            if top & self._masks.kings:
                self._remove(top)
            elif top == first and second in (0, stock & -stock):
                return
            else:
                self._draw(stock)

    def _draw(self, stock: int) -> None:
        self.log.append("D" if stock else "R")
        self._drawn = (stock & -stock).bit_length() if stock else PYRAMID_SIZE

    def _remove(self, cards: int) -> None:
        self._left ^= cards
        self.log.append("".join(str(self._cards[card.bit_length() - 1]) for card in bits(cards)))
