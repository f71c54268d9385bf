"""Challenges: the list, the calendar, the page of a day and what can be done about one.

A deal that is not open yet is on no page but the one that answers somebody who asked to look at it, which is
recorded. Until the day is settled its page shows the deal only to those who looked or have a run of the day.
What would help a player (the best, a line to it, the difficulty) is free once the day is settled.
"""

from datetime import date, datetime
from typing import Any, override
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.helpers import AdminForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from daily import clock
from daily.admin.figures import Day, days, result
from daily.admin.forms import ChangeDealForm, NewDayForm
from daily.admin.months import month_of, span
from daily.admin.staff import member
from daily.admin.status import StatusFilter
from daily.deals import knows_deal, look_at
from daily.models import Challenge
from daily.pictures import draw_cards, draw_deal, steps
from daily.status import status_of
from games.pyramid import RULES

CALENDAR = "daily_challenge_calendar"
PAGE = "admin:daily_challenge_change"
OF_THE_DAY = ("status", "rules_title", "players", "best_run", "policy", "looked", "created_at", "commitment")
VOIDED = ("voided_at", "void_reason")
REVEALED = (
    "settled_at",
    "revision",
    "digest",
    "bundle",
    "best",
    "difficulty_told",
    "relaxed",
    "code",
    "deck",
    "salt",
)


