"""The one order of every board: more cleared first, then less time; equal in both shares the rank (1, 1, 3).

Both figures are packed into one integer, the score, smaller being better. SQL computes it in a generated
column, Redis holds it as text of fixed width, so all sort alike and no float is involved. Among equal scores
the player's id keeps pages apart; it never decides a rank.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import F
from django.db.models.expressions import CombinedExpression

MOST_CLEARED = 2**20 - 1
"""More than a hundred years of full clears."""
MILLISECONDS = 2**42
"""More than a hundred years of playing time."""


def score(cleared: int, elapsed_ms: int) -> int:
    """The place of a result in the order: an integer from 0 to 2^62, smaller is better."""
    return (MOST_CLEARED - cleared) * MILLISECONDS + elapsed_ms


def score_column() -> CombinedExpression:
    """`score` as SQL computes it from the columns ``cleared`` and ``elapsed_ms``."""
    return (MOST_CLEARED - F("cleared")) * MILLISECONDS + F("elapsed_ms")


def result(score: int) -> tuple[int, int]:
    """The cleared cards and milliseconds that make this score."""
    lost, elapsed_ms = divmod(score, MILLISECONDS)
    return MOST_CLEARED - lost, elapsed_ms


class Position(NamedTuple):
    """Where an entry stands on its board: its score, and the player's id among equals."""

    score: int
    player_id: int

    def __str__(self) -> str:
        return f"{self.score:016x}{self.player_id:016x}"

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position that was written with ``str``; written positions sort as positions do."""
        return cls(int(text[:16], 16), int(text[16:], 16))


class Place(NamedTuple):
    """What a score is worth among the others on its board."""

    rank: int
    beaten: int
    """How many of the others are strictly worse."""
    field_size: int

    @property
    def percentile(self) -> float:
        """The share of the other players strictly beaten, 0 to 100; 100 when alone."""
        others = self.field_size - 1
        return round(100 * self.beaten / others, 2) if others else 100.0
