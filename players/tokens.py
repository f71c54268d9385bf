"""The secrets behind bearer tokens, as text.

``pyd_``, 43 characters for 256 random bits, 8 hex digits of CRC-32: the prefix is for people and secret
scanners, the checksum tells a mistyped token from an unknown one before the database is asked.
"""

import re
import secrets
from hashlib import sha256
from typing import Final
from zlib import crc32

PREFIX: Final = "pyd_"
FORM: Final = re.compile(r"(pyd_[A-Za-z0-9_-]{43})([0-9a-f]{8})")


def make_secret() -> str:
    """A new token of 55 characters."""
    body = PREFIX + secrets.token_urlsafe(32)
    return body + _checksum(body)


def is_well_formed(text: str) -> bool:
    """Whether a text could be a token: form and checksum, no more."""
    match = FORM.fullmatch(text)
    return match is not None and _checksum(match[1]) == match[2]


def digest_of(secret: str) -> str:
    """SHA-256 in hex: what is kept. 256 random bits need no slow hash."""
    return sha256(secret.encode()).hexdigest()


def hint_of(secret: str) -> str:
    """The first characters, to tell one token from another in a list."""
    return secret[: len(PREFIX) + 4]


def _checksum(body: str) -> str:
    return f"{crc32(body.encode()):08x}"
