"""What the beat asks of the day."""

from celery import shared_task

from daily import clock, scheduling


@shared_task
def schedule_ahead() -> None:
    """Make the missing days; see `daily.scheduling.schedule_ahead`."""
    scheduling.schedule_ahead(clock.now())
