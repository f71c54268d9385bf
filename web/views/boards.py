"""The leaderboards of days, weeks, months and all time."""

from datetime import date, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from daily import clock
from daily.models import Challenge
from daily.pictures import draw_cards, draw_deal
from daily.status import status_of
from leaderboard.boards import ALL_TIME, day_board
from leaderboard.days import Day, neighbours_of, read_day
from leaderboard.periods import Period, month_of, week_of
from leaderboard.settling import ensure_all_settled, is_due
from web.board_pages import BoardPage, read_board, tabs_of
from web.caching import revalidated
from web.charts import bars


@require_safe
@revalidated
def day(request: HttpRequest, day: date | None) -> HttpResponse:
    """A day's leaderboard; once the day is settled with its deal, before it opens with its commitment."""
    now = clock.about_now()
    found = _read_day(day or now.date(), now)
    context = {"day": found, "state": status_of(found, now), "neighbours": neighbours_of(found.date)}
    if not found.has_opened(now):
        return render(request, "web/boards/coming.html", context)
    shown = read_board(request, day_board(found.date))
    context |= _described(shown, found.date, is_live=not found.is_settled)
    context |= {"chart": _chart(shown, marks_own=True), "revealed": _revealed(found), "kind": "day"}
    return render(request, "web/boards/day.html", context)


def _read_day(day: date, now: datetime) -> Day:
    try:
        return read_day(day, now)
    except Challenge.DoesNotExist:
        raise Http404 from None


def _revealed(day: Day) -> dict[str, Any] | None:
    """What is told of a settled day, None before."""
    if not day.is_settled:
        return None
    return {
        "cards": draw_cards(),
        "deal": draw_deal(day.deal, day.ruleset),
        "reached": None if day.difficulty is None else round(100 * day.difficulty),
        "revisions": list(day.settlements.all()),
    }


@require_safe
@revalidated
def week(request: HttpRequest, period: Period | None) -> HttpResponse:
    """Who cleared most in an ISO week, then in the least time."""
    return _answer_period(request, period, week_of(clock.about_now().date()), "week")


@require_safe
@revalidated
def month(request: HttpRequest, period: Period | None) -> HttpResponse:
    """Who cleared most in a month, then in the least time."""
    return _answer_period(request, period, month_of(clock.about_now().date()), "month")


@require_safe
@revalidated
def all_time(request: HttpRequest) -> HttpResponse:
    """Who cleared most ever, then in the least time."""
    return _answer_sums(request, ALL_TIME, clock.about_now().date(), is_live=True, kind="all-time")


def _answer_period(request: HttpRequest, asked: Period | None, current: Period, kind: str) -> HttpResponse:
    """The board of a period that has begun. Raises Http404 for others, and for those before the first day."""
    period, first_day = asked or current, Challenge.objects.order_by("date").values_list("date").first()
    begins = min(first_day[0], current.last) if first_day else current.first
    if period.first > current.first or period.last < begins:
        raise Http404
    now = clock.about_now()
    context = {
        "period": period,
        "previous": period.previous if period.previous.last >= begins else None,
        "next": period.next if period.first < current.first else None,
    }
    is_live = not is_due(Challenge(date=period.last), now)
    day = min(period.last, now.date())
    return _answer_sums(request, period.board, day, is_live=is_live, kind=kind, **context)


def _answer_sums(
    request: HttpRequest, board: str, day: date, *, is_live: bool, kind: str, **context: Any
) -> HttpResponse:
    """The board of several days, of which ``day`` is one."""
    ensure_all_settled()
    shown = read_board(request, board)
    context |= _described(shown, day, is_live=is_live)
    context |= {"chart": _chart(shown, marks_own=False), "kind": kind}
    return render(request, "web/boards/period.html", context)


def _described(shown: BoardPage, day: date, *, is_live: bool) -> dict[str, Any]:
    """What all boards are shown with; ``day`` is what the boards of other lengths are chosen by."""
    return {"shown": shown, "tabs": tabs_of(day, shown.query), "is_live": is_live}


def _chart(shown: BoardPage, *, marks_own: bool) -> str:
    own = shown.page.own
    marked = own.row.cleared if own and marks_own else None
    return bars(shown.page.distribution, marked=marked, label="Runs by how many cards they cleared")
