"""The ranking in the admin site: what is to be looked into, corrections with their reasons, how days settled.

Standings and tallies have no pages: they follow from the runs, and are put right by correcting those.
"""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, NamedTuple, override
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from daily import clock
from daily.admin.audit import words_for
from daily.admin.reading import ReadOnlyAdmin
from daily.admin.staff import member
from daily.deals import knows_deal, look_at
from daily.models import AuditEntry, Challenge, Run
from daily.pictures import draw_cards, steps
from leaderboard.boards import day_board
from leaderboard.corrections import (
    LONGEST_REASON,
    BadReason,
    NothingToCorrect,
    clean_reason,
    dismiss_signals,
    reinstate_run,
    void_day,
    void_run,
)
from leaderboard.models import Settlement, Signal
from leaderboard.standings import place_of


class ReasonForm(forms.Form):
    """Why something is decided, in a line for the player and the audit trail."""

    reason = forms.CharField(max_length=LONGEST_REASON, widget=forms.TextInput({"size": 80}))

    def clean_reason(self) -> str:
        """The reason as it is kept."""
        try:
            return clean_reason(self.cleaned_data["reason"])
        except BadReason as refusal:
            raise ValidationError(str(refusal.detail), code=refusal.default_code) from None


class VoidDayForm(ReasonForm):
    """Why a day counts for nobody, from somebody who knows that this is for good."""

    is_sure = forms.BooleanField(label="I know that this cannot be taken back")


class Decision(NamedTuple):
    """What can be decided about a run, by whom, and how that is put."""

    permission: str
    carry_out: Callable[..., object]
    label: str
    done: str


DECISIONS = {
    "dismiss": Decision("leaderboard.change_signal", dismiss_signals, "Nothing is wrong", "Dismissed."),
    "void": Decision("daily.change_run", void_run, "Void the run", "The run is void."),
    "reinstate": Decision("daily.change_run", reinstate_run, "Reinstate the run", "The run counts again."),
}


class OpenFilter(admin.SimpleListFilter):
    """Signals that wait for a decision, unless the others are asked for."""

    title = "decision"
    parameter_name = "decided"

    @override
    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "decided")]

    @override
    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        first, *others = super().choices(changelist)
        yield {**first, "display": "to be decided"}
        yield from others

    @override
    def queryset(self, request: HttpRequest, queryset: QuerySet[Signal]) -> QuerySet[Signal]:
        return queryset.filter(decided_at__isnull=self.value() != "yes")


@admin.register(Signal)
class SignalAdmin(ReadOnlyAdmin[Signal]):
    """The review queue, and the page on which a run is looked into and corrected."""

    class Media:
        """Dates on one line."""

        css = {"all": ("leaderboard/admin.css",)}

    list_display = ("noticed", "day", "player", "what", "rank", "cleared", "elapsed_s")
    list_display_links = None
    list_filter = (OpenFilter, "kind")
    list_select_related = ("run__player",)
    list_per_page = 25
    search_fields = ("run__player__name",)
    ordering = ("-noticed_at", "-pk")
    show_full_result_count = False

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[Signal]:
        return super().get_queryset(request).defer("run__log_text")

    @admin.display(description="day", ordering="run__challenge_id")
    def day(self, signal: Signal) -> str:
        """The date of the challenge."""
        return signal.run.challenge_id.isoformat()

    @admin.display(description="noticed", ordering="noticed_at")
    def noticed(self, signal: Signal) -> str:
        """When, in UTC."""
        return f"{signal.noticed_at:%Y-%m-%d %H:%M}"

    @admin.display(description="what", ordering="kind")
    def what(self, signal: Signal) -> str:
        """The kind in two words."""
        return signal.kind.replace("_", " ")

    @admin.display(description="player")
    def player(self, signal: Signal) -> SafeString:
        """Whose run it is, leading to its page."""
        return format_html('<a href="{}">{}</a>', review_address(signal.run_id), signal.run.player.name)

    @admin.display(description="rank", empty_value="not ranked")
    def rank(self, signal: Signal) -> int | None:
        """Where the run stands now."""
        return rank_of(signal.run)

    @admin.display(description="cleared", ordering="run__cleared")
    def cleared(self, signal: Signal) -> int:
        """Pyramid cards cleared."""
        return signal.run.cleared

    @admin.display(description="seconds", ordering="run__elapsed_ms")
    def elapsed_s(self, signal: Signal) -> str:
        """The time it took."""
        return f"{signal.run.elapsed_ms / 1000:.1f}"

    @override
    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("runs/<uuid:run_id>/", wrap(self.review_view), name="leaderboard_review"),
            *super().get_urls(),
        ]

    @override
    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"title": "What to look into", **(extra_context or {})})

    def review_view(self, request: HttpRequest, run_id: UUID) -> HttpResponse:
        """A run, what was noticed and decided about it, its log move by move, and what can be done."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        run = get_object_or_404(Run.objects.select_related("challenge", "player"), pk=run_id)
        form = ReasonForm(request.POST if "decision" in request.POST else None)
        if "look" in request.POST:
            look_at(challenge=run.challenge, player=member(request), now=clock.now())
            return HttpResponseRedirect(review_address(run.pk))
        if form.is_valid():
            return self._decide(request, run, form.cleaned_data["reason"])
        title = f"The run of {run.player.name}"
        return render(self, request, "review", title, **review(request, run), form=form)

    def _decide(self, request: HttpRequest, run: Run, reason: str) -> HttpResponse:
        decision = DECISIONS.get(request.POST["decision"])
        if decision is None or not member(request).has_perm(decision.permission):
            raise PermissionDenied
        try:
            decision.carry_out(run_id=run.pk, reason=reason, by=member(request))
        except NothingToCorrect as refusal:
            self.message_user(request, str(refusal.detail), messages.WARNING)
        else:
            self.message_user(request, decision.done, messages.SUCCESS)
        return HttpResponseRedirect(review_address(run.pk))


def review(request: HttpRequest, run: Run) -> dict[str, Any]:
    """What the page of a run shows."""
    signals = list(run.signals.select_related("other__player").order_by("noticed_at"))
    may_look = knows_deal(challenge=run.challenge, player=member(request))
    return {
        "run": run,
        "rank": rank_of(run),
        "seconds": f"{run.elapsed_ms / 1000:.3f}",
        "signals": signals,
        "decisions": decisions_on(request, run, is_open=any(not signal.decided_at for signal in signals)),
        "trail": [
            (entry, words_for(entry.action))
            for entry in AuditEntry.objects.filter(run=run).select_related("actor")
        ],
        "cards": draw_cards() if may_look else None,
        "steps": list(steps(run.challenge.deal, run.challenge.ruleset, run.log)) if may_look else None,
    }


def decisions_on(request: HttpRequest, run: Run, *, is_open: bool) -> dict[str, Decision]:
    """What this member of staff may decide about the run as it stands."""
    possible = {"dismiss": is_open, "void": not run.voided_at, "reinstate": bool(run.voided_at)}
    return {
        name: decision
        for name, decision in DECISIONS.items()
        if possible[name] and member(request).has_perm(decision.permission)
    }


def rank_of(run: Run) -> int | None:
    """Where the run stands on its day's board, if it does."""
    found = place_of(day_board(run.challenge_id), run.player_id) if run.counts else None
    return found[1].rank if found else None


