"""How the service stands, asked when a scraper asks: the day, the tasks, the index, the servers behind it."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import count, takewhile
from typing import Final

import structlog
from django.conf import settings
from django.db import Error, connection, transaction
from django.db.models import Sum
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from daily import clock
from daily.models import Challenge, TaskReport, Turnout
from leaderboard.boards import boards_of
from leaderboard.services import index_lag
from players.throttling import meter

PERIODS: Final = ("day", "week", "month", "all_time")
LIMIT_MS: Final = 2000
"""How long one question to the database may take."""

logger = structlog.get_logger(__name__)


class Gauges(Collector):
    """All that can be told now; what the database would have to tell is missing while it does not answer."""

    def collect(self) -> list[Metric]:
        """Ask the database and Redis, each for a bounded time. Never raises because they are away."""
        return _gauges()


def _gauges() -> list[Metric]:
    found = list(_redis())
    try:
        with transaction.atomic():
            _hurry()
            found += _told_by_database(clock.about_now())
    except Error as fault:
        logger.warning("metrics_incomplete", error=type(fault).__name__)
        return [*found, _database(up=False)]
    return [*found, _database(up=True)]


def _hurry() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {LIMIT_MS}")


def _told_by_database(now: datetime) -> list[Metric]:
    return [*_days(now), *_turnout(now.date()), *_tasks(), *_index(now.date())]


def _database(*, up: bool) -> Metric:
    return GaugeMetricFamily("pyramid_database_up", "Whether the database answers.", value=int(up))


def _redis() -> Iterator[Metric]:
    if settings.REDIS_URL:
        up = int(meter().is_store_up())
        yield GaugeMetricFamily("pyramid_redis_up", "Whether Redis answers.", value=up)


def _days(now: datetime) -> Iterator[Metric]:
    made = set(Challenge.objects.filter(date__gte=now.date()).values_list("date", flat=True))
    days = (now.date() + timedelta(days=ahead) for ahead in count())
    ahead = sum(1 for _ in takewhile(made.__contains__, days)) - 1
    yield GaugeMetricFamily(
        "pyramid_days_ahead",
        "Coming days that are made, up to the first gap; -1: not even today.",
        value=ahead,
    )
    due = Challenge.objects.due_for_settling(now).count()
    yield GaugeMetricFamily("pyramid_days_due", "Days that are over and not settled.", value=due)


def _turnout(today: date) -> Iterator[Metric]:
    sums = Turnout.objects.filter(challenge_id=today).aggregate(attempts=Sum("attempts"), runs=Sum("runs"))
    for name, number in sums.items():
        yield GaugeMetricFamily(f"pyramid_open_day_{name}", f"Today's {name} so far.", value=number or 0)


def _tasks() -> list[Metric]:
    succeeded = GaugeMetricFamily(
        "pyramid_task_last_success_timestamp_seconds", "When the task last succeeded.", labels=["task"]
    )
    duration = GaugeMetricFamily(
        "pyramid_task_duration_seconds", "How long the last one took.", labels=["task"]
    )
    successes = CounterMetricFamily("pyramid_task_successes", "Tasks that succeeded.", labels=["task"])
    failures = CounterMetricFamily("pyramid_task_failures", "Tasks that failed.", labels=["task"])
    work = CounterMetricFamily(
        "pyramid_task_work", "Days made, attempts finished, days settled, boards repaired.", labels=["task"]
    )
    for report in TaskReport.objects.all():
        label = [report.name]
        if report.succeeded_at:
            succeeded.add_metric(label, report.succeeded_at.timestamp())
        duration.add_metric(label, report.duration_s)
        successes.add_metric(label, report.successes)
        failures.add_metric(label, report.failures)
        work.add_metric(label, report.work)
    return [succeeded, duration, successes, failures, work]


def _index(today: date) -> Iterator[Metric]:
    """How far the index is behind."""
    lag = GaugeMetricFamily(
        "pyramid_index_lag", "Changes of today's boards that the index has not applied.", labels=["board"]
    )
    for period, board in zip(PERIODS, boards_of(today), strict=True):
        if (missing := index_lag(board)) is not None:
            lag.add_metric([period], missing)
    if lag.samples:
        yield lag
