"""Oneself and one's tokens."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from api.authentication import required_caller
from api.errors import BadCursor, BadParameter
from api.pagination import limit_of, links_of, newest_first, position_of
from api.parameters import CURSOR, LIMIT
from api.responses import Response
from api.schema import refusals
from api.serializers import Farewell, NewToken, PlayerChanges, body
from api.shapes.players import (
    ExportAnswer,
    MeAnswer,
    NewTokenAnswer,
    TokensAnswer,
    render_me,
    render_token,
)
from api.views.players import BAD_NAME
from daily import clock
from leaderboard.personal_data import erase, export
from leaderboard.profiles import profile
from leaderboard.settling import ensure_all_settled
from players import services
from players.accounts import check_present_password
from players.errors import BadCountry, BadLabel, NameTaken, StaffStays, WrongPassword
from players.models import Player, Token

BAD_COUNTRY = BadCountry("unknown_country", "This is not a country of ISO 3166.")
BAD_LABEL = BadLabel("bad_label", "A label has at most 60 printable characters.")


def describe(player: Player) -> MeAnswer:
    """A player for their own eyes."""
    ensure_all_settled()
    return render_me(profile(player, clock.about_now()))


class Me(APIView):
    """Oneself."""

    permission_classes = (IsAuthenticated,)
    throttle_scopes = {"DELETE": "login"}

    @extend_schema(operation_id="me", tags=["me"], responses=MeAnswer)
    def get(self, request: Request) -> Response:
        """Who the token or session speaks for, and what they have done so far."""
        return Response(describe(required_caller(request)))

    @extend_schema(
        operation_id="changeMe",
        tags=["me"],
        request=PlayerChanges,
        responses={200: MeAnswer, **refusals(BAD_NAME, BAD_COUNTRY, NameTaken())},
    )
    def patch(self, request: Request) -> Response:
        """Change the name or the country; all of it or nothing."""
        player = required_caller(request)
        services.update_profile(player=player, **body(PlayerChanges, request))
        return Response(describe(player))

    @extend_schema(
        operation_id="eraseMe",
        tags=["me"],
        request=Farewell,
        responses={204: None, **refusals(WrongPassword(), StaffStays())},
    )
    def delete(self, request: Request) -> Response:
        """Leave for good: runs and ranks stay under a name that says nothing, all else goes.

        An account repeats its password.
        """
        player = required_caller(request)
        check_present_password(player=player, **body(Farewell, request))
        erase(player=player)
        return Response(status=204)


class Export(APIView):
    """One's data."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="exportMe", tags=["me"], responses=ExportAnswer)
    def get(self, request: Request) -> Response:
        """Everything that is held about oneself."""
        headers = {"Content-Disposition": 'attachment; filename="pyramid-daily-export.json"'}
        return Response(export(player=required_caller(request)), headers=headers)


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
