"""The day at a glance."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from daily import clock
from daily.models import Challenge
from daily.pictures import draw_cards
from leaderboard.boards import day_board
from leaderboard.days import Day, read_day, tallies_of
from leaderboard.runs import place_of_run
from leaderboard.settling import ensure_settled
from leaderboard.standings import page_after
from leaderboard.streaks import streaks_of
from web.charts import bars
from web.lit_pyramid import draw_lit_pyramid
from web.own_day import OwnDay, own_day
from web.sessions import viewer_of

TOP = 5


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """What there is to play, how the field is doing, who was best last time, and how the viewer stands."""
    now, viewer = clock.about_now(), viewer_of(request)
    day, own = read_day(now.date(), now), own_day(viewer, now)
    context: dict[str, Any] = {
        "day": day,
        "rules": day.ruleset,
        "own": own,
        "is_earlier_day": own.attempt is not None and own.attempt.challenge_id != day.date,
        "place": place_of_run(own.run) if own.run else None,
        "chart": _chart(day, own),
        "streaks": streaks_of(viewer, now) if viewer else None,
        "now": now,
        **_last_top(now),
    }
    if viewer is None:
        context["cards"] = draw_cards()
    elif own.run:
        context["pyramid"] = draw_lit_pyramid(own.run.cleared)
    return render(request, "web/today.html", context)


def _chart(day: Day, own: OwnDay) -> str:
    marked = own.run.cleared if own.run and own.run.counts else None
    label = "Today's runs by how many cards they cleared"
    return bars(tallies_of(day).distribution, marked=marked, label=label)


def _last_top(now: datetime) -> dict[str, Any]:
    """The best of the last day that counted, if there has been one."""
    days = Challenge.objects.without_deals().filter(date__lt=now.date(), voided_at=None)
    if (last := days.first()) is None:
        return {"last_day": None}
    ensure_settled(last, now)
    return {"last_day": last, "top": page_after(day_board(last.date), None, TOP)}
