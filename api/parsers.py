"""JSON as strictly as a contract wants it: one reading for every body, or a refusal that says why."""

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from email.message import Message
from itertools import accumulate
from math import isinf
from typing import IO, Any, NoReturn

from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser

from api.errors import MalformedJSON

MAX_DEPTH = 32
MAX_NUMBER_CHARS = 20


class StrictJSONParser(BaseParser):
    """Reads ``application/json`` in UTF-8 with ``loads``."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The object in the body. Raises ``MalformedJSON``; ``UnsupportedMediaType`` for another charset."""
        if media_type and ";" in media_type:
            refuse_charset(media_type)
        return loads(stream.read())


def refuse_charset(media_type: str) -> None:
    """Raises ``UnsupportedMediaType`` where a charset is named that is not UTF-8."""
    message = Message()
    message["Content-Type"] = media_type
    if str(message.get_param("charset", "utf-8")).lower() not in ("utf-8", "utf8"):
        raise UnsupportedMediaType(media_type)


def loads(data: bytes) -> dict[str, Any]:
    """The JSON object in ``data``; nothing at all reads as ``{}``.

    Stricter than the standard library: no NaN or Infinity, no number longer than 20 characters or too large
    for a float, no name twice in an object, no NUL or lone surrogate in a string, no nesting deeper than 32,
    no byte order mark, no other encoding. Raises ``MalformedJSON``. Cost: linear.
    """
    if not data:
        return {}
    text = decode(data)
    refuse_depth(text)
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as fault:
        raise MalformedJSON(f"{fault.msg} at line {fault.lineno}, column {fault.colno}.") from None
    if not isinstance(value, dict):
        raise MalformedJSON("The body must be a JSON object.")
    if "\\u" in text:  # raw NULs and surrogates do not get past the decoders, escaped ones do
        refuse_characters(value)
    return value


def decode(data: bytes) -> str:
    """The text in UTF-8 bytes without a byte order mark."""
    if data.startswith(codecs.BOM_UTF8):
        raise MalformedJSON("The body starts with a byte order mark.")
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        raise MalformedJSON(f"The body is not UTF-8 at byte {fault.start}.") from None


STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
BRACKET = re.compile(r"[\[\]{}]")


def refuse_depth(text: str) -> None:
    """Raises ``MalformedJSON`` before a deeply nested body reaches the recursive decoder."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    steps = (1 if bracket in "[{" else -1 for bracket in BRACKET.findall(STRING.sub("", text)))
    if max(accumulate(steps), default=0) > MAX_DEPTH:
        raise MalformedJSON(f"The body is nested deeper than {MAX_DEPTH} levels.")


FORBIDDEN = re.compile("[\0\ud800-\udfff]")


def refuse_characters(value: Any) -> None:
    """Raises ``MalformedJSON`` where a string holds what no database and no other program takes."""
    if any(FORBIDDEN.search(text) for text in strings(value)):
        raise MalformedJSON("A string holds a NUL character or half of a surrogate pair.")


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's members; which of two with one name would count is anyone's guess, so neither does."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise MalformedJSON("An object has the same name twice.")
    return members


def refuse_constant(text: str) -> NoReturn:
    """NaN and the infinities are not JSON."""
    raise MalformedJSON(f"{text} is not JSON.")


def small_integer(text: str) -> int:
    """An integer of a length that other JSON readers take too."""
    if len(text) > MAX_NUMBER_CHARS:
        raise MalformedJSON("A number is too long.")
    return int(text)


def finite_float(text: str) -> float:
    """A number that fits a float."""
    number = float(text)
    if isinf(number) or len(text) > MAX_NUMBER_CHARS:
        raise MalformedJSON("A number is too large or too long.")
    return number


DECODER = json.JSONDecoder(
    object_pairs_hook=unique,
    parse_constant=refuse_constant,
    parse_int=small_integer,
    parse_float=finite_float,
)
