"""How fairness works, and a day to verify."""

from dataclasses import asdict
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from daily import clock
from daily.models import Challenge
from leaderboard.days import read_day
from web.caching import revalidated
from web.day_states import settles_at


@require_safe
@revalidated
def fairness(request: HttpRequest) -> HttpResponse:
    """What is promised, how it is kept, and where it ends."""
    latest = Challenge.objects.exclude(settled_at=None).without_deals().first()
    return render(request, "web/fairness.html", {"latest": latest})


@require_safe
@revalidated
def verify(request: HttpRequest, day: date | None) -> HttpResponse:
    """All that a settled day was made from, to be computed again; of any other day what was promised."""
    now = clock.about_now()
    try:
        found = read_day(day or now.date(), now)
    except Challenge.DoesNotExist:
        raise Http404 from None
    if not found.is_settled:
        return render(request, "web/promise.html", {"day": found, "settles_at": settles_at(found)})
    context = {
        "day": found,
        "formula": f"pyramid-daily/1|{found}|{found.rules}|{found.salt}|{found.deck}",
        "settlements": list(found.settlements.order_by("-revision")),
        "rules": asdict(found.ruleset),
    }
    return render(request, "web/verify.html", context)
