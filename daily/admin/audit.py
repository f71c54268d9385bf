"""The audit trail, to read."""

import json
from typing import Any, override

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from daily.admin.reading import ReadOnlyAdmin
from daily.models import AuditEntry

ACTIONS = {
    "make_day": "made the day",
    "replace_deal": "gave the day another deal",
    "choose_rules": "gave the day other rules",
    "look_at_deal": "looked at the deal",
    "change_policy": "changed a weekday's policy",
    "void_day": "voided the day",
    "void_run": "voided the run",
    "reinstate_run": "reinstated the run",
    "dismiss_signals": "found nothing wrong with the run",
}


def words_for(action: str) -> str:
    """What somebody did, in words."""
    return ACTIONS.get(action, action.replace("_", " "))


class ActionFilter(admin.SimpleListFilter):
    """Entries by what was done."""

    title = "what"
    parameter_name = "action"

    @override
    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(ACTIONS.items())

    @override
    def queryset(self, request: HttpRequest, queryset: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        return queryset.filter(action=self.value()) if self.value() else queryset


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """Who did what, newest first."""

    class Media:
        """Each entry on one line, but for its reason."""

        css = {"all": ("daily/lists.css",)}

    list_display = ("moment", "what", "actor", "date_of_day", "player", "reason")
    list_filter = (ActionFilter, ("actor", admin.RelatedOnlyFieldListFilter), "day")
    list_select_related = ("actor", "player")
    search_fields = ("reason", "actor__name", "player__name", "day")
    date_hierarchy = "at"
    fields = readonly_fields = ("at", "what", "actor", "day", "player", "run", "reason", "change")

    @admin.display(description="at", ordering="at")
    def moment(self, entry: AuditEntry) -> str:
        """When, in UTC."""
        return f"{entry.at:%Y-%m-%d %H:%M}"

    @admin.display(description="what", ordering="action")
    def what(self, entry: AuditEntry) -> str:
        """The action in words."""
        return words_for(entry.action)

    @admin.display(description="day", ordering="day")
    def date_of_day(self, entry: AuditEntry) -> str | None:
        """The date that it is about."""
        return entry.day.isoformat() if entry.day else None

    @admin.display(description="detail")
    def change(self, entry: AuditEntry) -> SafeString:
        """What was before and what is after."""
        return format_html("<pre>{}</pre>", json.dumps(entry.detail, indent=2, ensure_ascii=False))
