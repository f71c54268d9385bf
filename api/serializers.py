"""Strict request bodies: what is not documented is refused, and a string is a string."""

from functools import cache
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request

MAX_LOG_MOVES = 2_000
MAX_LOG_CHARS = 64 * 1024
MAX_PASSWORD_CHARS = 1_024


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        """The validated fields. Raises ``ValidationError``."""
        if unknown := data.keys() - self.fields.keys():
            raise ValidationError(
                {name: [ErrorDetail("Unknown field.", "unknown")] for name in sorted(unknown)}
            )
        return super().to_internal_value(data)


class StringField(serializers.CharField):
    """Text exactly as it came: other types are refused, nothing is trimmed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        """The text. Raises ``ValidationError``."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class IntegerField(serializers.IntegerField):
    """An integer as it came: neither text nor a boolean nor a float is one."""

    def to_internal_value(self, data: Any) -> int:
        """The integer. Raises ``ValidationError``."""
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field({"type": "array", "items": {"type": "string"}, "maxItems": MAX_LOG_MOVES})
class MoveLogField(serializers.Field[list[str], list[str], list[str], list[str]]):
    """A move log: at most 2,000 strings of 64 KiB together. What the strings mean is judged by the replay.

    One pass over the list instead of a field for each move: 0.1 ms instead of 3.5 ms for a full log.
    """

    default_error_messages = {
        "not_a_list": "Must be a list of moves.",
        "not_a_string": "A move is a string.",
        "too_many": "A log has at most {moves} moves.",
        "too_large": "A log has at most {chars} characters.",
    }

    def to_internal_value(self, data: Any) -> list[str]:
        """The moves. Raises ``ValidationError``."""
        if not isinstance(data, list):
            self.fail("not_a_list")
        if len(data) > MAX_LOG_MOVES:
            self.fail("too_many", moves=MAX_LOG_MOVES)
        if not all(isinstance(move, str) for move in data):
            self._refuse_first_other(data)
        if sum(map(len, data)) > MAX_LOG_CHARS:
            self.fail("too_large", chars=MAX_LOG_CHARS)
        return data

    def _refuse_first_other(self, data: list[Any]) -> None:
        index = next(index for index, move in enumerate(data) if not isinstance(move, str))
        message = ErrorDetail(str(self.error_messages["not_a_string"]), "not_a_string")
        raise ValidationError({str(index): [message]})

    def to_representation(self, value: list[str]) -> list[str]:
        """The moves as they are."""
        return value


class Nothing(StrictSerializer):
    """A body without fields."""


class NewPlayer(StrictSerializer):
    """Who wants to play. Without a name the guest gets a friendly one."""

    name = StringField(required=False)


class PlayerChanges(StrictSerializer):
    """What a player may change; what is left out stays."""

    name = StringField(required=False)
    country = StringField(required=False, allow_blank=True, help_text="ISO 3166-1 alpha-2, or empty.")


class NewToken(StrictSerializer):
    """A further token, for another program or device."""

    label = StringField(required=False, default="", allow_blank=True)  # type: ignore[assignment]


class NewAccount(StrictSerializer):
    """What makes a guest an account."""

    email = StringField()
    password = StringField(max_length=MAX_PASSWORD_CHARS)


class Credentials(StrictSerializer):
    """Who logs in, and a label for the token that they get."""

    login = StringField(help_text="Name or email address.")
    password = StringField(max_length=MAX_PASSWORD_CHARS)
    code = StringField(
        required=False,
        default="",
        allow_blank=True,
        max_length=40,
        help_text="For an account with a second step: a code of its app, or a recovery code.",
    )
    label = StringField(required=False, default="", allow_blank=True)  # type: ignore[assignment]


class NewPassword(StrictSerializer):
    """Another password, and the present one."""

    current_password = StringField(max_length=MAX_PASSWORD_CHARS)
    password = StringField(max_length=MAX_PASSWORD_CHARS)


class NewEmail(StrictSerializer):
    """Another address, and the present password."""

    email = StringField()
    current_password = StringField(max_length=MAX_PASSWORD_CHARS)


class Farewell(StrictSerializer):
    """An account's present password; a guest has none."""

    current_password = StringField(required=False, default="", max_length=MAX_PASSWORD_CHARS)


class MailedToken(StrictSerializer):
    """What was mailed to an address."""

    token = StringField()


class ForgottenPassword(StrictSerializer):
    """The address of an account."""

    email = StringField()


class PasswordReset(StrictSerializer):
    """What was mailed, and another password."""

    token = StringField()
    password = StringField(max_length=MAX_PASSWORD_CHARS)


class NewLeague(StrictSerializer):
    """A league's name."""

    name = StringField()


class NewOwner(StrictSerializer):
    """The member who shall own the league."""

    player = StringField()


class Submission(StrictSerializer):
    """What was played so far, or to the end."""

    log = MoveLogField()


class DryRun(StrictSerializer):
    """A deal, by exactly one of ``code``, ``number`` and ``deck``, and what was played on it."""

    code = StringField(required=False)
    number = IntegerField(required=False)
    deck = StringField(required=False)
    rules = StringField()
    log = MoveLogField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raises ``ValidationError`` for no deal or several."""
        if len(attrs.keys() & {"code", "number", "deck"}) != 1:
            raise ValidationError("Name the deal by exactly one of code, number and deck.", "one_deal")
        return attrs


def body(serializer: type[StrictSerializer], request: Request) -> dict[str, Any]:
    """The validated body. Raises ``ValidationError``, ``MalformedJSON`` or ``UnsupportedMediaType``."""
    return dict(_reader(serializer).run_validation(request.data))


@cache
def _reader(serializer: type[StrictSerializer]) -> StrictSerializer:
    """One for all requests: it keeps nothing of what it reads, and takes longer to make than to read with."""
    return serializer()
