"""The pages' session as a way to ask the API; bearer tokens are ``players.authentication``'s."""

from rest_framework import authentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from api.errors import CsrfFailed


class SessionAuthentication(authentication.SessionAuthentication):
    """Django's session; writes need the CSRF token."""

    def enforce_csrf(self, request: Request) -> None:
        """Raises ``CsrfFailed`` with its own code instead of a bare 403."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            raise CsrfFailed from None
