"""What the beat asks of the leaderboards. Tasks look at what is missing, so they take no arguments."""

from datetime import timedelta

from celery import shared_task

from daily import clock
from daily.models import AuditEntry
from leaderboard import settling
from leaderboard.boards import boards_of
from leaderboard.services import repair

REPAIRED_FOR = timedelta(days=1)
"""How long the index of a corrected day is looked after; later it is read from SQL."""


@shared_task
def finish_overdue() -> None:
    """Make runs of kept attempts whose deadline has passed; see `leaderboard.settling.finish_overdue`."""
    settling.finish_overdue(clock.now())


@shared_task
def settle_due() -> None:
    """Settle the days that have ended; see `leaderboard.settling.settle_due`."""
    settling.settle_due(clock.now())


@shared_task
def repair_index() -> None:
    """Bring the index of what changes or was corrected up to date; see `leaderboard.services.repair`."""
    now = clock.now()
    today = now.date()
    corrected = AuditEntry.objects.filter(at__gte=now - REPAIRED_FOR, day__lte=today)
    days = {today, today - timedelta(days=1), *filter(None, corrected.values_list("day", flat=True))}
    for board in sorted({board for day in days for board in boards_of(day)}):
        repair(board)
