"""Keyset pages: a cursor is the signed position of a row, so a page never repeats or skips one.

Pure functions. A cursor belongs to one list, named by ``board``: on another list, altered or made up, it is
refused. Positions are tuples of integers, strings and None; what they mean is the list's own business.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlencode

from django.utils.crypto import constant_time_compare, salted_hmac
from rest_framework.request import Request

from api.errors import BadCursor, BadParameter

type Position = tuple[int | str | None, ...]

DEFAULT_LIMIT = 50
MAX_LIMIT = 100
MAX_CURSOR_CHARS = 256
SIGNATURE_BYTES = 9


def encode(position: Position, board: str) -> str:
    """The cursor of a position on a board: URL-safe text, some 30 characters long."""
    payload = json.dumps(position, separators=(",", ":")).encode()
    return urlsafe_b64encode(_sign(payload, board) + payload).rstrip(b"=").decode()


def decode(cursor: str, board: str) -> Position:
    """The position that ``encode`` was given. Raises ``BadCursor``."""
    signature, payload = _split(cursor)
    if not constant_time_compare(signature, _sign(payload, board)):
        raise BadCursor
    return tuple(json.loads(payload))


def _split(cursor: str) -> tuple[bytes, bytes]:
    try:
        raw = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
    except ValueError:
        raise BadCursor from None
    if len(cursor) > MAX_CURSOR_CHARS or urlsafe_b64encode(raw).rstrip(b"=").decode() != cursor:
        raise BadCursor
    return raw[:SIGNATURE_BYTES], raw[SIGNATURE_BYTES:]


def _sign(payload: bytes, board: str) -> bytes:
    return salted_hmac(f"api.cursor:{board}", payload, algorithm="sha256").digest()[:SIGNATURE_BYTES]


def parameter(request: Request, name: str) -> str | None:
    """A query parameter that may be given once. Raises ``BadParameter``."""
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


def page_url(request: Request, position: Position | None, board: str) -> str | None:
    """The URL of the page at ``position`` of the list that ``request`` asks for; None for None."""
    if position is None:
        return None
    query = {"limit": limit_of(request), "cursor": encode(position, board)}
    return request.build_absolute_uri(f"{request.path}?{urlencode(query)}")


def link_header(*, next_url: str | None, previous_url: str | None) -> dict[str, str]:
    """The ``Link`` header (RFC 8288) of a page, empty where there is nowhere to go."""
    links = [f'<{url}>; rel="{rel}"' for url, rel in ((next_url, "next"), (previous_url, "prev")) if url]
    return {"Link": ", ".join(links)} if links else {}
