"""Players and their tokens."""

from datetime import datetime
from typing import Annotated, TypedDict

from players.models import Player, Token


class PlayerAnswer(TypedDict):
    """Somebody who plays."""

    name: str
    is_guest: Annotated[bool, "Has a token only, no account."]
    is_bot: bool
    country: Annotated[str | None, "ISO 3166-1 alpha-2."]
    joined_at: datetime


class ProfileAnswer(PlayerAnswer):
    """A player as everybody sees them."""

    days_played: Annotated[int, "Days on which an attempt was started."]


class NewPlayerAnswer(TypedDict):
    """A new guest and the token that speaks for it. The token is shown this once."""

    player: PlayerAnswer
    token: str


def render_player(player: Player) -> PlayerAnswer:
    return {
        "name": player.name,
        "is_guest": player.is_guest,
        "is_bot": player.is_bot,
        "country": player.country or None,
        "joined_at": player.created_at,
    }


class TokenAnswer(TypedDict):
    """A bearer token, told by its first characters."""

    id: int
    hint: str
    label: str
    created_at: datetime
    is_current: Annotated[bool, "The one this request came with."]


class NewTokenAnswer(TokenAnswer):
    """A new bearer token with its secret, shown this once."""

    token: str


class TokensAnswer(TypedDict):
    """The tokens that still work, newest first."""

    results: list[TokenAnswer]
    next: str | None
    previous: str | None


def render_token(token: Token, *, current: object) -> TokenAnswer:
    return {
        "id": token.pk,
        "hint": token.hint,
        "label": token.label,
        "created_at": token.created_at,
        "is_current": token == current,
    }
