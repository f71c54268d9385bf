"""The yardstick of ``bench/http.py``: the service with one more view, as bare as an authenticated DRF view can be."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import path

application = get_wsgi_application()

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.urls import urlpatterns as service_urls
from players.models import Player


class Bare(APIView):
    """Authentication and one query; no throttle, no parsing, no rules."""

    throttle_classes = ()

    def post(self, request: Request) -> Response:
        """The number of the player's attempts."""
        player = request.user
        assert isinstance(player, Player)
        return Response({"attempts": player.attempts.count()})


urlpatterns = [path("bare/", Bare.as_view()), *service_urls]
settings.ROOT_URLCONF = "bench.bare"
