"""Writing the boards: what a run adds to its player's standings and the tallies, in the run's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from daily.models import Run
from leaderboard.boards import boards_of
from leaderboard.scoring import Position, score

ADD_TO_STANDINGS = """
    INSERT INTO leaderboard_standing AS old (board, player_id, cleared, elapsed_ms, days, version)
    {source}
    ON CONFLICT (player_id, board) DO UPDATE SET
        cleared = old.cleared + excluded.cleared,
        elapsed_ms = old.elapsed_ms + excluded.elapsed_ms,
        days = old.days + excluded.days,
        version = old.version + 1
    RETURNING board, player_id, version, days, cleared, elapsed_ms
"""
ADD_TO_TALLIES = """
    INSERT INTO leaderboard_tally AS old (board, cleared, runs, changes)
    {source}
    ON CONFLICT (board, cleared) DO UPDATE SET runs = old.runs + excluded.runs, changes = old.changes + 1
    RETURNING board, changes
"""
ENTER = """
    WITH run AS (
        INSERT INTO daily_run ({columns}) VALUES ({values}) RETURNING player_id, cleared, elapsed_ms
    ), standings AS ({add_to_standings}), tallies AS ({add_to_tallies})
    SELECT standings.*, changes FROM standings JOIN tallies USING (board)
"""
"""PostgreSQL's. Each part reads what the one before has written, so they happen in this order."""
STANDINGS_OF_RUN = """
    SELECT board, player_id, cleared, elapsed_ms, 1, 1 FROM run CROSS JOIN unnest(%s::text[]) AS board
"""
TALLIES_OF_RUN = "SELECT standings.board, run.cleared, 1, 1 FROM standings CROSS JOIN run"
TAKE_FROM_STANDING = """
    UPDATE leaderboard_standing
    SET cleared = cleared - %s, elapsed_ms = elapsed_ms - %s, days = days - 1, version = version + 1
    WHERE board = %s AND player_id = %s
    RETURNING board, player_id, version, days, cleared, elapsed_ms
"""
TAKE_FROM_TALLY = """
    UPDATE leaderboard_tally SET runs = runs - 1, changes = changes + 1 WHERE board = %s AND cleared = %s
    RETURNING changes
"""


class Change(NamedTuple):
    """The new state of one standing: its version, and its position, or None where no day counts any more.

    ``number`` is the change's among those of the board's runs with so many ``cleared`` cards.
    """

    board: str
    player_id: int
    version: int
    position: Position | None
    cleared: int
    number: int

    @property
    def told(self) -> tuple[int, int, str, int, int]:
        """What the index is told of it."""
        return self.player_id, self.version, str(self.position or ""), self.cleared, self.number


type Figures = tuple[str, int, int, int, int, int]
"""A standing's board, player, version, days, cleared cards and milliseconds."""


def change_of(standing: Figures, cleared: int = 0, number: int = 0) -> Change:
    """The change, with this number, that left a standing with these figures."""
    board, player_id, version, days, *sums = standing
    return Change(
        board, player_id, version, Position(score(*sums), player_id) if days else None, cleared, number
    )


def enter(run: Run) -> list[Change]:
    """Store a run and, if it counts, add it to its boards, together or not at all. Raises IntegrityError.

    One statement on PostgreSQL: others wait for this run's tallies, and so for no round trip of ours.
    """
    if run.counts and connection.vendor == "postgresql":
        return _enter_at_once(run)
    with transaction.atomic():
        run.save(force_insert=True)
        return count(run) if run.counts else []


def _enter_at_once(run: Run) -> list[Change]:
    values = [getattr(run, field.attname) for field in _columns()]  # which PostgreSQL takes as they are
    with connection.cursor() as cursor:
        cursor.execute(_enter_sql(), [*values, list(boards_of(run.challenge_id))])
        return [change_of(standing, run.cleared, number) for *standing, number in cursor.fetchall()]


@cache
def _enter_sql() -> str:
    columns = [field.column for field in _columns()]
    return ENTER.format(
        columns=", ".join(columns),
        values=", ".join(["%s"] * len(columns)),
        add_to_standings=ADD_TO_STANDINGS.format(source=STANDINGS_OF_RUN),
        add_to_tallies=ADD_TO_TALLIES.format(source=TALLIES_OF_RUN),
    )


def _columns() -> list[Any]:
    return Run._meta.concrete_fields  # type: ignore[return-value]  # noqa: SLF001


def count(run: Run) -> list[Change]:
    """Add the run to its boards. Two statements, whatever the number of boards."""
    boards = boards_of(run.challenge_id)
    with connection.cursor() as cursor:
        standings = [(board, run.player_id, run.cleared, run.elapsed_ms, 1, 1) for board in boards]
        cursor.execute(*_insert(ADD_TO_STANDINGS, standings))
        changed = cursor.fetchall()
        # Last, because every run of the day with this result waits for this row until the commit.
        cursor.execute(*_insert(ADD_TO_TALLIES, [(board, run.cleared, 1, 1) for board in boards]))
        numbers = dict(cursor.fetchall())
    return [change_of(standing, run.cleared, numbers[standing[0]]) for standing in changed]


def discount(run: Run) -> list[Change]:
    """Take the run off its boards again."""
    boards = boards_of(run.challenge_id)
    with connection.cursor() as cursor:
        changed = [_take_from_standing(cursor, board, run) for board in boards]
        numbers = [_take_from_tally(cursor, board, run) for board in boards]
    numbered = zip(changed, numbers, strict=True)
    return [change_of(standing, run.cleared, number) for standing, number in numbered]


def _take_from_standing(cursor: CursorWrapper, board: str, run: Run) -> Figures:
    cursor.execute(TAKE_FROM_STANDING, [run.cleared, run.elapsed_ms, board, run.player_id])
    standing: Figures = cursor.fetchone()
    return standing


def _take_from_tally(cursor: CursorWrapper, board: str, run: Run) -> int:
    cursor.execute(TAKE_FROM_TALLY, [board, run.cleared])
    return int(cursor.fetchone()[0])


def _insert(sql: str, rows: Sequence[tuple[str | int, ...]]) -> tuple[str, list[str | int]]:
    row = f"({', '.join(['%s'] * len(rows[0]))})"
    places = ", ".join([row] * len(rows))
    return sql.format(source=f"VALUES {places}"), [value for values in rows for value in values]