def review_address(run_id: UUID) -> str:
    """The page of a run."""
    return reverse("admin:leaderboard_review", args=[run_id])


@admin.register(Settlement)
class SettlementAdmin(ReadOnlyAdmin[Settlement]):
    """How days settled, revision by revision; and the page on which a day is voided."""

    class Media:
        """Each revision on one line, but for its reason."""

        css = {"all": ("daily/lists.css",)}

    list_display = ("day", "revision", "field_size", "settled", "short_digest", "reason")
    list_display_links = None
    list_filter = (("reason", admin.EmptyFieldListFilter),)
    search_fields = ("challenge__date", "digest")
    ordering = ("-challenge_id", "-revision")
    show_full_result_count = False

    @admin.display(description="day", ordering="challenge_id")
    def day(self, settlement: Settlement) -> str:
        """The date of the challenge."""
        return settlement.challenge_id.isoformat()

    @admin.display(description="settled", ordering="settled_at")
    def settled(self, settlement: Settlement) -> str:
        """When, in UTC."""
        return f"{settlement.settled_at:%Y-%m-%d %H:%M}"

    @admin.display(description="digest")
    def short_digest(self, settlement: Settlement) -> SafeString:
        """Its beginning; the whole is on the day's page and under the pointer."""
        return format_html(
            '<span title="{}">{}\N{HORIZONTAL ELLIPSIS}</span>', settlement.digest, settlement.digest[:12]
        )

    @override
    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("days/<str:day>/void/", wrap(self.void_view), name="leaderboard_void_day"),
            *super().get_urls(),
        ]

    def void_view(self, request: HttpRequest, day: str) -> HttpResponse:
        """Void a day, after being told what that does."""
        if not member(request).has_perm("daily.change_challenge"):
            raise PermissionDenied
        challenge = get_object_or_404(Challenge.objects.without_deals(), date=read_day(day))
        form = VoidDayForm(request.POST or None)
        if form.is_valid():
            return self._void(request, challenge, form.cleaned_data["reason"])
        context = {"challenge": challenge, "runs": challenge.runs.counting().count(), "form": form}
        return render(self, request, "void_day", f"Void {challenge}", **context)

    def _void(self, request: HttpRequest, challenge: Challenge, reason: str) -> HttpResponse:
        try:
            void_day(challenge=challenge, reason=reason, by=member(request))
        except NothingToCorrect as refusal:
            self.message_user(request, str(refusal.detail), messages.WARNING)
        else:
            self.message_user(request, f"{challenge} counts for nobody.", messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:daily_challenge_change", args=[challenge.pk]))


def read_day(text: str) -> date | None:
    """The day in an address, or None."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def render(
    page_of: admin.ModelAdmin[Any], request: HttpRequest, name: str, title: str, **context: Any
) -> HttpResponse:
    """An admin page of ours."""
    frame = {**page_of.admin_site.each_context(request), "title": title, "opts": page_of.opts}
    return TemplateResponse(request, f"admin/leaderboard/{name}.html", frame | context)
