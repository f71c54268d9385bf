"""The yardstick of ``bench/http.py``: beside the service's views one as bare as a DRF view can be."""

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.urls import urlpatterns as service_urls
from players.models import Player


class Bare(APIView):
    """Authentication and one query; no throttle, no parsing, no rules."""

    throttle_classes = ()

    def post(self, request: Request) -> Response:
        """Say how many attempts the player has."""
        player = request.user
        assert isinstance(player, Player)
        return Response({"attempts": player.attempts.count()})


urlpatterns = [path("bare/", Bare.as_view()), *service_urls]
