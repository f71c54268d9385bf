"""Who asks. The pages' session is one way to say so; bearer tokens are ``players.authentication``'s."""

from rest_framework import authentication
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from api.errors import CsrfFailed
from players.models import Player


class SessionAuthentication(authentication.SessionAuthentication):
    """Django's session; writes need the CSRF token."""

    def enforce_csrf(self, request: Request) -> None:
        """Raises ``CsrfFailed`` with its own code instead of a bare 403."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            raise CsrfFailed from None


def caller(request: Request) -> Player | None:
    """The player who asks, or None."""
    return request.user if request.user.is_authenticated else None


def required_caller(request: Request) -> Player:
    """The player who asks. Raises ``NotAuthenticated``."""
    if (player := caller(request)) is None:
        raise NotAuthenticated
    return player


def named_player(request: Request, name: str) -> Player:
    """The player of a name, ``me`` being the caller. Raises ``NotAuthenticated``, ``DoesNotExist``."""
    return required_caller(request) if name == "me" else Player.objects.get_by_natural_key(name)
