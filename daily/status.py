"""Where a day stands in its life, as pages say it."""

from datetime import datetime

from django.db.models import TextChoices

from daily.models import Challenge


class Status(TextChoices):
    """From being made to being settled; a voided day is nothing else."""

    COMING = "coming", "coming"
    OPEN = "open", "open"
    CLOSING = "closing", "closing"
    """Over, with attempts that may still be under way."""
    SETTLED = "settled", "settled"
    VOID = "void", "void"


def status_of(challenge: Challenge, now: datetime) -> Status:
    """Where the day stands at ``now``."""
    if challenge.is_voided:
        return Status.VOID
    if challenge.is_settled:
        return Status.SETTLED
    if challenge.is_open(now):
        return Status.OPEN
    return Status.CLOSING if challenge.has_opened(now) else Status.COMING
