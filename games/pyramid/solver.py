"""The best that any play can make of a deal, proven.

The method is a best-first search. A state is what is left of the deal and a clock, and these facts keep it
small:

- A play is known by its uses of stock cards. Draws only let time pass between them, and the pairs inside the
  pyramid can wait until they open something (`pairings`). So one step uses one stock card, or two that lie
  next to each other where the stock's top is in play, at the first moment it can (`uses`).
- With the same cards left the earlier clock is the better one, so of all ways to them only the earliest
  counts.
- In the last pass a waste card is out of reach for good when it and the cards of its rank above it outnumber
  their partners; it buries what lies under it. Such cards are dropped, which lowers the bound and makes
  states equal.
- Kings go at once. Those of the stock are no part of a state.

The bound of a state is what could be cleared if the stock had no order (`relaxation`). It is never too low,
since every real play is a play there too, and it never rises along a play, since steps and dropped cards only
take away. States are looked into in the order of their bounds, and the search ends when no bound exceeds the
best that was found. Among equal bounds the smallest pyramid comes first, then the earliest clock: where the
bound can be reached, which with unlimited passes it always can, the search walks straight down to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf

from games.pyramid.deal import Deal
from games.pyramid.layout import PYRAMID, PYRAMID_SIZE
from games.pyramid.masks import STOCK, Masks
from games.pyramid.pairings import Pairings
from games.pyramid.relaxation import Relaxation
from games.pyramid.rules import Rules
from games.pyramid.steps import LogWriter, Step
from games.pyramid.tallies import Tallies
from games.pyramid.uses import Uses


@dataclass(frozen=True, slots=True)
class Best:
    """The most pyramid cards that can be cleared, with a log that does it.

    When the budget ran out first, `proven` is False and this is the best play found so far.
    """

    cleared: int
    log: tuple[str, ...]
    proven: bool


def best_clear(deal: Deal, rules: Rules, *, node_budget: int | None = None) -> Best:
    """The most of the 28 cards that any play of the deal clears under these rules; the same on every call.

    `node_budget` limits the states looked into after the first, at some 30 µs each. Without it most deals
    take milliseconds, the hardest a few seconds (`bench/solver.py`).
    """
    search = _Search(deal, rules, node_budget=node_budget)
    is_finished = search.run()
    return Best(search.best, search.best_log(), is_finished)


def can_clear(deal: Deal, rules: Rules, target: int, *, node_budget: int | None = None) -> bool | None:
    """Whether some play clears at least `target` cards of the pyramid; None when the budget ran out."""
    search = _Search(deal, rules, beat=target - 1, enough=target, node_budget=node_budget)
    return search.succeeds()


def can_win(deal: Deal, rules: Rules, *, node_budget: int | None = None) -> bool | None:
    """Whether some play wins the deal, be it the pyramid or all 52 cards; None when the budget ran out."""
    search = _Search(
        deal,
        rules,
        beat=PYRAMID_SIZE - 1,
        needs_stock_gone=rules.win == "all",
        node_budget=node_budget,
    )
    return search.succeeds()


class _Search:
    """Looks for the play that clears the most, if that is more than `beat`; `enough` ends the search.

    With `needs_stock_gone` only plays that leave no stock card count.
    """

    def __init__(
        self,
        deal: Deal,
        rules: Rules,
        *,
        beat: int = -1,
        enough: int = PYRAMID_SIZE,
        needs_stock_gone: bool = False,
        node_budget: int | None = None,
    ) -> None:
        masks = Masks(deal)
        tallies = Tallies(masks)
        self._pairings = Pairings(masks, cover_pairs=rules.cover_pairs)
        self._relaxation = Relaxation(masks, tallies, self._pairings, enough=enough)
        self._uses = Uses(masks, tallies, rules)
        self._writer = LogWriter(deal, rules, masks, self._pairings)
        self._beat = beat
        self._enough = enough
        self._needs_stock_gone = needs_stock_gone
        self._is_bound_exact = rules.passes is None and not needs_stock_gone
        self._nodes_left = inf if node_budget is None else node_budget
        # What waits to be looked into: minus the bound, the size of the pyramid, the clock, the cards left.
        self._waiting: list[tuple[int, int, int, int]] = []
        self._earliest: dict[int, int] = {}
        self._came_from: dict[int, tuple[int, int]] = {}
        self._start = self._pairings.without_kings(PYRAMID) | STOCK & ~masks.kings
        self.best = beat
        self._best_left = self._start
        self._look_into(self._start, self._uses.start, self._relaxation.value(self._start))

    def succeeds(self) -> bool | None:
        """Search to the end and say whether `beat` was beaten; None when it may be and the budget ran out."""
        is_finished = self.run()
        return True if self.best > self._beat else False if is_finished else None

    def run(self) -> bool:
        """Search to the end; False when the budget ran out before."""
        while self._waiting and self.best < self._enough:
            negative_bound, _, clock, left = heappop(self._waiting)
            if -negative_bound <= self.best:
                break
            if clock > self._earliest[left]:
                continue
            if self._nodes_left <= 0:
                return False
            self._nodes_left -= 1
            self._look_into(left, clock, -negative_bound)
        return True

    def _look_into(self, left: int, clock: int, bound: int) -> None:
        openings = self._pairings.openings(left & PYRAMID)
        self._note(PYRAMID_SIZE - openings.least.bit_count(), left)
        for moment, used, value in sorted(self._uses.next_uses(left, clock)):
            stock = left & STOCK ^ used
            for pyramid in openings.after[value]:
                offered = self._offer(pyramid | stock, moment, (left, used))
                if self._is_bound_exact and offered == bound:
                    return

    def _note(self, cleared: int, left: int) -> None:
        if cleared > self.best and not (self._needs_stock_gone and left & STOCK):
            self.best = cleared
            self._best_left = left

    def _offer(self, left: int, moment: int, origin: tuple[int, int]) -> int:
        """Let a state wait if it may lead to more than the best. Returns its bound, 0 when none is needed."""
        left_in_reach, clock = self._uses.settle(left, moment)
        if self._earliest.get(left_in_reach, inf) <= clock:
            return 0
        if self._needs_stock_gone and left_in_reach != left:
            return 0
        bound = self._relaxation.value(left_in_reach)
        if bound > self.best:
            self._earliest[left_in_reach] = clock
            self._came_from[left_in_reach] = origin
            heappush(self._waiting, (-bound, (left & PYRAMID).bit_count(), clock, left_in_reach))
        return bound

    def best_log(self) -> tuple[str, ...]:
        """The moves of the best play found."""
        pyramid = PYRAMID
        for left, used in self._way_to(self._best_left):
            self._writer.write(Step(pyramid, left & PYRAMID, used))
            pyramid = left & PYRAMID
        self._writer.write(Step(pyramid, self._pairings.openings(pyramid).least, 0))
        return tuple(self._writer.log)

    def _way_to(self, left: int) -> list[tuple[int, int]]:
        """The states on the way, each with the stock cards used to come to it."""
        way = []
        while left != self._start:
            origin, used = self._came_from[left]
            way.append((left, used))
            left = origin
        return [(self._start, 0), *reversed(way)]
