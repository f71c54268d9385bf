"""Playing."""

from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from daily import clock
from daily.models import Challenge
from daily.pictures import draw_cards
from daily.scheduling import challenge_on
from games.pyramid.rules import RULES
from leaderboard.days import read_day
from web.own_day import OwnDay, own_day, ranking_gap
from web.sessions import viewer_of


@require_safe
@ensure_csrf_cookie
def play(request: HttpRequest) -> HttpResponse:
    """Start today's challenge, or go on with it; who has played is led to the result."""
    now, player = clock.about_now(), viewer_of(request)
    own = own_day(player, now)
    if own.run:
        return redirect("web:run", run_id=own.run.pk)
    challenge = own.attempt.challenge if own.attempt else challenge_on(now.date(), now)
    context = {
        "challenge": challenge,
        "rules": challenge.ruleset,
        "own": own,
        "is_earlier_day": challenge.date != now.date(),
        "gap": ranking_gap(player, challenge),
        "limit_minutes": settings.ATTEMPT_TIME_LIMIT.total_seconds() // 60,
        "cards": draw_cards(),
        "daily": _daily(challenge, own, is_signed_in=player is not None),
    }
    return render(request, "web/play.html", context)


def _daily(challenge: Challenge, own: OwnDay, *, is_signed_in: bool) -> dict[str, Any]:
    """What the page's script has to know; never the deal, which comes in answer to the start."""
    return {
        "rules": asdict(challenge.ruleset),
        "attempts": reverse("attempts", kwargs={"day": challenge.date}),
        "guests": reverse("web:guest"),
        "account": reverse("web:account"),
        "isSignedIn": is_signed_in,
        "state": own.state,
    }


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Any deal by any rules, dealt and kept in the browser; with ``?day=`` the deal of a settled day."""
    now = clock.about_now()
    day, refusal = _practice_day(request.GET.get("day"), now)
    context = {
        "rule_sets": RULES.values(),
        "practice": {"rules": [asdict(rules) for rules in RULES.values()], "day": day, "refusal": refusal},
        "refusal": refusal,
        "last_day": now.date() - timedelta(days=1),
    }
    return render(request, "web/practice.html", context)


def _practice_day(text: str | None, now: datetime) -> tuple[dict[str, Any] | None, str]:
    """The day that is asked for as the page's script takes it; or why it is not to be had."""
    if not text:
        return None, ""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None, "That is no day; one is written like 2026-11-30."
    try:
        found = read_day(day, now)
    except Challenge.DoesNotExist:
        is_over = day < now.date()
        return None, "There was no deal that day." if is_over else "There is no deal for that day yet."
    return (_revealed_day(found), "") if found.is_settled else (None, _not_yet(found, now))


def _not_yet(challenge: Challenge, now: datetime) -> str:
    if not challenge.has_opened(now):
        return "That day is still to come, and so is its deal."
    if challenge.is_open(now):
        return "That day is being played. Its deal can be practised once the day is settled."
    return "The last games of that day are just ending. Its deal can be practised within two hours."


def _revealed_day(challenge: Challenge) -> dict[str, Any]:
    return {
        "date": challenge.date,
        "rules": challenge.rules,
        "deck": challenge.deck,
        "code": challenge.code,
        "best": challenge.best_clear,
    }
