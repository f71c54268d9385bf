"""The days by where they stand, in the admin's lists."""

from datetime import datetime
from typing import Any, override

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from daily import clock
from daily.models import Challenge
from daily.status import Status


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
