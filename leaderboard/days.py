"""The days as they stand: challenges with how many started, how many finished and what they cleared."""

from datetime import date, datetime
from typing import NamedTuple, TypedDict, cast

from django.db.models import Func, IntegerField, Max, Min, Q, QuerySet, Subquery, Value
from django_stubs_ext import WithAnnotations

from daily.models import Challenge
from daily.scheduling import challenge_on
from leaderboard.queries import Tallies, TallyText
from leaderboard.settling import ensure_settled
from players.authentication import token_holder
from players.prepared import Given, Prepared


class Figures(TypedDict):
    """How a day stands."""

    attempt_count: int
    run_count: int
    tally_text: str | None
    """As `leaderboard.queries.Tallies` takes it."""
    asked_by: int | None
    """Whose token is the one given to `read_day`; nobody's elsewhere."""


type Day = WithAnnotations[Challenge, Figures]

# Written out, because it takes the ORM longer to make these of its parts than the database to answer them.
TURNOUT = "COALESCE((SELECT SUM(%(column)s) FROM daily_turnout WHERE challenge_id = daily_challenge.date), 0)"
ATTEMPTS = Func(template=TURNOUT, column="attempts", output_field=IntegerField())
RUNS = Func(template=TURNOUT, column="runs", output_field=IntegerField())
NOBODY = Value(None, output_field=IntegerField())


def with_figures(challenges: QuerySet[Challenge], asked_by: Subquery | Value = NOBODY) -> QuerySet[Day]:
    """The challenges with their figures, in one query, whose cost does not grow with how many play."""
    figures = {
        "attempt_count": ATTEMPTS,
        "run_count": RUNS,
        "tally_text": TallyText(),
        "asked_by": asked_by,
    }
    return cast("QuerySet[Day]", challenges.annotate(**figures))


DAYS = Prepared(lambda: with_figures(Challenge.objects.filter(date=Given("date", Challenge)), token_holder()))


def read_day(day: date, now: datetime, digest: str = "") -> Day:
    """A day with its figures, made if it is missing and settled if it is due. Raises Challenge.DoesNotExist.

    One query where nothing is missing or due. ``now`` may be about right; ``digest`` is that of a token.
    """
    found = next(iter(DAYS.all(date=day, digest=digest)), None)
    if found is None or ensure_settled(found, now):
        ensure_settled(challenge_on(day, now), now)
        found = DAYS.get(date=day, digest=digest)
    return found


def tallies_of(day: Day) -> Tallies:
    """The tallies of the day's board."""
    return Tallies(day.tally_text or "")


class Neighbours(NamedTuple):
    """The days that have a challenge next to one; None at either end."""

    previous: date | None
    next: date | None


def neighbours_of(day: date) -> Neighbours:
    """The challenges before and after a day, past whatever dates never had one. One query."""
    before, after = Max("date", filter=Q(date__lt=day)), Min("date", filter=Q(date__gt=day))
    return Neighbours(**Challenge.objects.aggregate(previous=before, next=after))
