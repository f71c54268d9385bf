"""What must have come of some simulated days, kept in plain dictionaries beside the service that lived them.

Nothing here asks the service: a day's board is sorted from what the players did, a streak is counted day by
day, a digest is hashed from text. Only the engine says what a log clears.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from typing import NamedTuple

from games.pyramid import Deal, Rules, replay

ONE_DAY = timedelta(days=1)
TIME_LIMIT = timedelta(minutes=60)
GRACE = timedelta(minutes=1)
MILLISECOND = timedelta(milliseconds=1)


class Dealt(NamedTuple):
    """A day's deal as it was first seen."""

    commitment: str
    rules: str
    salt: str
    deck: str


class Line(NamedTuple):
    """A line of a board."""

    rank: int
    player: str
    cleared: int
    elapsed_ms: int
    days: int


@dataclass
class Try:
    """A player's attempt at a day."""

    player: str
    day: date
    run: str
    """The attempt's id, which is its run's too."""
    started_at: datetime
    log: list[str] | None = None
    """The moves as last kept, or as submitted; None as long as neither was done."""
    cleared: int = 0
    ended_at: datetime | None = None
    """When it was submitted."""
    is_voided: bool = False

    @property
    def deadline_at(self) -> datetime:
        """The last moment that counts."""
        return self.started_at + TIME_LIMIT

    @property
    def is_played(self) -> bool:
        """Whether it makes a run that counts, once it is over."""
        return self.log is not None and not self.is_voided

    @property
    def elapsed_ms(self) -> int:
        """Up to the submission, or the whole time."""
        return ((self.ended_at or self.deadline_at) - self.started_at) // MILLISECOND


@dataclass
class Expected:
    """The deals as first seen, the tries, and how and when each day had to settle."""

    deals: dict[date, Dealt] = field(default_factory=dict)
    tries: defaultdict[date, dict[str, Try]] = field(default_factory=lambda: defaultdict(dict))
    """Each day's, by player."""
    voided_days: set[date] = field(default_factory=set)
    settled: dict[date, datetime] = field(default_factory=dict)
    digests: dict[date, list[str]] = field(default_factory=dict)
    """The digest of each revision of a day."""

    def see(self, day: date, dealt: Dealt) -> None:
        """Remember a deal, or hold it against what was seen before."""
        if (first := self.deals.setdefault(day, dealt)) != dealt:
            raise AssertionError(f"{day} was dealt as {first} and is {dealt}")

    def keep(self, own: Try, log: list[str], ended_at: datetime | None = None) -> None:
        """The player's moves reached the server, to be kept or as a submission."""
        dealt = self.deals[own.day]
        own.log, own.ended_at = log, ended_at
        own.cleared = replay(Deal.from_deck(dealt.deck), Rules.named(dealt.rules), log).cleared

    def settle(self, days: Iterable[date], now: datetime) -> None:
        """Somebody looked at these days: those that are due are settled from now on."""
        for day in set(days) - self.settled.keys():
            if now >= midnight(day + ONE_DAY) + TIME_LIMIT + GRACE:
                self.settled[day] = now
                self.digests[day] = [self.digest(day)]

    def correct(self, day: date) -> None:
        """Something on this day was put right."""
        if day in self.settled:
            self.digests[day].append(self.digest(day))

    def runs(self, days: Iterable[date]) -> list[Try]:
        """What counts on these days once nothing is open any more."""
        return [
            own for day in set(days) - self.voided_days for own in self.tries[day].values() if own.is_played
        ]

    def digest(self, day: date) -> str:
        """SHA-256 over the canonical lines of a day's board."""
        runs = sorted(self.runs([day]), key=lambda own: (-own.cleared, own.elapsed_ms, own.run))
        ranks = {line.player: line.rank for line in self.board([day])}
        lines = (
            f"{ranks[own.player]}|{own.run}|{own.cleared}|{own.elapsed_ms}|{' '.join(own.log or [])}\n"
            for own in runs
        )
        return sha256("".join(lines).encode()).hexdigest()

    def board(self, days: Iterable[date]) -> list[Line]:
        """The lines of the board on which these days count, equal ones by player."""
        sums: dict[str, tuple[int, int, int]] = {}
        for own in self.runs(days):
            cleared, elapsed_ms, played = sums.get(own.player, (0, 0, 0))
            sums[own.player] = cleared + own.cleared, elapsed_ms + own.elapsed_ms, played + 1
        results = sorted((-cleared, elapsed_ms) for cleared, elapsed_ms, _ in sums.values())
        lines = [
            Line(results.index((-figures[0], figures[1])) + 1, player, *figures)
            for player, figures in sums.items()
        ]
        return sorted(lines)

    def streaks(self, player: str, today: date) -> tuple[int, int]:
        """The player's current and longest streak when nothing is open but today."""
        current = longest = 0
        for day in sorted(self.deals.keys() - self.voided_days):
            is_played = player in self.tries[day] and self.tries[day][player].is_played
            if is_played or day < today:
                current = current + 1 if is_played else 0
            longest = max(longest, current)
        return current, longest


def midnight(day: date) -> datetime:
    """The first moment of a day."""
    return datetime.combine(day, time(), UTC)


def days_from(first: date, number: int) -> Iterator[date]:
    """So many days in a row."""
    return (first + n * ONE_DAY for n in range(number))
