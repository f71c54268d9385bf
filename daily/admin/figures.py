"""What the pages show of a challenge besides its own columns."""

from datetime import datetime
from typing import Any, TypedDict

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject
from django_stubs_ext import WithAnnotations

from daily import clock
from daily.models import Attempt, Challenge, Run


class Figures(TypedDict):
    """Read in one query with the challenge."""

    asked_at: datetime
    players: int
    best: dict[str, Any] | None


type Day = WithAnnotations[Challenge, Figures]
"""A challenge from `days`."""


def days() -> QuerySet[Any]:
    """The challenges without their deals, each a `Day`."""
    attempts = Attempt.objects.filter(challenge=OuterRef("pk")).order_by().values("challenge")
    best = Run.objects.counting().filter(challenge=OuterRef("pk")).order_by("-cleared", "elapsed_ms")
    figures = JSONObject(id="pk", cleared="cleared", elapsed_ms="elapsed_ms")
    return Challenge.objects.without_deals().annotate(
        asked_at=clock.Now(),
        players=Coalesce(Subquery(attempts.values(n=Count("pk"))), 0),
        best=Subquery(best.values(figures=figures)[:1]),
    )


def result(run: dict[str, Any]) -> str:
    """Cards and time of a run, such as ``26 in 3:07``."""
    minutes, seconds = divmod(run["elapsed_ms"] // 1000, 60)
    return f"{run['cleared']} in {minutes}:{seconds:02}"
