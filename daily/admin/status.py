"""Where a day stands in its life, as the admin pages say it."""

from datetime import datetime
from typing import Any, override

from django.contrib import admin
from django.db.models import Q, QuerySet, TextChoices
from django.http import HttpRequest

from daily import clock
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


def in_status(status: str, now: datetime) -> Q:
    """The challenges that stand there at ``now``."""
    today, counting = now.date(), Q(voided_at=None)
    return {
        Status.COMING: counting & Q(settled_at=None, date__gt=today),
        Status.OPEN: counting & Q(settled_at=None, date=today),
        Status.CLOSING: counting & Q(settled_at=None, date__lt=today),
        Status.SETTLED: counting & Q(settled_at__isnull=False),
        Status.VOID: ~counting,
    }[Status(status)]


class StatusFilter(admin.SimpleListFilter):
    """Challenges by where they stand."""

    title = "status"
    parameter_name = "status"

    @override
    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(Status.choices)

    @override
    def queryset(self, request: HttpRequest, queryset: QuerySet[Challenge]) -> QuerySet[Challenge]:
        if self.value() not in Status.values:
            return queryset
        return queryset.filter(in_status(str(self.value()), clock.now()))
