"""Moves as values. A move is text: `D` draw, `R` redeal, `U` undo, or the one or two cards it removes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations

from games.cards import FULL_DECK, Card
from games.pyramid.errors import MalformedMove


@dataclass(frozen=True, slots=True, repr=False)
class Move:
    """A draw, a redeal, an undo or a removal; read one with `Move.parse`, write it with `str`.

    `cards` are the removed cards as named, empty for the other moves. `TC3S` and `3STC` do the same and
    are different moves. A move means nothing about legality: that is for the board to say.
    """

    text: str
    cards: tuple[Card, ...] = field(default=(), compare=False)
    total: int = field(init=False, compare=False)
    """The values of the removed cards added up."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(card.value for card in self.cards))

    @staticmethod
    def parse(text: str) -> Move:
        """The move written so, exactly: upper case, no spaces, two different cards. Raises MalformedMove."""
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError):
            raise MalformedMove(text) from None

    @staticmethod
    def removal(*cards: Card) -> Move:
        """The move that removes these one or two cards. Raises MalformedMove for other numbers, or twins."""
        return Move.parse("".join(map(str, cards)))

    @property
    def is_removal(self) -> bool:
        return bool(self.cards)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move.parse({self.text!r})"


DRAW = Move("D")
REDEAL = Move("R")
UNDO = Move("U")


def _all_moves() -> dict[str, Move]:
    removals = [(card,) for card in FULL_DECK] + list(permutations(FULL_DECK, 2))
    moves = [DRAW, REDEAL, UNDO] + [Move("".join(map(str, cards)), cards) for cards in removals]
    return {move.text: move for move in moves}


_BY_TEXT = _all_moves()
