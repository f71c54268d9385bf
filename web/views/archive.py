"""The archive: every day there is, a month on a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Max, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from daily import clock
from daily.models import Challenge, Run
from daily.status import Status, status_of
from leaderboard.days import Day, tallies_of, with_figures
from leaderboard.periods import Period, month_of, parse_month
from leaderboard.settling import ensure_all_settled
from players.models import Player
from web.caching import revalidated
from web.sessions import viewer_of


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of the calendar before its viewer's eyes."""

    day: Day
    state: Status
    has_opened: bool
    own: Run | None
    field_size: int
    most_cleared: int | None
    """The most that anybody who is ranked has cleared."""
    is_today: bool


@require_safe
@revalidated
def archive(request: HttpRequest) -> HttpResponse:
    """The days of a month, how each stands and what came of it; the present month unless one is asked for."""
    now = clock.about_now()
    ensure_all_settled()
    month = _month(request, now)
    earliest, latest = _bounds(now)
    if month.last < earliest or month.first > latest:
        raise Http404
    context = {
        "month": month,
        "previous": month.previous if month.previous.last >= earliest else None,
        "next": month.next if month.next.first <= latest else None,
        "days": list(_days(month, viewer_of(request), now)),
    }
    return render(request, "web/archive/month.html", context)


def _month(request: HttpRequest, now: datetime) -> Period:
    """The month asked for. Raises Http404 for what is none."""
    text = request.GET.get("month")
    if not text:
        return month_of(now.date())
    try:
        return parse_month(text)
    except ValueError:
        raise Http404 from None


def _bounds(now: datetime) -> tuple[date, date]:
    """The first and the last day there is, this one among them. One query."""
    ends = Challenge.objects.aggregate(first=Min("date"), last=Max("date"))
    today = now.date()
    return min(ends["first"] or today, today), max(ends["last"] or today, today)


def _days(month: Period, player: Player | None, now: datetime) -> Iterator[CalendarDay]:
    """The month's days in their order. Two queries, of which one is for the viewer's runs."""
    days = with_figures(Challenge.objects.without_deals().filter(date__range=(month.first, month.last)))
    own = _own_runs(month, player) if player else {}
    for day in days.order_by("date"):
        runs = tallies_of(day).distribution
        yield CalendarDay(
            day=day,
            state=status_of(day, now),
            has_opened=day.has_opened(now),
            own=own.get(day.date),
            field_size=sum(runs),
            most_cleared=max((cleared for cleared, number in enumerate(runs) if number), default=None),
            is_today=day.date == now.date(),
        )


def _own_runs(month: Period, player: Player) -> dict[date, Run]:
    runs = Run.objects.filter(player=player, challenge__date__range=(month.first, month.last))
    return {run.challenge_id: run for run in runs.defer("log_text")}
