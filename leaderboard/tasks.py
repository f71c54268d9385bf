"""What the beat asks of the leaderboards. Tasks look at what is missing, so they take no arguments."""

from datetime import datetime, timedelta

from celery import shared_task

from daily import clock
from daily.models import AuditEntry
from daily.reports import reported
from leaderboard import settling
from leaderboard.boards import boards_of
from leaderboard.services import repair

REPAIRED_FOR = timedelta(days=1)
"""How long the index of a corrected day is looked after; later it is read from SQL."""


@shared_task
@reported
def finish_overdue() -> int:
    """Make runs of kept attempts whose deadline has passed; see `leaderboard.settling.finish_overdue`."""
    return settling.finish_overdue(clock.now())


@shared_task
@reported
def settle_due() -> int:
    """Settle the days that have ended; see `leaderboard.settling.settle_due`."""
    return len(settling.settle_due(clock.now()))


@shared_task
@reported
def repair_index() -> int:
    """Bring the index of what changes or was corrected up to date; see `leaderboard.services.repair`."""
    return sum(repair(board) for board in boards_to_repair(clock.now()))


def boards_to_repair(now: datetime) -> list[str]:
    """The boards of today, of yesterday and of the days that were corrected lately."""
    today = now.date()
    corrected = AuditEntry.objects.filter(at__gte=now - REPAIRED_FOR, day__lte=today)
    days = {today, today - timedelta(days=1), *filter(None, corrected.values_list("day", flat=True))}
    return sorted({board for day in days for board in boards_of(day)})
