"""Who a request speaks for, by its bearer token."""

from typing import override

from django.db.models import Subquery
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from players.errors import InvalidToken
from players.models import Player, Token
from players.prepared import Given, Prepared
from players.tokens import PREFIX, digest_of, is_well_formed

TOKENS = Prepared(
    lambda: Token.objects.active().select_related("player").filter(digest=Given("digest", Token, "digest"))
)


def token_holder() -> Subquery:
    """In a prepared query: the id of the player whose working token has the digest given, or NULL."""
    return Subquery(Token.objects.active().filter(digest=Given("digest", Token, "digest")).values("player"))


class BearerAuthentication(BaseAuthentication):
    """``Authorization: Bearer pyd_…``, checked with one query by the digest's index.

    ``request.user`` is the player and ``request.auth`` the ``Token``. A request without the header, or with
    another scheme's, is anonymous; a token that is malformed, unknown, revoked or of somebody gone is a 401.
    """

    @override
    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        scheme, secret = _credentials(request)
        if scheme.startswith(PREFIX):
            raise InvalidToken("Send the token as “Authorization: Bearer …”.")
        if scheme.lower() != "bearer":
            return None
        return _find_player(secret)

    @override
    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def digest_sent(request: Request) -> str | None:
    """The digest of the bearer token a request comes with, for whoever asks the database more than who it is.

    None where there is none to ask about.
    """
    scheme, secret = _credentials(request)
    return digest_of(secret) if scheme.lower() == "bearer" and is_well_formed(secret) else None


def _credentials(request: Request) -> tuple[str, str]:
    scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
    return scheme, secret.strip()


def _find_player(secret: str) -> tuple[Player, Token]:
    if not is_well_formed(secret):
        raise InvalidToken("This is not a token of this service; was it cut or mistyped?")
    try:
        token = TOKENS.get(digest=digest_of(secret))
    except Token.DoesNotExist:
        raise InvalidToken from None
    return token.player, token
