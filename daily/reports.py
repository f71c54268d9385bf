"""How the tasks go: what a worker leaves in the database for whoever watches the service."""

import time
from collections.abc import Callable
from functools import wraps

from django.db import DatabaseError
from django.db.models import F

from daily import clock
from daily.models import TaskReport


def reported(work: Callable[[], int]) -> Callable[[], None]:
    """A task whose ends are stored under its name; ``work`` returns how much there was to do.

    What is killed stores nothing: its last success gets old.
    """

    @wraps(work)
    def task() -> None:
        begun_s = time.monotonic()
        try:
            amount = work()
        except Exception:
            _store_failure(work.__name__, time.monotonic() - begun_s)
            raise
        _store_success(work.__name__, time.monotonic() - begun_s, amount)

    return task


def _store_success(name: str, duration_s: float, amount: int) -> None:
    TaskReport.objects.get_or_create(name=name)
    TaskReport.objects.filter(name=name).update(
        succeeded_at=clock.now(),
        successes=F("successes") + 1,
        work=F("work") + amount,
        duration_s=duration_s,
    )


def _store_failure(name: str, duration_s: float) -> None:
    try:
        TaskReport.objects.get_or_create(name=name)
        TaskReport.objects.filter(name=name).update(
            failed_at=clock.now(), failures=F("failures") + 1, duration_s=duration_s
        )
    except DatabaseError:
        return  # mostly why the task failed, which is what shall be told
