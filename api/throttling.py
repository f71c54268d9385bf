"""How often one caller may ask: what a request counts as, and the fields that tell where that leaves them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from players import throttling

if TYPE_CHECKING:  # the views import their default throttle
    from rest_framework.views import APIView


class Throttle(BaseThrottle):
    """Reads and writes count per player, or per client address without one.

    A view whose GET or another method has a scope of its own names it in ``throttle_scopes``. The RateLimit
    fields are on every answer.
    """

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Counts the request; False where it is one too many."""
        scope = scope_of(request, view)
        self.usage = throttling.meter().hit(scope, throttling.caller_of(request, scope))
        view.headers.update(self.usage.headers())
        return not self.usage.is_exceeded

    def wait(self) -> float:
        """Seconds until the caller may ask again."""
        return self.usage.reset_s


def scope_of(request: Request, view: "APIView") -> str:
    """What a request counts as."""
    is_read = request.method in SAFE_METHODS
    scopes: Mapping[str | None, str] = getattr(view, "throttle_scopes", {})
    return scopes.get("GET" if is_read else request.method, "read" if is_read else "write")
