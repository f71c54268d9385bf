"""The yardstick of ``bench/http.py``: as Django and DRF come, and a view that knows who asks and counts."""

from typing import override

from django.urls import path
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.models import Player, Token
from players.tokens import digest_of


class TokenAuthentication(authentication.TokenAuthentication):
    """DRF's, on the service's tokens. One query."""

    keyword = "Bearer"

    @override
    def authenticate_credentials(self, key: str) -> tuple[Player, Token]:
        try:
            token = Token.objects.select_related("player").get(digest=digest_of(key))
        except Token.DoesNotExist:
            raise AuthenticationFailed from None
        return token.player, token


class Bare(APIView):
    """Authentication and one query; no limits, no parsing, no rules."""

    authentication_classes = (TokenAuthentication,)

    def post(self, request: Request) -> Response:
        """Say how many attempts the player has."""
        player = request.user
        assert isinstance(player, Player)
        return Response({"attempts": player.attempts.count()})


urlpatterns = [path("bare/", Bare.as_view())]
