"""Who may sign in to the site and the admin site: whom ``accounts`` lets in, found as it finds them."""

from typing import Any, override

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from players.accounts import check_credentials
from players.errors import BadCredentials
from players.models import Player


class AccountBackend(ModelBackend):
    """Django's permissions and sessions, with the spellings, the timing and the limits of ``accounts``."""

    @override
    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **others: Any,
    ) -> Player | None:
        """The account of this name or address and password. Raises TooManyGuesses."""
        try:
            return check_credentials(name_or_email=username or "", password=password or "")
        except BadCredentials:
            return None
