"""What a request about players can be refused for."""

from rest_framework import status
from rest_framework.exceptions import APIException, AuthenticationFailed, Throttled


class BadField(APIException):
    """A value the rules refuse.

    ``default_code`` is the kind of refusal, ``code`` the rule that was broken, such as ``too_long``,
    ``detail`` a sentence about it and ``pointer`` where the value stands in the request's body.
    """

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad_field"
    pointer = "/"

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail, code)
        self.code = code


class BadName(BadField):
    """A name the policy refuses."""

    default_code = "bad_name"
    pointer = "/name"


class BadCountry(BadField):
    """Not a country of ISO 3166."""

    default_code = "bad_country"
    pointer = "/country"


class BadLabel(BadField):
    """A label for a token that is too long or cannot be printed."""

    default_code = "bad_label"
    pointer = "/label"


class BadEmail(BadField):
    """Not an address that mail can be sent to."""

    default_code = "bad_email"
    pointer = "/email"


class BadPassword(BadField):
    """A new password that is too easy to guess."""

    default_code = "bad_password"
    pointer = "/password"


class NameTaken(APIException):
    """Another player has this name, or one that looks like it."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "name_taken"
    default_detail = "Another player has this name or one that looks like it."
    pointer = "/name"


class InvalidToken(AuthenticationFailed):
    """An ``Authorization`` header that speaks for nobody."""

    default_code = "invalid_token"
    default_detail = "This token is not valid, or no longer."


class PlayerDeleted(AuthenticationFailed):
    """The player was deleted while the request was under way."""

    default_code = "player_deleted"
    default_detail = "This player has been deleted."


class BadCredentials(AuthenticationFailed):
    """Nobody can log in with this. It never tells which half was wrong."""

    default_code = "bad_credentials"
    default_detail = "There is no account with this name or address and this password."


class SecondFactorRequired(AuthenticationFailed):
    """The password is right, and the account asks for more than that."""

    default_code = "second_factor_required"
    default_detail = (
        "This account has a second step. Send a code of its authenticator app, or a recovery code, as “code”."
    )
    pointer = "/code"


class WrongCode(AuthenticationFailed):
    """Neither the authenticator app nor the recovery codes have this one, or it was used before."""

    default_code = "wrong_code"
    default_detail = "This code is wrong, too old, or was used before."
    pointer = "/code"


class TooManyGuesses(Throttled):
    """One account's password or code was tried too often, from wherever."""

    default_code = "too_many_guesses"
    default_detail = "This was tried too often for this account."


class EmailTaken(APIException):
    """Another account has this address."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "email_taken"
    default_detail = "Another account has this address. If it is yours, log in or reset its password."
    pointer = "/email"


class HasAccount(APIException):
    """The player is no guest any more."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "has_account"
    default_detail = "This player has an account already; its address and password are changed one by one."


class NoAccount(APIException):
    """The player is a guest, with neither an address nor a password to change."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "no_account"
    default_detail = "This player is a guest: make an account of it first."


class WrongPassword(APIException):
    """The present password, which a request has to repeat, is another one."""

    status_code = status.HTTP_403_FORBIDDEN
    default_code = "wrong_password"
    default_detail = "This is not the account's present password."
    pointer = "/current_password"


class DeadLink(APIException):
    """What was mailed does not work, or no longer."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "dead_link"
    default_detail = "This was used before, is too old, or was cut. Ask for another mail."
    pointer = "/token"


class MailTooSoon(Throttled):
    """The last mail for the player is only moments old."""

    default_code = "mail_too_soon"
    default_detail = "A mail was sent only moments ago."


class StaffStays(APIException):
    """Somebody with rights cannot be deleted."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "staff_stays"
    default_detail = "This is a member of staff. Another admin has to take the rights away first."
