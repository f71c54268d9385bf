"""Weeks and months as people write them, ``2026-W49`` and ``2026-11``, and the days they are made of."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from leaderboard.boards import ALL_TIME, day_of, month_board, week_board

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """An ISO week or a month, with its first and its last day. Its text is the name of its board."""

    board: str
    first: date
    last: date

    def __str__(self) -> str:
        return self.board

    @property
    def previous(self) -> Period:
        """The week or month before."""
        return self._of(self.first - DAY)

    @property
    def next(self) -> Period:
        """The week or month after."""
        return self._of(self.last + DAY)

    def _of(self, day: date) -> Period:
        return week_of(day) if "W" in self.board else month_of(day)


def week_of(day: date) -> Period:
    """The ISO week, Monday to Sunday, that ``day`` falls in."""
    monday = day - day.weekday() * DAY
    return Period(week_board(day), monday, monday + 6 * DAY)


def month_of(day: date) -> Period:
    """The month that ``day`` falls in."""
    _, length = monthrange(day.year, day.month)
    return Period(month_board(day), day.replace(day=1), day.replace(day=length))


def parse_week(text: str) -> Period:
    """The week written as ``2026-W49``, of the years 2000 to 2099. Raises ValueError."""
    year, week = _numbers("20[0-9]{2}-W[0-9]{2}", text)
    return week_of(date.fromisocalendar(year, week, 1))


def parse_month(text: str) -> Period:
    """The month written as ``2026-11``, of the years 2000 to 2099. Raises ValueError."""
    year, month = _numbers("20[0-9]{2}-[0-9]{2}", text)
    return month_of(date(year, month, 1))


def _numbers(form: str, text: str) -> tuple[int, int]:
    if not re.fullmatch(form, text):
        raise ValueError(f"not a week like 2026-W49 or a month like 2026-11: {text!r}")
    return int(text[:4]), int(text[-2:])


def span(board: str) -> tuple[date, date]:
    """The first and the last day that count on a board, whichever it is."""
    if board == ALL_TIME:
        return date.min, date.max
    if day := day_of(board):
        return day, day
    period = parse_week(board) if "W" in board else parse_month(board)
    return period.first, period.last
