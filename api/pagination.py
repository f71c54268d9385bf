"""Keyset pages: a cursor is the signed position of a row, so a page never repeats or skips one.

A cursor belongs to one list, named by ``board``: on another list, altered or made up, it is
refused. Positions are tuples of integers, strings and None; what they mean is the list's own business.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

import orjson
from django.conf import settings
from django.db.models import Model, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac
from rest_framework.request import Request

from api.errors import BadCursor, BadParameter

type Position = tuple[int | str | None, ...]

DEFAULT_LIMIT = 50
MAX_LIMIT = 100
MAX_CURSOR_CHARS = 256
SIGNATURE_BYTES = 9
KEPT = ("league",)
"""The parameters that say which list it is."""


def encode(position: Position, board: str) -> str:
    """The cursor of a position on a board: URL-safe text, some 30 characters long."""
    payload = orjson.dumps(position)
    return urlsafe_b64encode(_sign(payload, board) + payload).rstrip(b"=").decode()


def decode(cursor: str, board: str) -> Position:
    """The position that ``encode`` was given. Raises ``BadCursor``."""
    signature, payload = _split(cursor)
    if not constant_time_compare(signature, _sign(payload, board)):
        raise BadCursor
    return tuple(orjson.loads(payload))


def _split(cursor: str) -> tuple[bytes, bytes]:
    try:
        raw = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
    except ValueError:
        raise BadCursor from None
    if len(cursor) > MAX_CURSOR_CHARS or urlsafe_b64encode(raw).rstrip(b"=").decode() != cursor:
        raise BadCursor
    return raw[:SIGNATURE_BYTES], raw[SIGNATURE_BYTES:]


def _sign(payload: bytes, board: str) -> bytes:
    return hmac.digest(_key(board, settings.SECRET_KEY), payload, "sha256")[:SIGNATURE_BYTES]


@lru_cache
def _key(board: str, secret: str) -> bytes:
    """What the cursors of a list are signed with."""
    return salted_hmac("api.cursor", board, secret, algorithm="sha256").digest()


def parameter(request: Request, name: str) -> str | None:
    """A query parameter that may be given once, None without it. Raises ``BadParameter``."""
    values = request.query_params.getlist(name)
    if len(values) > 1:
        raise BadParameter(f"{name} is given more than once.")
    return values[0] if values else None


def limit_of(request: Request) -> int:
    """The page size asked for with ``limit``, 1 to 100 in plain digits. Raises ``BadParameter``."""
    text = parameter(request, "limit")
    if text is None:
        return DEFAULT_LIMIT
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and 1 <= int(text) <= MAX_LIMIT):
        raise BadParameter(f"limit must be a number from 1 to {MAX_LIMIT}.")
    return int(text)


def position_of(request: Request, board: str) -> Position | None:
    """The position in the query's ``cursor``, None without one. Raises ``BadCursor`` or ``BadParameter``."""
    text = parameter(request, "cursor")
    return None if text is None else decode(text, board)


class Links(NamedTuple):
    """Where the pages before and after are; None where there is none."""

    next: str | None
    previous: str | None

    def header(self) -> dict[str, str]:
        """The ``Link`` header (RFC 8288), empty where there is nowhere to go."""
        pairs = ((self.next, "next"), (self.previous, "prev"))
        links = [f'<{url}>; rel="{rel}"' for url, rel in pairs if url]
        return {"Link": ", ".join(links)} if links else {}


def links_of(request: Request, page: "Page[Any]", board: str) -> Links:
    """The links of a page of the list that ``request`` asks for."""
    given = request.query_params
    query = urlencode({name: given[name] for name in KEPT if name in given} | {"limit": limit_of(request)})
    here = request.build_absolute_uri(request.path)

    def url(position: Position | None) -> str | None:
        return f"{here}?{query}&cursor={encode(position, board)}" if position else None

    return Links(url(page.next), url(page.previous))


class Page[T](NamedTuple):
    """Some neighbouring rows of a list, and the positions of the pages after and before."""

    rows: list[T]
    next: Position | None
    previous: Position | None


def newest_first[M: Model](rows: QuerySet[M], key: str, position: Position | None, limit: int) -> Page[M]:
    """A page of rows by a unique key that grows, from the newest on or from a position of ``Page``.

    Positions are ``("after", key)`` and ``("before", key)``. Cost: one query, by the key's index.
    """
    way, edge = position or ("after", None)
    if way == "before":
        found = list(rows.filter(**{f"{key}__gt": edge}).order_by(key)[: limit + 1])
        shown, has_next, has_previous = found[:limit][::-1], True, len(found) > limit
    else:
        older = rows if edge is None else rows.filter(**{f"{key}__lt": edge})
        found = list(older.order_by(f"-{key}")[: limit + 1])
        shown, has_next, has_previous = found[:limit], len(found) > limit, edge is not None
    return Page(
        shown,
        next=("after", _text(shown[-1], key)) if shown and has_next else None,
        previous=("before", _text(shown[0], key)) if shown and has_previous else None,
    )


def _text(row: Model, key: str) -> str:
    return str(getattr(row, key))
