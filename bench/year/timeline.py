"""A clock that is moved along from event to event, and what happens when."""

from collections.abc import Callable
from datetime import UTC, datetime
from heapq import heappop, heappush
from itertools import count

from tests.cast import FrozenClock

OUTAGE = (datetime(2028, 3, 25, 22, 30, tzinfo=UTC), datetime(2028, 3, 27, 0, 30, tzinfo=UTC))
"""26 hours in which nobody is answered and nothing runs, over a whole day on which Europe's clocks change."""


class Timeline:
    """Events in the order of their moments; what falls into the outage does not happen."""

    def __init__(self, begin: datetime) -> None:
        self.clock = FrozenClock(begin)
        self._events: list[tuple[datetime, int, Callable[[], object]]] = []
        self._numbers = count()

    @property
    def now(self) -> datetime:
        """Where the clock stands."""
        return self.clock.moment

    def at(self, moment: datetime, act: Callable[[], object]) -> None:
        """Let something happen at a moment that has not passed."""
        heappush(self._events, (moment, next(self._numbers), act))

    def pass_until(self, end: datetime) -> None:
        """Let everything before ``end`` happen."""
        while self._events and self._events[0][0] < end:
            self.clock.moment, _, act = heappop(self._events)
            if not OUTAGE[0] <= self.now < OUTAGE[1]:
                act()
        self.clock.moment = end
