"""Joining, and players as others see them."""

from datetime import date
from typing import cast

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from api import caching, examples
from api.authentication import caller, named_player
from api.errors import BadCursor, BadParameter
from api.pagination import Page, limit_of, links_of, position_of
from api.parameters import CURSOR, LIMIT, NAME
from api.responses import Response
from api.schema import refusals
from api.serializers import NewPlayer, body
from api.shapes.players import (
    HistoryAnswer,
    NewPlayerAnswer,
    ProfileAnswer,
    render_entry,
    render_player,
    render_profile,
)
from daily import clock
from leaderboard.profiles import History, history_after, history_before, profile
from leaderboard.settling import ensure_all_settled
from players import services
from players.errors import BadName, NameTaken
from players.models import Player

BAD_NAME = BadName("too_short", "A name has at least 3 characters.")


class Players(APIView):
    """Joining."""

    throttle_scopes = {"POST": "join"}

    @extend_schema(
        operation_id="join",
        tags=["players"],
        request=NewPlayer,
        examples=examples.JOIN,
        responses={201: NewPlayerAnswer, **refusals(BAD_NAME, NameTaken())},
    )
    def post(self, request: Request) -> Response:
        """Become a guest: a name and a bearer token at once."""
        player, secret = services.create_guest(name=body(NewPlayer, request).get("name"))
        answer: NewPlayerAnswer = {"player": render_player(player), "token": secret}
        return Response(answer, status=201)


class ProfileDetail(APIView):
    """A player as everybody sees them."""

    @extend_schema(
        operation_id="player",
        tags=["players"],
        parameters=[NAME],
        responses={200: ProfileAnswer, **refusals(NotAuthenticated(), NotFound())},
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """A player and what they have done so far."""
        player = named_player(request, name)
        ensure_all_settled()
        return caching.answer(request, render_profile(profile(player, clock.about_now())))


class PlayerRuns(APIView):
    """A player's history."""

    @extend_schema(
        operation_id="playerRuns",
        tags=["players"],
        parameters=[NAME, LIMIT, CURSOR],
        responses={
            200: HistoryAnswer,
            **refusals(BadParameter(), BadCursor(), NotAuthenticated(), NotFound()),
        },
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """A player's runs, newest day first; one's own with those that were voided, and why."""
        player = named_player(request, name)
        ensure_all_settled()
        name_of_list = f"runs:{player.pk}"
        found = history_of(request, player, name_of_list)
        page = Page(found.entries, next=edge("after", found.next), previous=edge("before", found.previous))
        links = links_of(request, page, name_of_list)
        answer: HistoryAnswer = {
            "results": [render_entry(entry) for entry in found.entries],
            "next": links.next,
            "previous": links.previous,
        }
        return caching.answer(request, answer, headers=links.header())


def history_of(request: Request, player: Player, name_of_list: str) -> History:
    """The part of a player's history that is asked for."""
    limit, is_own = limit_of(request), player == caller(request)
    way, day = cast("tuple[str, str]", position_of(request, name_of_list) or ("after", ""))
    if way == "before":
        return history_before(player, date.fromisoformat(day), limit, is_own=is_own)
    return history_after(player, date.fromisoformat(day) if day else None, limit, is_own=is_own)


def edge(way: str, day: date | None) -> tuple[str, str] | None:
    """The position of the next page that way, None where there is none."""
    return (way, day.isoformat()) if day else None
