"""What happened is read in the admin site and never edited there."""

from typing import Any, override

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest


class ReadOnlyAdmin[M: Model](admin.ModelAdmin[M]):
    """Pages of rows that nobody adds, changes or deletes by hand."""

    hidden_columns: tuple[str, ...] = ()
    """What the list may not be filtered by in its address, or it could be guessed letter by letter."""

    @override
    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        is_hidden = lookup.partition("__")[0] in self.hidden_columns
        return not is_hidden and super().lookup_allowed(lookup, value, request)

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @override
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
