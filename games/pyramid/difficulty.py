"""How hard a deal is for a plain player, who takes whatever can be taken and never looks ahead."""

from __future__ import annotations

from random import Random

from games.pyramid.deal import Deal
from games.pyramid.layout import ALL, PYRAMID, PYRAMID_SIZE
from games.pyramid.masks import STOCK, Masks, bits, exposed
from games.pyramid.pairings import Pairings
from games.pyramid.rules import Rules
from games.pyramid.solver import best_clear

PLAYOUTS = 100


def difficulty(deal: Deal, rules: Rules, *, best: int | None = None) -> float:
    """The share of the best clear that a plain player reaches on average, from 0 (hard) to 1 (easy).

    The player tries `PLAYOUTS` times, and each time takes any one removal when there is one and draws when
    there is none, until the passes are used up or one has brought nothing. Chance is seeded with the deck, so
    a deal has one figure under each rule set. `best` is the best clear where it is known; else it is worked
    out first. A deal of which nothing can be cleared counts as 1. The playouts take some 10 ms.
    """
    most = best_clear(deal, rules).cleared if best is None else best
    if not most:
        return 1.0
    player = _PlainPlayer(deal, rules)
    return sum(player.play() for _ in range(PLAYOUTS)) / (PLAYOUTS * most)


class _PlainPlayer:
    def __init__(self, deal: Deal, rules: Rules) -> None:
        self._rules = rules
        self._masks = Masks(deal)
        self._pairings = Pairings(self._masks, cover_pairs=rules.cover_pairs)
        self._random = Random(deal.deck)  # noqa: S311 - the same for everybody is what is wanted

    def play(self) -> int:
        """Play once; returns the pyramid cards cleared."""
        before, left = 0, ALL
        drawn = PYRAMID_SIZE + self._rules.first_waste
        passes = 0
        while left != before and passes != self._rules.passes:
            before, left = left, self._play_pass(left, drawn)
            drawn = PYRAMID_SIZE
            passes += 1
        return PYRAMID_SIZE - (left & PYRAMID).bit_count()

    def _play_pass(self, left: int, drawn: int) -> int:
        while True:
            while removals := self._removals(left, drawn):
                # Of what `Random` offers, `random` alone promises the same numbers in every version of
                # Python.
                left ^= removals[int(self._random.random() * len(removals))]
            ahead = left >> drawn
            if not ahead:
                return left
            drawn += (ahead & -ahead).bit_length()

    def _removals(self, left: int, drawn: int) -> list[int]:
        pyramid = left & PYRAMID
        open_cards = exposed(pyramid)
        removals = self._pairings.pairs(pyramid) + list(bits(open_cards & self._masks.kings))
        tops = self._tops(left & STOCK, drawn)
        for top in bits(tops):
            # The partner has the lower place, so the waste and the stock are paired once.
            partners = (open_cards | tops) & top - 1 & self._masks.partners[top.bit_length() - 1]
            removals += [top] if top & self._masks.kings else [top | partner for partner in bits(partners)]
        return removals

    def _tops(self, stock: int, drawn: int) -> int:
        """The top of the waste, and that of the stock where it is in play."""
        waste = stock & (1 << drawn) - 1
        ahead = stock ^ waste if self._rules.stock_top_in_play else 0
        return 1 << waste.bit_length() >> 1 | ahead & -ahead
