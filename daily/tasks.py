"""What the beat asks of the day."""

from celery import shared_task

from daily import clock, scheduling
from daily.reports import reported


@shared_task
@reported
def schedule_ahead() -> int:
    """Make the missing days; see `daily.scheduling.schedule_ahead`."""
    return scheduling.schedule_ahead(clock.now())
