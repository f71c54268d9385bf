"""Playing cards as values: `Card.parse("TC")` is the ten of clubs, and `str` writes it back."""

from __future__ import annotations

from dataclasses import dataclass

RANKS = "A23456789TJQK"
SUITS = "CDHS"


@dataclass(frozen=True, order=True, slots=True, repr=False)
class Card:
    """One of 52 cards, known by its `number`: its place in `FULL_DECK`, 0 to 51. Cards sort so.

    Raises ValueError for any other number.
    """

    number: int

    def __post_init__(self) -> None:
        if not 0 <= self.number < 52:
            raise ValueError(f"a card's number is 0 to 51, not {self.number}")

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written as rank and suit, upper case, such as `"TH"`. Raises ValueError for all else."""
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError):
            raise ValueError(f"not a card: {text!r:.40}") from None

    @property
    def rank(self) -> str:
        """One of `A23456789TJQK`."""
        return RANKS[self.number % 13]

    @property
    def suit(self) -> str:
        """One of `CDHS`."""
        return SUITS[self.number // 13]

    @property
    def value(self) -> int:
        """1 for an ace to 13 for a king."""
        return self.number % 13 + 1

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


FULL_DECK = tuple(Card(number) for number in range(52))
"""Ace to king of clubs, then diamonds, hearts and spades."""

_BY_TEXT = {str(card): card for card in FULL_DECK}
