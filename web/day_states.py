"""The states that a day goes through, as pages name them."""

from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings

from daily.models import Challenge


class DayState(StrEnum):
    """Where a day stands; the value is its class in the style sheet."""

    COMING = "coming"
    OPEN = "open"
    CLOSING = "closing"
    """Over, while the last attempts may still run."""
    SETTLED = "settled"
    VOID = "void"

    @property
    def words(self) -> str:
        """The state as people read it."""
        return {"settled": "final"}.get(self.value, self.value)


def state_of(day: Challenge, now: datetime) -> DayState:
    """Where the day stands."""
    if day.is_voided:
        return DayState.VOID
    if day.is_settled:
        return DayState.SETTLED
    if day.is_open(now):
        return DayState.OPEN
    return DayState.CLOSING if day.has_opened(now) else DayState.COMING


def settles_at(challenge: Challenge) -> datetime:
    """When the last attempt that may still start has ended for good, to the minute above."""
    ends_at = challenge.closes_at + settings.ATTEMPT_TIME_LIMIT + settings.DEADLINE_GRACE
    return ends_at.replace(second=0, microsecond=0) + timedelta(minutes=1 if ends_at.second else 0)
