"""What a request about players can be refused for."""

from rest_framework import status
from rest_framework.exceptions import APIException, AuthenticationFailed


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
