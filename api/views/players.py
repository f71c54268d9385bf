"""Players, oneself and one's tokens."""

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api import caching, examples
from api.authentication import required_caller
from api.errors import BadCursor, BadParameter
from api.pagination import limit_of, links_of, newest_first, position_of
from api.parameters import CURSOR, LIMIT
from api.schema import refusals
from api.serializers import NewPlayer, NewToken, PlayerChanges, body
from api.shapes.players import (
    NewPlayerAnswer,
    NewTokenAnswer,
    PlayerAnswer,
    ProfileAnswer,
    TokensAnswer,
    render_player,
    render_token,
)
from players import services
from players.errors import BadCountry, BadLabel, BadName, NameTaken
from players.models import Player, Token

BAD_NAME = BadName("too_short", "A name has at least 3 characters.")
BAD_COUNTRY = BadCountry("unknown_country", "This is not a country of ISO 3166.")
BAD_LABEL = BadLabel("bad_label", "A label has at most 60 printable characters.")
PROFILE_MAX_AGE_S = 30


class Players(APIView):
    """Joining."""

    throttle_scope = "join"

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


class Profile(APIView):
    """A player as everybody sees them."""

    @extend_schema(
        operation_id="player", tags=["players"], responses={200: ProfileAnswer, **refusals(NotFound())}
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """A player by name, in any case or look-alike spelling."""
        player = Player.objects.get_by_natural_key(name)
        answer: ProfileAnswer = {**render_player(player), "days_played": player.attempts.count()}
        return caching.answer(request, answer, max_age_s=PROFILE_MAX_AGE_S)


class Me(APIView):
    """Oneself."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="me", tags=["me"], responses=PlayerAnswer)
    def get(self, request: Request) -> Response:
        """Who the token or session speaks for."""
        return Response(render_player(required_caller(request)))

    @extend_schema(
        operation_id="changeMe",
        tags=["me"],
        request=PlayerChanges,
        responses={200: PlayerAnswer, **refusals(BAD_NAME, BAD_COUNTRY, NameTaken())},
    )
    def patch(self, request: Request) -> Response:
        """Change the name or the country; all of it or nothing."""
        player, changes = required_caller(request), body(PlayerChanges, request)
        with transaction.atomic():
            if "name" in changes:
                services.rename(player=player, name=changes["name"])
            if "country" in changes:
                services.set_country(player=player, country=changes["country"])
        return Response(render_player(player))


class Tokens(APIView):
    """One's tokens."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="tokens",
        tags=["me"],
        parameters=[LIMIT, CURSOR],
        responses={200: TokensAnswer, **refusals(BadParameter(), BadCursor())},
    )
    def get(self, request: Request) -> Response:
        """The tokens that still work, newest first. Their secrets are not kept."""
        player = required_caller(request)
        board = f"tokens:{player.pk}"
        tokens = Token.objects.active().filter(player=player)
        page = newest_first(tokens, "id", position_of(request, board), limit_of(request))
        links = links_of(request, page, board)
        answer: TokensAnswer = {
            "results": [render_token(token, current=request.auth) for token in page.rows],
            "next": links.next,
            "previous": links.previous,
        }
        return Response(answer, headers=links.header())

    @extend_schema(
        operation_id="newToken",
        tags=["me"],
        request=NewToken,
        responses={201: NewTokenAnswer, **refusals(BAD_LABEL)},
    )
    def post(self, request: Request) -> Response:
        """A further token, for another program or device."""
        label = body(NewToken, request)["label"]
        token, secret = services.issue_token(player=required_caller(request), label=label)
        answer: NewTokenAnswer = {**render_token(token, current=request.auth), "token": secret}
        return Response(answer, status=201)


class TokenDetail(APIView):
    """One of one's tokens."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="revokeToken", tags=["me"], responses={204: None, **refusals(NotFound())})
    def delete(self, request: Request, token_id: int) -> Response:
        """End a token for good; also the one this request came with."""
        services.revoke_token(token=Token.objects.active().get(pk=token_id, player=required_caller(request)))
        return Response(status=204)
