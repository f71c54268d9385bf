"""The leaderboard of a day."""

from datetime import date
from typing import cast

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from api import caching, examples
from api.authentication import caller, required_caller
from api.errors import BadCursor, BadParameter, NotRanked
from api.pagination import Page, limit_of, links_of, parameter, position_of
from api.parameters import AROUND, CURSOR, DAY, LIMIT
from api.schema import refusals
from api.shapes.boards import (
    CallerStandingAnswer,
    LeaderboardAnswer,
    render_caller_standing,
    render_row,
)
from api.views.challenges import read_challenge
from daily import clock
from leaderboard import standings
from leaderboard.boards import day_board
from leaderboard.scoring import Position
from players.models import Player

MAX_AGE_S = 2


class DayBoard(APIView):
    """The leaderboard of a day."""

    @extend_schema(
        operation_id="leaderboard",
        tags=["leaderboards"],
        parameters=[DAY, LIMIT, CURSOR, AROUND],
        examples=examples.SHOW_BOARD,
        responses={
            200: LeaderboardAnswer,
            **refusals(BadParameter(), BadCursor(), NotAuthenticated(), NotFound(), NotRanked()),
        },
    )
    def get(self, request: Request, day: date | None) -> HttpResponse:
        """A page of the standings, best first, or the page around a player; and where the caller stands."""
        now = clock.now()
        challenge = read_challenge(day, now)
        if not challenge.has_opened(now):
            raise NotFound("This day has not opened yet.")
        board = day_board(challenge.date)
        page = page_of(request, board)
        links = links_of(request, cursors_of(page), board)
        answer: LeaderboardAnswer = {
            "challenge": challenge.date,
            "field_size": page.field_size,
            "distribution": page.distribution,
            "results": [render_row(row) for row in page.rows],
            "next": links.next,
            "previous": links.previous,
            "me": standing_of(caller(request), board),
        }
        return caching.answer(request, answer, max_age_s=MAX_AGE_S, headers=links.header())


def page_of(request: Request, board: str) -> standings.Page:
    """The rows asked for: around somebody, from a cursor on, or the top."""
    around, limit = parameter(request, "around"), limit_of(request)
    if around is not None:
        return page_around(request, board, around, (limit - 1) // 2)
    cursor = position_of(request, board)
    if cursor is None:
        return standings.page_after(board, None, limit)
    turn = standings.page_before if cursor[0] == "before" else standings.page_after
    return turn(board, Position(*cast("tuple[int, int]", cursor[1:])), limit)


def page_around(request: Request, board: str, around: str, radius: int) -> standings.Page:
    """The rows around a player or ``me``. Raises ``NotAuthenticated``, ``DoesNotExist``, ``NotRanked``."""
    player = required_caller(request) if around == "me" else Player.objects.get_by_natural_key(around)
    if (page := standings.page_around(board, player.pk, radius)) is None:
        raise NotRanked
    return page


def cursors_of(page: standings.Page) -> Page[standings.Row]:
    """The page with its neighbours as cursor positions."""
    return Page(
        page.rows,
        next=("after", *page.next) if page.next else None,
        previous=("before", *page.previous) if page.previous else None,
    )


def standing_of(player: Player | None, board: str) -> CallerStandingAnswer | None:
    """Where a player stands on the board, if anywhere."""
    found = standings.place_of(board, player.pk) if player else None
    return render_caller_standing(*found) if found else None
