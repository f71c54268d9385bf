"""What an account may ask for besides its password: the codes of an app, a passkey, or recovery codes.

Where they come from and where they are kept is ``allauth.mfa``'s. Whether a code is right is decided here for
the site and the API alike: each counts as a guess, and each works once, in whichever process it is shown.
"""

from collections.abc import Iterable
from typing import Final

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.utils import decrypt
from django.db import transaction

from players.errors import SecondFactorRequired, WrongCode
from players.models import Player
from players.services import lock
from players.throttling import count_guess

Type: Final = Authenticator.Type
LAST_STEP: Final = "last_step"
"""In an app's row: the latest of its time steps whose code was used. None up to it works again."""


def has_second_factor(player: Player) -> bool:
    """Whether the account's password is not enough. One query."""
    return Authenticator.objects.filter(user=player, type__in=[Type.TOTP, Type.WEBAUTHN]).exists()


def may_have_second_factor(player: Player) -> bool:
    """Whether it is an account whose address is surely its owner's.

    Somebody else's could be taken over by a reset, but never past a second factor.
    """
    return not player.is_guest and (player.email is None or player.email_verified_at is not None)


@transaction.atomic
def check_code(*, player: Player, code: str) -> Authenticator:
    """Take a code of the player's app, or one of the recovery codes, and say whose it was.

    Raises PlayerDeleted, SecondFactorRequired, TooManyGuesses, WrongCode.
    """
    if not code:
        raise SecondFactorRequired
    count_guess(f"code:{player.pk}")
    lock(player)
    authenticators: Iterable[Authenticator] = Authenticator.objects.filter(user=player)
    for authenticator in authenticators:
        if _takes(authenticator, code):
            authenticator.record_usage()
            return authenticator
    raise WrongCode


@transaction.atomic
def remove_second_factor(*, player: Player) -> bool:
    """Take every factor but the password away, for somebody who lost them; whether there was one.

    Raises PlayerDeleted.
    """
    lock(player)
    count, _ = Authenticator.objects.filter(user=player).delete()
    return count > 0


def _takes(authenticator: Authenticator, code: str) -> bool:
    if authenticator.type == Type.TOTP:
        return _takes_totp(authenticator, code)
    return authenticator.type == Type.RECOVERY_CODES and RecoveryCodes(authenticator).validate_code(code)


def _takes_totp(authenticator: Authenticator, code: str) -> bool:
    secret = decrypt(authenticator.data["secret"])
    for step in yield_hotp_counters_from_time():
        right = format_hotp_value(hotp_value(secret, step))
        if step > authenticator.data.get(LAST_STEP, -1) and compare_user_code(actual=code, expected=right):
            authenticator.data[LAST_STEP] = step
            authenticator.save(update_fields=["data"])
            return True
    return False
