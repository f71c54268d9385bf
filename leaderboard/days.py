"""The days as they stand: challenges with how many started, how many finished and what they cleared."""

from datetime import date, datetime
from typing import Any, TypedDict, cast

from django.db.models import CharField, Count, OuterRef, QuerySet, StringAgg, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat
from django_stubs_ext import WithAnnotations

from daily.models import MAX_CLEARED, Attempt, Challenge, Run
from daily.scheduling import challenge_on
from leaderboard.models import Settlement, Tally
from leaderboard.settling import ensure_settled


class Figures(TypedDict):
    """How a day stands."""

    attempt_count: int
    run_count: int
    tally_text: str | None


type Day = WithAnnotations[Challenge, Figures]


def days() -> QuerySet[Day]:
    """Every challenge with its figures, in one query.

    Cost: the figures of a settled day are stored; of another its attempts and runs are counted by index.
    """
    figures = {
        "attempt_count": _number("attempts", Attempt.objects.order_by()),
        "run_count": _number("runs", Run.objects.order_by()),
        "tally_text": Subquery(_tally_text()),
    }
    return cast("QuerySet[Day]", Challenge.objects.annotate(**figures))


def read_day(day: date, now: datetime) -> Day:
    """A day with its figures, made if it is missing and settled if it is due. Raises Challenge.DoesNotExist.

    One query where nothing is missing or due. ``now`` may be about right.
    """
    found = days().filter(date=day).first()
    if found is None or ensure_settled(found, now):
        ensure_settled(challenge_on(day, now), now)
        found = days().get(date=day)
    return found


def distribution_of(day: Day) -> list[int]:
    """How many of the day's ranked runs cleared 0, 1, … 28 cards."""
    runs = dict(pair.split(":") for pair in (day.tally_text or "").split())
    return [int(runs.get(str(cleared), 0)) for cleared in range(MAX_CLEARED + 1)]


def _number(field: str, rows: QuerySet[Any]) -> Coalesce:
    """The number that was stored with the day's settlement, or of the day's rows where there is none."""
    settled = Settlement.objects.filter(challenge=OuterRef("pk")).order_by("-revision").values(field)[:1]
    counted = rows.filter(challenge=OuterRef("pk")).values("challenge").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(settled), Subquery(counted), 0)


def _tally_text() -> QuerySet[Tally, str]:
    """The tallies of a day as text, ``20:3 21:1``."""
    rows = Tally.objects.filter(board=Cast(OuterRef("date"), CharField())).order_by().values("board")
    pair = Concat(Cast("cleared", CharField()), Value(":"), Cast("runs", CharField()))
    return rows.annotate(text=StringAgg(pair, Value(" "))).values_list("text", flat=True)
