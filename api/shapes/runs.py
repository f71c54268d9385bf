"""Runs and what they are worth."""

from datetime import date, datetime
from typing import Annotated, TypedDict
from uuid import UUID

from daily.models import Run
from leaderboard.runs import SeenRun
from leaderboard.scoring import Place


class StandingAnswer(TypedDict):
    """What a result is worth."""

    rank: Annotated[int, "Equal results share a rank: 1, 1, 3."]
    field_size: int
    percentile: Annotated[float, "The share of the other players strictly beaten; 100 when alone."]


def render_standing(place: Place) -> StandingAnswer:
    return {"rank": place.rank, "field_size": place.field_size, "percentile": place.percentile}


class RunAnswer(TypedDict):
    """A judged attempt."""

    id: UUID
    challenge: date
    rules: str
    cleared: Annotated[int, "Pyramid cards gone, 0 to 28."]
    won: bool
    stuck: bool
    moves: Annotated[int, "Removals, draws and redeals."]
    points: int
    elapsed_ms: Annotated[int, "By the server's clock, from the start to the arrival of the log."]
    best_clear: Annotated[
        int | None,
        "The most that any play clears, if proven; told to who has played, and to all once the day settles.",
    ]
    submitted_at: datetime
    is_from_checkpoint: Annotated[bool, "Nothing was submitted: it is the last checkpoint, at the deadline."]
    unranked_reason: Annotated[
        str | None, "`no_account`, `not_verified`, `looked` or `day_voided`, where the run is not ranked."
    ]
    standing: Annotated[
        StandingAnswer | None,
        "Of an unranked run where it would stand; null where the day or the run is void.",
    ]


class RunDetailAnswer(RunAnswer):
    """A run as somebody looks at it."""

    player: str
    is_bot: bool
    log: Annotated[list[str] | None, "The moves; of other players' runs once the day is settled."]
    under_review: Annotated[bool, "An admin has yet to look into what was noticed about a top run."]
    voided_at: Annotated[datetime | None, "When the run was taken off the boards."]
    void_reason: Annotated[str | None, "Why; told to its player only."]


def render_run(run: Run, place: Place | None, *, tells_best: bool) -> RunAnswer:
    return {
        "id": run.pk,
        "challenge": run.challenge.date,
        "rules": run.challenge.rules,
        "cleared": run.cleared,
        "won": run.won,
        "stuck": run.stuck,
        "moves": run.moves,
        "points": run.points,
        "elapsed_ms": run.elapsed_ms,
        "best_clear": run.challenge.best_clear if tells_best else None,
        "submitted_at": run.submitted_at,
        "is_from_checkpoint": run.is_from_checkpoint,
        "unranked_reason": run.unranked_reason or None,
        "standing": render_standing(place) if place else None,
    }


def render_run_detail(seen: SeenRun) -> RunDetailAnswer:
    run = seen.run
    return {
        **render_run(run, seen.place, tells_best=seen.is_revealed),
        "player": run.player.name,
        "is_bot": run.player.is_bot,
        "log": run.log if seen.is_revealed else None,
        "under_review": seen.is_under_review,
        "voided_at": run.voided_at,
        "void_reason": seen.void_reason or None,
    }
