"""Attempts. The open day's deck is in ``StartedAnswer`` and in no other shape before the day is settled."""

from datetime import date, datetime
from typing import Annotated, TypedDict
from uuid import UUID

from daily.models import Attempt


class CheckpointAnswer(TypedDict):
    """What is kept of an attempt, and how much time it has left."""

    checkpoint: Annotated[list[str], "The moves so far, as last kept."]
    checkpoint_at: Annotated[datetime | None, "When they were kept; null before the first time."]
    deadline_at: Annotated[datetime, "A submission that arrives by then counts, also past midnight."]
    server_time: datetime


class AttemptAnswer(CheckpointAnswer):
    """A player's one try at a day."""

    id: UUID
    challenge: date
    rules: str
    rules_version: int
    started_at: datetime


class StartedAnswer(AttemptAnswer):
    """An attempt with its deal: the one answer that holds the open day's deck."""

    deck: Annotated[str, "The 52 cards in dealing order: the pyramid row by row, then the stock."]


class AttemptDetailAnswer(AttemptAnswer):
    """An attempt and what came of it."""

    run: Annotated[UUID | None, "The run, once submitted, or made from the checkpoint after the deadline."]


def render_checkpoint(attempt: Attempt, server_time: datetime) -> CheckpointAnswer:
    return {
        "checkpoint": attempt.checkpoint,
        "checkpoint_at": attempt.checkpoint_at,
        "deadline_at": attempt.deadline_at,
        "server_time": server_time,
    }


def render_attempt(attempt: Attempt, server_time: datetime) -> AttemptAnswer:
    return {
        "id": attempt.pk,
        "challenge": attempt.challenge.date,
        "rules": attempt.challenge.rules,
        "rules_version": attempt.challenge.rules_version,
        "started_at": attempt.started_at,
        **render_checkpoint(attempt, server_time),
    }
