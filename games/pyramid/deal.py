"""Deals: 52 cards in dealing order, from a code, a number, a deck or random bits. Version 1, for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from random import Random

from games.cards import FULL_DECK, Card
from games.pyramid.errors import BadDeal
from games.pyramid.layout import PYRAMID_SIZE

MAX_NUMBER = 2**53 - 1
"""The largest number that names a deal: the largest integer every JSON reader keeps exactly."""


_SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_SYMBOLS = 15
_CODE = re.compile(rf"PYR1{rf'-?([{_SYMBOLS}]{{4}})' * 4}")
_LOOKALIKES = str.maketrans("OIL", "011")


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """One order of the 52 cards: the pyramid row by row from the apex, then the stock, first drawn first.

    Make one with `from_code`, `from_number`, `from_deck` or `random`; the constructor trusts its arguments.
    Deals are equal when their cards are. `code` is canonical, or None for a deal known only by its cards.
    """

    cards: tuple[Card, ...]
    code: str | None = field(default=None, compare=False)

    @classmethod
    def from_code(cls, text: str) -> Deal:
        """Read a code such as `PYR1-0000-0000-0000-0017`.

        Lower case, missing hyphens, O for 0 and I or L for 1 are understood. Raises BadDeal (malformed_code,
        bad_check_symbol).
        """
        symbols = _read_symbols(text)
        if symbols[-1] != _check_symbol(symbols[:-1]):
            raise BadDeal(
                "bad_check_symbol", text, "The deal code has a typing error: its last symbol does not fit."
            )
        return cls._of_symbols(symbols)

    @classmethod
    def from_number(cls, number: int) -> Deal:
        """The deal with this number, 1 to 2^53 - 1. Raises BadDeal (bad_number)."""
        if type(number) is not int or not 1 <= number <= MAX_NUMBER:
            raise BadDeal("bad_number", number, f"A deal's number is a whole number from 1 to {MAX_NUMBER}.")
        return cls._of_bits(number)

    @classmethod
    def from_deck(cls, text: str) -> Deal:
        """The deal of these 52 cards, written with single spaces in dealing order.

        Raises BadDeal (malformed_deck, wrong_card_count, duplicate_card).
        """
        return cls(_read_deck(text))

    @classmethod
    def random(cls, rng: Random) -> Deal:
        """A deal with a code, from 75 bits of `rng`. Pass a `SystemRandom` where nobody may guess it."""
        return cls._of_bits(rng.getrandbits(5 * _RANDOM_SYMBOLS))

    @classmethod
    def _of_bits(cls, bits: int) -> Deal:
        places = reversed(range(_RANDOM_SYMBOLS))
        symbols = "".join(_SYMBOLS[bits >> 5 * place & 31] for place in places)
        return cls._of_symbols(symbols + _check_symbol(symbols))

    @classmethod
    def _of_symbols(cls, symbols: str) -> Deal:
        code = "-".join(["PYR1", *(symbols[start : start + 4] for start in range(0, 16, 4))])
        return cls(_shuffled(code), code)

    @property
    def deck(self) -> str:
        """The 52 cards with single spaces, as `from_deck` reads them."""
        return " ".join(map(str, self.cards))

    @property
    def pyramid(self) -> tuple[Card, ...]:
        """The 28 cards of the pyramid, row by row from the apex, left to right."""
        return self.cards[:PYRAMID_SIZE]

    @property
    def stock(self) -> tuple[Card, ...]:
        """The 24 cards of the stock, first drawn first."""
        return self.cards[PYRAMID_SIZE:]

    def __str__(self) -> str:
        return self.code or self.deck

    def __repr__(self) -> str:
        return f"Deal.from_code({self.code!r})" if self.code else f"Deal.from_deck({self.deck!r})"


def _read_symbols(text: str) -> str:
    # Only ASCII may be upper-cased: other alphabets have letters whose upper case is one of ours.
    if isinstance(text, str) and text.isascii():
        match = _CODE.fullmatch(text.upper().translate(_LOOKALIKES))
        if match:
            return "".join(match.groups())
    raise BadDeal("malformed_code", text, "A deal code looks like PYR1-0000-0000-0000-0017.")


def _check_symbol(symbols: str) -> str:
    return _SYMBOLS[sha256(symbols.encode("ascii")).digest()[0] % 32]


def _shuffled(code: str) -> tuple[Card, ...]:
    deck = list(FULL_DECK)
    stream = _bytes_of(code)
    for i in range(51, 0, -1):
        j = _draw_below(i + 1, stream)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def _bytes_of(code: str) -> Iterator[int]:
    for block in count():
        yield from sha256(f"{code}:{block}".encode("ascii")).digest()


def _draw_below(limit: int, stream: Iterator[int]) -> int:
    # Bytes from the incomplete last run of `limit` values would favour the low ones.
    fair = 256 - 256 % limit
    return next(byte for byte in stream if byte < fair) % limit


def _read_deck(text: str) -> tuple[Card, ...]:
    if not isinstance(text, str):
        raise BadDeal("malformed_deck", text, "A deck is text: 52 cards with single spaces.")
    # One card too many is enough to know; the rest of a hostile text is not worth reading.
    words = text.split(" ", 52)
    try:
        cards = tuple(map(Card.parse, words[:52]))
    except ValueError as error:
        raise BadDeal("malformed_deck", text, f"The deck cannot be read: {error}.") from None
    if len(words) != 52:
        found = "more" if len(words) > 52 else len(words)
        raise BadDeal("wrong_card_count", text, f"A deck has 52 cards; this one has {found}.")
    if len(set(cards)) != 52:
        twin = next(card for card in cards if cards.count(card) > 1)
        raise BadDeal("duplicate_card", text, f"The deck holds {twin} more than once.")
    return cards
