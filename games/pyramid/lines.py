"""Lines: a log without its detours, so that logs which play the same way read the same."""

from __future__ import annotations

from collections.abc import Iterable


def canonical_line(log: Iterable[str]) -> list[str]:
    """A log after each undo took its action away, if any, each pair written with the lesser text first."""
    line: list[str] = []
    for move in log:
        if move == "U":
            del line[-1:]
        else:
            line.append(min(move, move[2:] + move[:2]) if len(move) == 4 else move)
    return line
