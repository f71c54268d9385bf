"""Playing."""

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from daily import clock
from daily.models import Challenge
from daily.scheduling import challenge_on
from web.own_day import OwnDay, own_day, ranking_gap, viewer_of


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
        "daily": _daily(challenge, own, is_signed_in=player is not None),
    }
    return render(request, "web/play.html", context)


def _daily(challenge: Challenge, own: OwnDay, *, is_signed_in: bool) -> dict[str, Any]:
    """What the page's script has to know; never the deal, which comes in answer to the start."""
    return {
        "rules": asdict(challenge.ruleset),
        "attempts": reverse("attempts", kwargs={"day": challenge.date}),
        "guests": reverse("web:guest"),
        "isSignedIn": is_signed_in,
        "state": own.state,
    }


def practice(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
