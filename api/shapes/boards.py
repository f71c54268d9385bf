"""Leaderboards."""

from datetime import date
from typing import Annotated, TypedDict, cast
from uuid import UUID

from api.pagination import Links
from api.shapes.runs import StandingAnswer, render_standing
from leaderboard.standings import Own, Page, Row


class LineAnswer(TypedDict):
    """A line of a leaderboard."""

    rank: Annotated[int, "Equal results share a rank: 1, 1, 3."]
    player: str
    is_bot: bool
    cleared: int
    elapsed_ms: int


class RowAnswer(LineAnswer):
    """A line of a day's leaderboard."""

    won: bool
    run: UUID
    under_review: Annotated[bool, "An admin has yet to look into what was noticed about a top run."]


class PeriodRowAnswer(LineAnswer):
    """A line of the leaderboard of a longer time: sums over its days."""

    days: Annotated[int, "On how many days the player has a ranked run."]


class CallerStandingAnswer(StandingAnswer):
    """Where the caller stands."""

    cleared: int
    elapsed_ms: int
    run: UUID


class CallerPeriodStandingAnswer(StandingAnswer):
    """Where the caller stands over a longer time."""

    cleared: int
    elapsed_ms: int
    days: int


class BoardAnswer(TypedDict):
    """What a page of any leaderboard says about the whole."""

    field_size: Annotated[int, "How many are ranked."]
    distribution: Annotated[list[int], "How many of the runs cleared 0, 1, … 28 cards."]
    next: str | None
    previous: str | None


class LeaderboardAnswer(BoardAnswer):
    """A page of a day's leaderboard."""

    challenge: date
    results: list[RowAnswer]
    me: Annotated[CallerStandingAnswer | None, "Null for who is not on the board."]


class PeriodLeaderboardAnswer(BoardAnswer):
    """A page of the leaderboard of a week, a month or all time."""

    period: Annotated[str, "`2026-W49`, `2026-11` or `all-time`."]
    first_day: Annotated[date | None, "Null for all time."]
    last_day: date | None
    results: list[PeriodRowAnswer]
    me: Annotated[CallerPeriodStandingAnswer | None, "Null for who is not on the board."]


def render_board(page: Page, links: Links) -> BoardAnswer:
    return {
        "field_size": page.field_size,
        "distribution": page.distribution,
        "next": links.next,
        "previous": links.previous,
    }


def render_row(row: Row) -> RowAnswer:
    entry = row.entry
    return {
        "rank": row.rank,
        "player": entry.player,
        "is_bot": entry.is_bot,
        "cleared": row.cleared,
        "elapsed_ms": row.elapsed_ms,
        "won": entry.won,
        "run": cast("UUID", entry.run_id),  # which all lines of a day's board have
        "under_review": row.under_review,
    }


def render_period_row(row: Row) -> PeriodRowAnswer:
    return {
        "rank": row.rank,
        "player": row.entry.player,
        "is_bot": row.entry.is_bot,
        "cleared": row.cleared,
        "elapsed_ms": row.elapsed_ms,
        "days": row.entry.days,
    }


def render_own(own: Own) -> CallerStandingAnswer:
    row = own.row
    return {
        **render_standing(own.place),
        "cleared": row.cleared,
        "elapsed_ms": row.elapsed_ms,
        "run": cast("UUID", row.entry.run_id),
    }


def render_own_period(own: Own) -> CallerPeriodStandingAnswer:
    row = own.row
    return {
        **render_standing(own.place),
        "cleared": row.cleared,
        "elapsed_ms": row.elapsed_ms,
        "days": row.entry.days,
    }
