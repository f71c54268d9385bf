"""What a scraper reads."""

from collections.abc import Iterable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpResponse
from django.utils.crypto import constant_time_compare
from drf_spectacular.utils import extend_schema
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.gauges import Gauges
from api.views.health import Probe
from players.errors import InvalidToken


class AsItIs(BaseContentNegotiation):
    """There is one form, whatever is asked for."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The first renderer, which only HEAD and refusals of methods come near."""
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class Metrics(Probe):
    """The service in numbers, for whoever runs it."""

    content_negotiation_class = AsItIs

    def get_authenticate_header(self, request: Request) -> str:
        """A wrong token is a 401."""
        return "Bearer"

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """What the processes of this machine have counted, and how the service stands."""
        refuse_strangers(request)
        text = b"".join(generate_latest(source) for source in (counted(), Gauges()))
        return HttpResponse(text, content_type=CONTENT_TYPE_PLAIN_0_0_4)


def counted() -> Collector:
    """What all processes counted where they share a folder, else this one."""
    if not settings.METRICS_FOLDER:
        return REGISTRY
    shared = CollectorRegistry()
    MultiProcessCollector(shared, settings.METRICS_FOLDER)  # type: ignore[no-untyped-call]
    return shared


def refuse_strangers(request: Request) -> None:
    """Let whoever has the token in, or without one whoever asks from nearby and not through a proxy.

    Raises NotAuthenticated, InvalidToken, PermissionDenied.
    """
    if settings.METRICS_TOKEN:
        _refuse_without_token(request.META.get("HTTP_AUTHORIZATION", ""))
    elif "HTTP_X_FORWARDED_FOR" in request.META or not is_near(request.META.get("REMOTE_ADDR", "")):
        raise PermissionDenied


def _refuse_without_token(authorization: str) -> None:
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer":
        raise NotAuthenticated
    if not constant_time_compare(token.strip(), settings.METRICS_TOKEN):
        raise InvalidToken


def is_near(address: str) -> bool:
    """Whether this is an address of this machine or of a private network."""
    try:
        return ip_address(address).is_private
    except ValueError:
        return False
