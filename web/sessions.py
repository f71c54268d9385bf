"""Who a browser speaks for, and for how long."""

from collections.abc import Callable
from typing import Final

from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from players.models import Player

BACKEND: Final = "players.backends.AccountBackend"
STAFF_AGE_S: Final = 14 * 24 * 60 * 60
"""How long a member of staff stays signed in, whose session opens more than a game."""
NOBODYS_AGE_S: Final = 60 * 60
"""How long is remembered what somebody began who is not signed in yet."""
KEPT: Final = "kept_in_month"


def viewer_of(request: HttpRequest) -> Player | None:
    """The player who is signed in, or None."""
    return request.user if request.user.is_authenticated else None


def signed_in(request: HttpRequest) -> Player:
    """The player who is signed in, behind a view that asks for one. Raises PermissionDenied."""
    if (player := viewer_of(request)) is None:
        raise PermissionDenied
    return player


def sign_in(request: HttpRequest, player: Player) -> None:
    """Let the browser speak for the player from now on; its session and CSRF token are new ones."""
    login(request, player, backend=BACKEND)
    request.session[KEPT] = _month()
    request.session.set_expiry(STAFF_AGE_S if player.is_staff else None)


class KeepSessions:
    """Makes a player's session last from its latest use, for one write a month, and nobody's short.

    All that a guest has is the session; it must not end while the guest plays.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = request.session
        if session.modified and not request.user.is_authenticated:
            session.set_expiry(NOBODYS_AGE_S)
        elif session.accessed and session.get(KEPT, _month()) != _month() and not request.user.is_staff:
            session[KEPT] = _month()
        return response


def _month() -> str:
    return f"{timezone.now():%Y-%m}"
