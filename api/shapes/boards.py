"""Leaderboards."""

from datetime import date
from typing import Annotated, TypedDict, cast
from uuid import UUID

from api.shapes.days import StandingAnswer, render_standing
from daily.models import Run
from leaderboard.scoring import Place, Position, result
from leaderboard.standings import Row


class RowAnswer(TypedDict):
    """A line of a day's leaderboard."""

    rank: int
    player: str
    cleared: int
    elapsed_ms: int
    won: bool
    run: UUID
    under_review: Annotated[bool, "An admin has yet to look into what was noticed about a top run."]


class CallerStandingAnswer(StandingAnswer):
    """Where the caller stands."""

    cleared: int
    elapsed_ms: int


class LeaderboardAnswer(TypedDict):
    """A page of a day's leaderboard."""

    challenge: date
    field_size: int
    distribution: Annotated[list[int], "How many cleared 0, 1, … 28 cards."]
    results: list[RowAnswer]
    next: str | None
    previous: str | None
    me: Annotated[CallerStandingAnswer | None, "Null for who is not on the board."]


def render_row(row: Row) -> RowAnswer:
    run = cast("Run", row.entry)  # what a day's board ranks
    return {
        "rank": row.rank,
        "player": row.player.name,
        "cleared": row.cleared,
        "elapsed_ms": row.elapsed_ms,
        "won": run.won,
        "run": run.pk,
        "under_review": row.under_review,
    }


def render_caller_standing(position: Position, place: Place) -> CallerStandingAnswer:
    cleared, elapsed_ms = result(position.score)
    return {**render_standing(place), "cleared": cleared, "elapsed_ms": elapsed_ms}
