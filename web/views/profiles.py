"""Players as others see them, and as they see themselves."""

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from daily import clock
from daily.models import MAX_CLEARED
from leaderboard import profiles
from leaderboard.profiles import History, history_after, history_before, latest_results
from leaderboard.settling import ensure_all_settled
from players.models import Player
from web.caching import revalidated
from web.charts import Point, bars, line
from web.people import player_or_404
from web.sessions import viewer_of

ROWS = 50
CHARTED_RUNS = 90


@require_safe
@revalidated
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """A player's figures, charts and runs. Other spellings of the name lead to the one address there is."""
    own = viewer_of(request)
    if name == "me":
        return redirect(_address(request, own) if own else "web:account")
    player = player_or_404(name)
    if player.name != name:
        return redirect(_address(request, player))
    ensure_all_settled()
    found = profiles.profile(player, clock.about_now())
    points = [Point(*result) for result in latest_results(player, CHARTED_RUNS)]
    context = {
        "player": player,
        "profile": found,
        "average_share": None if found.average_share is None else round(100 * found.average_share),
        "is_own": player == own,
        "history": _history(request, player, is_own=player == own),
        "distribution": bars(found.distribution, marked=None, label="Runs by how many cards they cleared"),
        "course": line(points, top=MAX_CLEARED, label="Cards cleared day by day") if len(points) > 1 else "",
    }
    return render(request, "web/profiles/profile.html", context)


def _address(request: HttpRequest, player: Player) -> str:
    query = request.META.get("QUERY_STRING", "")
    return reverse("web:profile", kwargs={"name": player.name}) + (f"?{query}" if query else "")


def _history(request: HttpRequest, player: Player, *, is_own: bool) -> History:
    """The runs that are asked for, by the day they follow or come before; the newest where that is none."""
    before, after = _day(request, "before"), _day(request, "after")
    if before:
        return history_before(player, before, ROWS, is_own=is_own)
    return history_after(player, after, ROWS, is_own=is_own)


def _day(request: HttpRequest, name: str) -> date | None:
    try:
        return date.fromisoformat(request.GET.get(name, ""))
    except ValueError:
        return None
