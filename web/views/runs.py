"""Runs: what came of an attempt, and its replay."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from daily import clock
from daily.models import Run
from daily.pictures import draw_cards
from games.pyramid import Board
from leaderboard.days import read_day, tallies_of
from leaderboard.runs import SeenRun, find_run, read_run
from leaderboard.streaks import streaks_of
from players.models import Player
from web.charts import bars
from web.day_states import settles_at
from web.drawing import draw_table
from web.lit_pyramid import draw_lit_pyramid
from web.replays import for_the_player, tell
from web.result_picture import Figures, draw
from web.sessions import viewer_of
from web.sharing import share_text


@require_safe
def run(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """A result: its player's own, or another's as far as the API tells it."""
    seen, now = _seen(run_id, viewer_of(request)), clock.about_now()
    day = read_day(seen.run.challenge_id, now)
    chart = bars(
        tallies_of(day).distribution,
        marked=seen.run.cleared if seen.is_own and seen.run.counts else None,
        label="Runs of the day by how many cards they cleared",
    )
    context = {
        "seen": seen,
        "run": seen.run,
        "place": seen.place,
        "day": day,
        "is_open": day.is_open(now),
        "chart": chart,
        "pyramid": draw_lit_pyramid(seen.run.cleared),
        "now": now,
    }
    if seen.is_own:
        context |= _for_its_player(request, seen)
    return render(request, "web/run.html", context)


def _for_its_player(request: HttpRequest, seen: SeenRun) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("web:run", kwargs={"run_id": seen.run.pk}))
    return {
        "share_text": share_text(seen.run, seen.place, address),
        "streaks": streaks_of(seen.run.player, clock.about_now()),
    }


@require_safe
def replay(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """A run to watch, beside the best line once its day is settled; 403 while its log is not public."""
    seen = _seen(run_id, viewer_of(request))
    day = seen.run.challenge
    context = {"run": seen.run, "day": day, "is_own": seen.is_own}
    if not seen.is_revealed:
        context |= {"settles_at": settles_at(day)}
        return render(request, "web/replay_closed.html", context, status=403)
    if not day.is_settled:
        get_token(request)  # for the call that fetches the deal
    return render(request, "web/replay.html", context | _moves_of(seen.run))


def _moves_of(run: Run) -> dict[str, Any]:
    """The run in words and, of a settled day, drawn at its start and its end."""
    day = run.challenge
    context = {
        "moves": tell(day.deal, day.ruleset, run.log, names_drawn=day.is_settled),
        "data": for_the_player(run),
        "cards": draw_cards(),
    }
    if not day.is_settled:
        return context
    start, end = Board(day.deal, day.ruleset), Board(day.deal, day.ruleset)
    for move in run.log:
        end.play(move)
    best = tell(day.deal, day.ruleset, day.best_line, names_drawn=True)
    return context | {"best_moves": best, "start": draw_table(start), "end": draw_table(end)}


@require_safe
def picture(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    """The result as a picture for other sites, drawn only where its reader has not got it already."""
    figures = Figures.of(_seen(run_id, None))
    etag = f'"{figures.tag}"'
    known = get_conditional_response(request, etag=etag)
    response = known or HttpResponse(draw(figures), content_type="image/png")
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "public, no-cache"
    return response


def _seen(run_id: UUID, viewer: Player | None) -> SeenRun:
    """The run as the viewer may see it. Raises Http404."""
    try:
        return read_run(find_run(run_id), viewer=viewer, now=clock.about_now())
    except Run.DoesNotExist:
        raise Http404 from None
