"""The calendar of challenges, a month at a time."""

from calendar import Calendar
from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from daily.admin.figures import Day, result
from daily.status import Status, status_of
from games.pyramid import RULES


class Cell(NamedTuple):
    """A day of the month's grid, with its challenge if it has one."""

    day: date
    is_in_month: bool
    is_today: bool
    may_be_made: bool
    challenge: Day | None

    @property
    def status(self) -> Status | None:
        """Where the challenge stands."""
        return status_of(self.challenge, self.challenge.asked_at) if self.challenge else None

    @property
    def rules_title(self) -> str:
        """The name of its rule set."""
        slug = self.challenge.rules if self.challenge else ""
        return RULES[slug].title if slug in RULES else slug

    @property
    def best_run(self) -> str:
        """Cards and time of the best run that counts."""
        return result(self.challenge.best) if self.challenge and self.challenge.best else ""


class Month(NamedTuple):
    """A month in whole weeks, Monday to Sunday."""

    first: date
    weeks: list[list[Cell]]

    @property
    def previous(self) -> date:
        """A day of the month before."""
        return self.first - timedelta(days=1)

    @property
    def following(self) -> date:
        """A day of the month after."""
        return self.first + timedelta(days=31)


def span(first: date) -> tuple[date, date]:
    """The first and the last day of the month's grid."""
    weeks = Calendar().monthdatescalendar(first.year, first.month)
    return weeks[0][0], weeks[-1][-1]


def month_of(first: date, challenges: Iterable[Day], today: date) -> Month:
    """The grid of a month with its challenges."""
    made = {challenge.date: challenge for challenge in challenges}

    def cell(day: date) -> Cell:
        return Cell(day, day.month == first.month, day == today, day >= today, made.get(day))

    weeks = Calendar().monthdatescalendar(first.year, first.month)
    return Month(first, [[cell(day) for day in week] for week in weeks])
