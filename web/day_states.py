"""When a day is final."""

from datetime import datetime, timedelta

from django.conf import settings

from daily.models import Challenge


def settles_at(challenge: Challenge) -> datetime:
    """When the last attempt that may still start has ended for good, to the minute above."""
    ends_at = challenge.closes_at + settings.ATTEMPT_TIME_LIMIT + settings.DEADLINE_GRACE
    return ends_at.replace(second=0, microsecond=0) + timedelta(minutes=1 if ends_at.second else 0)
