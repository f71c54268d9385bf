"""What is mailed to prove that a mailbox is read: signed, short-lived, worthless once used.

A link holds the player, the address it was mailed to and a digest of the player's password and address. So it
dies when either changes, which is what using it does, and a link somebody else asked for dies when the owner
of the mailbox resets the password.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.core import signing
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from players.errors import DeadLink, PlayerDeleted
from players.models import Player
from players.services import lock


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a link is good for, and how long."""

    salt: str
    lifetime: timedelta


VERIFY_EMAIL: Final = Purpose("players.verify-email", timedelta(days=3))
RESET_PASSWORD: Final = Purpose("players.reset-password", timedelta(hours=1))


def make_link(purpose: Purpose, player: Player, email: str) -> str:
    """The text to mail to ``email``, in letters that survive a URL."""
    return signing.dumps([player.pk, email, _state_of(player)], salt=purpose.salt)


def open_link(purpose: Purpose, text: str) -> tuple[Player, str]:
    """The player, whose row is locked, and the address the link was mailed to. Call it in a transaction.

    Raises DeadLink.
    """
    player_id, email, state = _read(purpose, text)
    player = Player(pk=player_id)
    try:
        lock(player)
    except PlayerDeleted:
        raise DeadLink from None
    if not (player.is_active and constant_time_compare(state, _state_of(player))):
        raise DeadLink
    return player, email


def is_alive(purpose: Purpose, text: str) -> bool:
    """Whether a link would open at the moment; looking does not use it."""
    try:
        with transaction.atomic():
            open_link(purpose, text)
    except DeadLink:
        return False
    return True


def _read(purpose: Purpose, text: str) -> tuple[int, str, str]:
    if not text.isascii():
        raise DeadLink
    try:
        player_id, email, state = signing.loads(text, salt=purpose.salt, max_age=purpose.lifetime)
    except signing.BadSignature:
        raise DeadLink from None
    return player_id, email, state


def _state_of(player: Player) -> str:
    secrets = f"{player.password}|{player.email}"
    return salted_hmac("players.links", secrets, algorithm="sha256").hexdigest()[:32]
