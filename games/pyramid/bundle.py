"""A settled day as it is published: its standings in canonical form, their digest, and the bundle that holds both.

The order is the leaderboard's: more cleared first, then less time; equal in both share the rank (1, 1, 3).
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple


class Entry(NamedTuple):
    """A ranked run: ``run`` is its id in lower-case hex with hyphens, ``log`` its moves with single spaces."""

    run: str
    cleared: int
    elapsed_ms: int
    log: str


class RankedEntry(NamedTuple):
    """An entry with its rank, from 1."""

    rank: int
    entry: Entry

    def __str__(self) -> str:
        """The canonical line, ``RANK|RUN|CLEARED|ELAPSED_MS|LOG``, without its line end."""
        return f"{self.rank}|{self.entry.run}|{self.entry.cleared}|{self.entry.elapsed_ms}|{self.entry.log}"


def rank_entries(entries: Iterable[Entry]) -> Iterable[RankedEntry]:
    """The entries in canonical order, those that share a rank by their run's id."""
    rank, last = 0, None
    ordered = sorted(entries, key=lambda entry: (-entry.cleared, entry.elapsed_ms, entry.run))
    for place, entry in enumerate(ordered, start=1):
        if last != (entry.cleared, entry.elapsed_ms):
            rank, last = place, (entry.cleared, entry.elapsed_ms)
        yield RankedEntry(rank, entry)


def board_digest(ranked: Iterable[RankedEntry]) -> str:
    """SHA-256, in hex, over the canonical lines in canonical order, each ended by a line feed."""
    digest = sha256()
    for line in ranked:
        digest.update(f"{line}\n".encode("ascii"))
    return digest.hexdigest()
