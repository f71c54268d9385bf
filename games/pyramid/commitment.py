"""The promise published before a day opens: a hash that pins its deal without telling it."""

from datetime import date
from hashlib import sha256


def commitment(*, day: date, rules: str, salt: str, deck: str) -> str:
    """SHA-256, in hex, of ``pyramid-daily/1|DATE|RULES|SALT|DECK``.

    ``rules`` is a slug, ``salt`` 128 random bits in hex, ``deck`` 52 cards with single spaces. Anybody can
    check it once salt and deck are revealed.
    """
    return sha256(f"pyramid-daily/1|{day.isoformat()}|{rules}|{salt}|{deck}".encode("ascii")).hexdigest()