@admin.register(Challenge)
class ChallengeAdmin(admin.ModelAdmin[Challenge]):
    """Days by date. Nothing is edited in place: each change is a verb with a form of its own."""

    list_display = ("day", "status", "rules_title", "players", "best_run", "difficulty_told", "policy")
    list_filter = (StatusFilter, "rules")
    list_per_page = 31
    search_fields = ("date",)
    date_hierarchy = "date"
    actions = None

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[Challenge]:
        return days()

    @override
    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Any other column could be guessed letter by letter through the address of the list."""
        return lookup.partition("__")[0] in ("date", "rules", "status")

    @override
    def get_fieldsets(self, request: HttpRequest, obj: Challenge | None = None) -> Any:
        voided = [("Voided", {"fields": VOIDED})] if obj and obj.is_voided else []
        told = [name for name in REVEALED if name != "relaxed" or (obj and obj.relaxed)]
        revealed = [("Revealed", {"fields": told})] if obj and obj.is_settled else []
        return [("The day", {"fields": OF_THE_DAY}), *voided, *revealed]

    @override
    def get_readonly_fields(self, request: HttpRequest, obj: Challenge | None = None) -> tuple[str, ...]:
        return OF_THE_DAY + VOIDED + REVEALED

    # Permissions: whoever may change challenges manages them, by the verbs only.

    def has_manage_permission(self, request: HttpRequest) -> bool:
        """Whether this member of staff may look at coming deals and change them."""
        return super().has_change_permission(request)

    @override
    def has_change_permission(self, request: HttpRequest, obj: Challenge | None = None) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: Challenge | None = None) -> bool:
        return False

    # Columns and fields

    @admin.display(description="day", ordering="date")
    def day(self, challenge: Challenge) -> str:
        """The date with its weekday."""
        return f"{challenge.date:%a} {challenge}"

    @admin.display(description="status")
    def status(self, challenge: Day) -> SafeString:
        """Where the day stands, as a badge."""
        status = status_of(challenge, challenge.asked_at)
        return format_html('<span class="day-status {}">{}</span>', status.value, status.label)

    @admin.display(description="rules", ordering="rules")
    def rules_title(self, challenge: Challenge) -> str:
        """The rule set's name."""
        return RULES[challenge.rules].title if challenge.rules in RULES else challenge.rules

    @admin.display(description="players", ordering="players")
    def players(self, challenge: Day) -> SafeString:
        """How many have started, linked to their attempts."""
        return of_the_day("attempt", challenge.date, str(challenge.players))

    @admin.display(description="best run")
    def best_run(self, challenge: Day) -> SafeString | str:
        """Cards and time of the best run that counts, linked to it."""
        if not challenge.best:
            return "–"
        address = reverse("admin:daily_run_change", args=[UUID(challenge.best["id"])])
        return format_html('<a href="{}">{}</a>', address, result(challenge.best))

    @admin.display(description="difficulty", empty_value="–")
    def difficulty_told(self, challenge: Challenge) -> str | None:
        """The difficulty, once it is no hint any more."""
        return f"{challenge.difficulty:.2f}" if challenge.is_settled and challenge.difficulty else None

    @admin.display(description="best possible")
    def best(self, challenge: Challenge) -> str:
        """The most that can be cleared."""
        return "not proven" if challenge.best_clear is None else f"{challenge.best_clear} of 28"

    @admin.display(description="policy")
    def policy(self, challenge: Challenge) -> str:
        """Whether the deal is what the policy asked for; in what it is not would be a hint."""
        return "relaxed" if challenge.relaxed else "met"

    @admin.display(description="looked at by")
    def looked(self, challenge: Challenge) -> str:
        """Who saw the deal early and is not ranked on this day."""
        names = challenge.looks.order_by("first_at").values_list("player__name", flat=True)
        return ", ".join(names) or "nobody"

    @admin.display(description="revision of the board")
    def revision(self, challenge: Challenge) -> int:
        """1 as settled, one more for each correction since."""
        return int(challenge.settlements.latest("revision").revision)

    @admin.display(description="digest of the board")
    def digest(self, challenge: Challenge) -> str:
        """The last revision's."""
        return str(challenge.settlements.latest("revision").digest)

    @admin.display(description="bundle")
    def bundle(self, challenge: Challenge) -> SafeString:
        """All of the day to download and verify."""
        return format_html('<a href="{0}">{0}</a>', f"/api/v1/challenges/{challenge}/bundle/")

    # Pages

    @override
    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("calendar/", wrap(self.calendar_view), name=CALENDAR),
            path("calendar/<int:year>/<int:month>/", wrap(self.calendar_view), name=CALENDAR),
            path("<str:day>/deal/", wrap(self.deal_view), name="daily_challenge_deal"),
            path("<str:day>/preview/", wrap(self.preview_view), name="daily_challenge_preview"),
            *super().get_urls(),
        ]

    def calendar_view(self, request: HttpRequest, year: int = 0, month: int = 0) -> HttpResponse:
        """A month of challenges; this month without a year."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        today = clock.now().date()
        if year and not (2000 <= year < 3000 and 1 <= month <= 12):
            raise Http404
        first = date(year, month, 1) if year else today.replace(day=1)
        month_shown = month_of(first, days().filter(date__range=span(first)), today)
        return self._page(request, "calendar", f"{first:%B %Y}", month=month_shown)

    @override
    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Make a missing day."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        initial = {"date": request.GET.get("date"), "source": "random"}
        return self._carry_out(request, NewDayForm(request.POST or None, initial=initial), "Make a day")

    def deal_view(self, request: HttpRequest, day: str) -> HttpResponse:
        """Give a coming day another deal or other rules."""
        challenge = self._challenge(request, day)
        if not self.has_manage_permission(request):
            raise PermissionDenied
        title = f"Change the deal of {challenge}"
        return self._carry_out(request, ChangeDealForm(challenge, request.POST or None), title, challenge)

    def _carry_out(
        self,
        request: HttpRequest,
        form: NewDayForm | ChangeDealForm,
        title: str,
        challenge: Challenge | None = None,
    ) -> HttpResponse:
        """Show the form; when it is sent and right, do what it says."""
        if form.is_valid():
            try:
                done = form.carry_out(member(request))
            except ValidationError as refusal:
                form.add_error(None, refusal)
            else:
                return self._done(request, done, is_new=challenge is None)
        fieldsets = [(None, {"fields": list(form.fields)})]
        shown = AdminForm(form, fieldsets, {})  # type: ignore[arg-type]
        return self._page(request, "deal", title, challenge, adminform=shown, form=form)

    def _done(self, request: HttpRequest, challenge: Challenge, *, is_new: bool) -> HttpResponse:
        if is_new:
            self.log_addition(request, challenge, "Made.")
        else:
            self.log_change(request, challenge, "Changed the deal or the rules.")
        self.message_user(request, f"{challenge} is {'made' if is_new else 'changed'}.", messages.SUCCESS)
        if challenge.relaxed:
            self.message_user(request, "The weekday's policy asks for another deal.", messages.WARNING)
        return HttpResponseRedirect(reverse(PAGE, args=[challenge.pk]))

    @override
    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The page of a day, with its deal for who knows it."""
        challenge = self.get_object(request, object_id)
        context = {"title": f"The challenge of {object_id}", "subtitle": None}
        if challenge:
            context |= self._deal_context(request, challenge)
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def _deal_context(self, request: HttpRequest, challenge: Challenge) -> dict[str, Any]:
        now = clock.now()
        is_known = challenge.has_opened(now) and knows_deal(challenge=challenge, player=member(request))
        return {
            "cards": draw_cards() if is_known else "",
            "picture": draw_deal(challenge.deal, challenge.ruleset) if is_known else "",
            "may_manage": self.has_manage_permission(request),
            "look": reverse("admin:daily_challenge_preview", args=[challenge.date]),
            "tools": self.tools(request, challenge, now),
        }

    def tools(self, request: HttpRequest, challenge: Challenge, now: datetime) -> list[tuple[str, str]]:
        """What can be done about this day: labels and addresses."""
        day = challenge.date
        tools = [("Calendar", reverse(f"admin:{CALENDAR}", args=[day.year, day.month]))]
        is_changeable = not (challenge.has_opened(now) or challenge.is_voided)
        if self.has_manage_permission(request) and is_changeable:
            tools.append(("Change the deal", reverse("admin:daily_challenge_deal", args=[day])))
        if challenge.is_settled:
            tools.append(("Best line", reverse("admin:daily_challenge_preview", args=[day])))
        if self.has_manage_permission(request) and not challenge.is_voided:
            tools.append(("Void the day", reverse("admin:leaderboard_void_day", args=[day])))
        return tools

    def preview_view(self, request: HttpRequest, day: str) -> HttpResponse:
        """The deal and all that is known about it: until the day is settled for those who ask, on record."""
        challenge = self._challenge(request, day)
        if not challenge.is_settled:
            if request.method != "POST":
                return HttpResponseRedirect(reverse(PAGE, args=[challenge.pk]))
            self._record_look(request, challenge)
        whole = Challenge.objects.get(pk=challenge.pk)
        return self._page(
            request,
            "preview",
            f"The deal of {whole}",
            whole,
            cards=draw_cards(),
            picture=draw_deal(whole.deal, whole.ruleset),
            steps=list(steps(whole.deal, whole.ruleset, whole.best_line)),
            rules=whole.ruleset,
            looked=self.looked(whole),
        )

    def _record_look(self, request: HttpRequest, challenge: Challenge) -> None:
        if not self.has_manage_permission(request):
            raise PermissionDenied
        look_at(challenge=challenge, player=member(request), now=clock.now())

    def _challenge(self, request: HttpRequest, day: str) -> Challenge:
        """The challenge of the day in the address, for those who may see challenges. Raises Http404."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        challenge = self.get_object(request, day)
        if challenge is None:
            raise Http404
        return challenge

    def _page(
        self, request: HttpRequest, name: str, title: str, challenge: Challenge | None = None, **context: Any
    ) -> HttpResponse:
        common = self.admin_site.each_context(request)
        template = f"admin/daily/challenge/{name}.html"
        frame = {"title": title, "opts": self.opts, "original": challenge, "media": self.media}
        may_add = self.has_add_permission(request)
        return TemplateResponse(request, template, common | frame | {"may_add": may_add} | context)


def of_the_day(model: str, day: date, text: str) -> SafeString:
    """A link to what there is of a model on a day."""
    address = reverse(f"admin:daily_{model}_changelist", query={"challenge__date": day.isoformat()})
    return format_html('<a href="{}">{}</a>', address, text)
