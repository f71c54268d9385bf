"""What an email address may be."""

from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from players.errors import BadEmail

MAX_LENGTH: Final = 254


def normalise_email(text: str) -> str:
    """The address as it is kept: in small letters, without spaces around it, its domain in ASCII.

    An address that is not ASCII before the @, or has quotes there, is refused: such addresses are very rare,
    and two that look the same need not be the same. Raises BadEmail.
    """
    local, _, domain = text.strip().rpartition("@")
    try:
        if len(text) > MAX_LENGTH or not local.isascii() or '"' in local:
            raise BadEmail("bad_email", "Mail cannot be sent to such an address.")
        email = f"{local}@{domain.encode('idna').decode()}".lower()
        validate_email(email)
    except (UnicodeError, ValidationError):
        raise BadEmail("bad_email", "This is not an email address.") from None
    return email
