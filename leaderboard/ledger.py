"""Writing the boards: what one run adds to its player's standings and to the tallies. Runs inside its transaction."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from daily.models import Run
from leaderboard.boards import boards_of
from leaderboard.scoring import Position, score

ADD_TO_STANDINGS = """
    INSERT INTO leaderboard_standing AS old (board, player_id, cleared, elapsed_ms, days, version)
    VALUES {rows}
    ON CONFLICT (player_id, board) DO UPDATE SET
        cleared = old.cleared + excluded.cleared,
        elapsed_ms = old.elapsed_ms + excluded.elapsed_ms,
        days = old.days + excluded.days,
        version = old.version + 1
    RETURNING board, player_id, version, days, cleared, elapsed_ms
"""
ADD_TO_TALLIES = """
    INSERT INTO leaderboard_tally AS old (board, cleared, runs, changes)
    VALUES {rows}
    ON CONFLICT (board, cleared) DO UPDATE SET runs = old.runs + excluded.runs, changes = old.changes + 1
"""


class Change(NamedTuple):
    """The new state of one standing: its version, and its position, or None where no day counts any more."""

    board: str
    player_id: int
    version: int
    position: Position | None

    @classmethod
    def of(cls, board: str, player_id: int, version: int, days: int, cleared: int, elapsed_ms: int) -> Change:
        """The change that left a standing with these figures."""
        return cls(board, player_id, version, Position(score(cleared, elapsed_ms), player_id) if days else None)


def count(run: Run) -> list[Change]:
    """Add the run to its boards. Two statements, whatever the number of boards."""
    return _add(run, cleared=run.cleared, elapsed_ms=run.elapsed_ms, days=1)


def _add(run: Run, *, cleared: int, elapsed_ms: int, days: int) -> list[Change]:
    boards = boards_of(run.challenge_id)
    with connection.cursor() as cursor:
        standings = [(board, run.player_id, cleared, elapsed_ms, days, 1) for board in boards]
        cursor.execute(*_insert(ADD_TO_STANDINGS, standings))
        changes = [Change.of(*row) for row in cursor.fetchall()]
        # Last, because every run of the day with this result waits for this row until the commit.
        cursor.execute(*_insert(ADD_TO_TALLIES, [(board, run.cleared, days, 1) for board in boards]))
    return changes


def _insert(sql: str, rows: list[tuple[object, ...]]) -> tuple[str, list[object]]:
    row = f"({', '.join(['%s'] * len(rows[0]))})"
    return sql.format(rows=", ".join([row] * len(rows))), [value for values in rows for value in values]


