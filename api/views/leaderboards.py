"""The leaderboards of days, weeks, months and all time."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from functools import partial
from typing import NamedTuple, cast, override

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from api import caching, examples
from api.authentication import caller, named_player, required_caller
from api.errors import BadCursor, BadParameter, NotRanked
from api.pagination import Links, Page, limit_of, links_of, parameter, position_of
from api.parameters import AROUND, CURSOR, DAY, LEAGUE, LIMIT, MONTH, WEEK
from api.schema import refusals
from api.shapes.boards import (
    LeaderboardAnswer,
    PeriodLeaderboardAnswer,
    render_board,
    render_own,
    render_own_period,
    render_period_row,
    render_row,
)
from api.views.asked_at_once import AskedAtOnceView
from daily import clock
from daily.models import Challenge
from leaderboard import queries, standings
from leaderboard.boards import ALL_TIME, day_board
from leaderboard.days import Day, read_day, tallies_of
from leaderboard.league_boards import LeagueBoard
from leaderboard.leagues import NoSuchLeague, find_league
from leaderboard.periods import Period, month_of, week_of
from leaderboard.queries import Tallies
from leaderboard.scoring import Position
from leaderboard.settling import ensure_all_settled
from players.models import Player

WHICH_PAGE = [LIMIT, CURSOR, AROUND, LEAGUE]
REFUSALS = refusals(BadParameter(), BadCursor(), NotAuthenticated(), NotFound(), NotRanked(), NoSuchLeague())


class DayBoard(AskedAtOnceView):
    """The leaderboard of a day."""

    day: Day | None = None

    @override
    def find(self, request: Request, digest: str) -> Player | None:
        """Tells the id of who asks, which is all that a board needs to know."""
        with suppress(Challenge.DoesNotExist):
            self.day = self.read(self.kwargs["day"], digest)
        return Player.objects.known_by_id(self.day.asked_by) if self.day and self.day.asked_by else None

    def read(self, day: date | None, digest: str = "") -> Day:
        """The day asked for, today if none. Raises Challenge.DoesNotExist."""
        now = clock.about_now()
        return read_day(day or now.date(), now, digest)

    @extend_schema(
        operation_id="leaderboard",
        tags=["leaderboards"],
        parameters=[DAY, *WHICH_PAGE],
        examples=examples.SHOW_BOARD,
        responses={200: LeaderboardAnswer, **REFUSALS},
    )
    def get(self, request: Request, day: date | None) -> HttpResponse:
        """A page of the standings, best first, or the page around a player; and where the caller stands."""
        return caching.answer_many(request, partial(self.tell, request, day))

    def tell(self, request: Request, day: date | None) -> caching.Told:
        """The page of a day's board that is asked for."""
        challenge = self.day or self.read(day)
        if not challenge.has_opened(clock.about_now()):
            raise NotFound("This day has not opened yet.")
        page, links = read_page(request, day_board(challenge.date), tallies_of(challenge))
        told: LeaderboardAnswer = {
            "challenge": challenge.date,
            **render_board(page, links),
            "results": [render_row(row) for row in page.rows],
            "me": render_own(page.own) if page.own else None,
        }
        return told, links.header()


class WeekBoard(APIView):
    """The leaderboard of a week."""

    @extend_schema(
        operation_id="weekLeaderboard",
        tags=["leaderboards"],
        parameters=[WEEK, *WHICH_PAGE],
        responses={200: PeriodLeaderboardAnswer, **REFUSALS},
    )
    def get(self, request: Request, period: Period | None) -> HttpResponse:
        """Who cleared most in an ISO week, then in the least time."""
        return caching.answer_many(request, partial(tell_period, request, period, week_of))


class MonthBoard(APIView):
    """The leaderboard of a month."""

    @extend_schema(
        operation_id="monthLeaderboard",
        tags=["leaderboards"],
        parameters=[MONTH, *WHICH_PAGE],
        responses={200: PeriodLeaderboardAnswer, **REFUSALS},
    )
    def get(self, request: Request, period: Period | None) -> HttpResponse:
        """Who cleared most in a month, then in the least time."""
        return caching.answer_many(request, partial(tell_period, request, period, month_of))


class AllTimeBoard(APIView):
    """The leaderboard of all time."""

    @extend_schema(
        operation_id="allTimeLeaderboard",
        tags=["leaderboards"],
        parameters=WHICH_PAGE,
        responses={200: PeriodLeaderboardAnswer, **REFUSALS},
    )
    def get(self, request: Request) -> HttpResponse:
        """Who cleared most ever, then in the least time."""
        return caching.answer_many(request, partial(tell_sums, request, ALL_TIME, None, None))


def tell_period(request: Request, asked: Period | None, period_of: Callable[[date], Period]) -> caching.Told:
    """The page that is asked for of the board of a period, if it has begun; of the current one if none."""
    current = period_of(clock.about_now().date())
    period = asked or current
    if period.first > current.first:
        raise NotFound("This period has not begun yet.")
    return tell_sums(request, period.board, period.first, period.last)


def tell_sums(request: Request, board: str, first: date | None, last: date | None) -> caching.Told:
    """The page that is asked for of the board of several days."""
    ensure_all_settled()
    page, links = read_page(request, board, queries.tallies(board))
    told: PeriodLeaderboardAnswer = {
        "period": board,
        "first_day": first,
        "last_day": last,
        **render_board(page, links),
        "results": [render_period_row(row) for row in page.rows],
        "me": render_own_period(page.own) if page.own else None,
    }
    return told, links.header()


class Pages(NamedTuple):
    """The ways to find a page of a board, and the name its cursors are bound to."""

    name: str
    after: Callable[..., standings.Page]
    before: Callable[..., standings.Page]
    around: Callable[..., standings.Page | None]


def pages_of(request: Request, board: str, tallies: Tallies) -> Pages:
    """The pages of a board, or of the part of it that a league is. Raises as `find_league` does."""
    code = parameter(request, "league")
    if code is None:
        return Pages(
            board,
            partial(standings.page_after, board, tallies=tallies),
            partial(standings.page_before, board, tallies=tallies),
            partial(standings.page_around, board, tallies=tallies),
        )
    league = find_league(player=required_caller(request), code=code)
    found = LeagueBoard.read(league, board)
    return Pages(f"{board}:{league.pk}", found.page_after, found.page_before, found.page_around)


def read_page(request: Request, board: str, tallies: Tallies) -> tuple[standings.Page, Links]:
    """The rows asked for and where their neighbours are. Raises as `pages_of` and `find_page` do."""
    pages, viewer = pages_of(request, board, tallies), caller(request)
    page = find_page(request, pages, viewer.pk if viewer else None)
    cursors = Page(
        page.rows,
        next=("after", *page.next) if page.next else None,
        previous=("before", *page.previous) if page.previous else None,
    )
    return page, links_of(request, cursors, pages.name)


def find_page(request: Request, pages: Pages, viewer_id: int | None) -> standings.Page:
    """The rows around somebody, from a cursor on, or at the top. Raises ``DoesNotExist``, ``NotRanked``."""
    around, limit = parameter(request, "around"), limit_of(request)
    if around is not None:
        player = named_player(request, around)
        if (page := pages.around(player.pk, (limit - 1) // 2, viewer_id=viewer_id)) is None:
            raise NotRanked
        return page
    cursor = position_of(request, pages.name)
    if cursor is None:
        return pages.after(None, limit, viewer_id=viewer_id)
    turn = pages.before if cursor[0] == "before" else pages.after
    return turn(Position(*cast("tuple[int, int]", cursor[1:])), limit, viewer_id=viewer_id)
