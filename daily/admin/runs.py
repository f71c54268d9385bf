"""Attempts and runs. Their moves are in no list, and until the day is settled only for who knows its deal."""

from datetime import timedelta
from typing import Any, override
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from daily import clock
from daily.admin.reading import ReadOnlyAdmin
from daily.admin.staff import member
from daily.deals import knows_deal, look_at
from daily.models import Attempt, Run
from daily.pictures import draw_cards, steps


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin[Attempt]):
    """Who started when."""

    class Media:
        """Each attempt on one line."""

        css = {"all": ("daily/lists.css",)}

    list_display = ("day", "player", "started", "deadline", "checkpoint", "has_run")
    list_filter = (("run", admin.EmptyFieldListFilter), ("checkpoint_at", admin.EmptyFieldListFilter))
    list_select_related = ("player", "run")
    search_fields = ("player__name",)
    date_hierarchy = "started_at"
    show_full_result_count = False
    hidden_columns = ("checkpoint_text",)
    fields = ("day", "player", "started_at", "deadline_at", "checkpoint_at", "run_link")
    readonly_fields = (*fields, "checkpoint_text")

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        return super().get_queryset(request).defer("checkpoint_text", "run__log_text")

    @override
    def get_fields(self, request: HttpRequest, obj: Attempt | None = None) -> Any:
        is_known = obj and knows_deal(challenge=obj.challenge, player=member(request))
        return (*self.fields, "checkpoint_text") if is_known else self.fields

    @admin.display(description="day", ordering="challenge_id")
    def day(self, attempt: Attempt) -> str:
        """The date of the challenge."""
        return attempt.challenge_id.isoformat()

    @admin.display(description="started", ordering="started_at")
    def started(self, attempt: Attempt) -> str:
        """When, in UTC, without the year."""
        return f"{attempt.started_at:%m-%d %H:%M}"

    @admin.display(description="deadline", ordering="deadline_at")
    def deadline(self, attempt: Attempt) -> str:
        """When, in UTC, without the year."""
        return f"{attempt.deadline_at:%m-%d %H:%M}"

    @admin.display(description="checkpoint", ordering="checkpoint_at", empty_value="none")
    def checkpoint(self, attempt: Attempt) -> str | None:
        """When the moves were last kept, in UTC, without the year."""
        return f"{attempt.checkpoint_at:%m-%d %H:%M}" if attempt.checkpoint_at else None

    @admin.display(description="run", boolean=True)
    def has_run(self, attempt: Attempt) -> bool:
        """Whether something came of it."""
        return hasattr(attempt, "run")

    @admin.display(description="run")
    def run_link(self, attempt: Attempt) -> SafeString | str:
        """The run that came of it."""
        if not hasattr(attempt, "run"):
            return "none"
        address = reverse("admin:daily_run_change", args=[attempt.pk])
        return format_html('<a href="{}">{}</a>', address, attempt.pk)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin[Run]):
    """What the players made of the days."""

    class Media:
        """Each run on one line."""

        css = {"all": ("daily/lists.css",)}

    list_display = ("day", "player", "cleared", "elapsed", "moves", "submitted", "standing")
    list_display_links = ("day", "player")
    list_filter = ("won", "unranked_reason", ("voided_at", admin.EmptyFieldListFilter), "is_from_checkpoint")
    list_select_related = ("player",)
    search_fields = ("player__name",)
    date_hierarchy = "submitted_at"
    show_full_result_count = False
    ordering = ("-challenge_id", "-submitted_at")
    hidden_columns = ("log_text", "line_hash")
    fields = (
        "day", "player", "standing", "void_reason", "cleared", "elapsed", "moves", "points", "won", "stuck",
        "rank_then", "submitted_at", "is_from_checkpoint",
    )  # fmt: skip
    readonly_fields = (*fields, "log_text")

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        return super().get_queryset(request).defer("log_text")

    @override
    def get_fields(self, request: HttpRequest, obj: Run | None = None) -> Any:
        is_known = obj and knows_deal(challenge=obj.challenge, player=member(request))
        return (*self.fields, "log_text") if is_known else self.fields

    @admin.display(description="day", ordering="challenge_id")
    def day(self, run: Run) -> str:
        """The date of the challenge."""
        return run.challenge_id.isoformat()

    @admin.display(description="time", ordering="elapsed_ms")
    def elapsed(self, run: Run) -> str:
        """The time it took, to the millisecond."""
        seconds, milliseconds = divmod(run.elapsed_ms, 1000)
        return f"{timedelta(seconds=seconds)}.{milliseconds:03}"

    @admin.display(description="submitted", ordering="submitted_at")
    def submitted(self, run: Run) -> str:
        """When, in UTC, without the year."""
        return f"{run.submitted_at:%m-%d %H:%M}"

    @admin.display(description="standing")
    def standing(self, run: Run) -> str:
        """Whether it counts, and why not."""
        if run.voided_at:
            return "void"
        return run.get_unranked_reason_display() or "counts"

    @admin.display(description="rank on arrival")
    def rank_then(self, run: Run) -> str:
        """The rank as the board stood when the run arrived."""
        return f"{run.rank} of {run.field_size}"

    @override
    def get_urls(self) -> list[URLPattern]:
        look = self.admin_site.admin_view(require_POST(self.look_view))
        return [path("<uuid:run_id>/look/", look, name="daily_run_look"), *super().get_urls()]

    def look_view(self, request: HttpRequest, run_id: UUID) -> HttpResponse:
        """Put on record that a member of staff sees a log of a day that is not settled."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        run = get_object_or_404(Run.objects.select_related("challenge"), pk=run_id)
        look_at(challenge=run.challenge, player=member(request), now=clock.now())
        return HttpResponseRedirect(reverse("admin:daily_run_change", args=[run_id]))

    @override
    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The run, and its log move by move for who may know it."""
        run = self.get_object(request, object_id)
        context: dict[str, Any] = {"title": f"The run of {run.player}" if run else None, "subtitle": None}
        if run and self.has_view_permission(request, run):
            context |= self._log_context(request, run)
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def _log_context(self, request: HttpRequest, run: Run) -> dict[str, Any]:
        if not knows_deal(challenge=run.challenge, player=member(request)):
            return {"look": reverse("admin:daily_run_look", args=[run.pk])}
        replayed = list(steps(run.challenge.deal, run.challenge.ruleset, run.log))
        return {"cards": draw_cards(), "steps": replayed}
