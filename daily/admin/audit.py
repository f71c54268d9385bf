"""The audit trail, to read."""

import json

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString

from daily.admin.reading import ReadOnlyAdmin
from daily.models import AuditEntry


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin[AuditEntry]):
    """Who did what, newest first."""

    list_display = ("at", "action", "actor", "day", "player", "reason")
    list_filter = ("action", ("actor", admin.RelatedOnlyFieldListFilter), "day")
    list_select_related = ("actor", "player")
    search_fields = ("reason", "actor__name", "player__name", "day")
    date_hierarchy = "at"
    fields = readonly_fields = ("at", "action", "actor", "day", "player", "run", "reason", "change")

    @admin.display(description="detail")
    def change(self, entry: AuditEntry) -> SafeString:
        """What was before and what is after."""
        return format_html("<pre>{}</pre>", json.dumps(entry.detail, indent=2, ensure_ascii=False))
