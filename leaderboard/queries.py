"""The boards as SQL reads them: always right, and slower than the index on a big board."""

import re
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Count, Func, Q, QuerySet
from django.db.models.sql.compiler import SQLCompiler

from daily.models import MAX_CLEARED, Run
from leaderboard.boards import day_board
from leaderboard.models import Standing
from leaderboard.scoring import Position

RUNS = re.compile(":[0-9]+:")
"""In the text of tallies what says how many runs there are."""


class Counts(NamedTuple):
    """How many entries of a board are better and worse than a score, and how many there are."""

    better: int
    worse: int
    field_size: int


class Slice(NamedTuple):
    """Neighbouring entries of a board, best first, and what stands before the first of them."""

    positions: list[Position]
    ahead: int
    """Entries before the first one."""
    better: int
    """Entries with a better score than the first one."""
    field_size: int


type Placed = tuple[Position, Counts]
"""Where somebody stands, and what is around."""


class View(NamedTuple):
    """What is read of a board at once."""

    slice: Slice | None
    own: Placed | None
    """The viewer's place, None without a viewer and for one who is not on the board."""


@dataclass(frozen=True)
class Tallies:
    """How many of a board's runs cleared so many cards, and how often that changed.

    ``text`` is as `TALLIES` gives it: ``20:3:5 28:1:1`` for three runs that cleared 20, after a fourth was
    taken off again, and one that cleared all 28.
    """

    text: str

    @property
    def distribution(self) -> list[int]:
        """How many runs cleared 0, 1, … 28 cards."""
        distribution = [0] * (MAX_CLEARED + 1)
        for part in self.text.split():
            cleared, runs, _ = part.split(":")
            distribution[int(cleared)] = int(runs)
        return distribution

    @property
    def target(self) -> str:
        """How far the index has to be; see `leaderboard.index`."""
        return RUNS.sub(":", self.text)


class Background(NamedTuple):
    """What there was before a run arrived."""

    tallies: Tallies
    """Of the board of its day."""
    earlier_id: UUID | str | None
    """The first run of the day that plays the same way and was over before this one's attempt began."""


TALLIES = """
    (SELECT {join}(cleared || ':' || runs || ':' || changes, ' ')
    FROM leaderboard_tally WHERE board = {board})
"""
EARLIER = """
    (SELECT attempt_id FROM daily_run WHERE challenge_id = %s AND line_hash = %s AND submitted_at < %s
    ORDER BY submitted_at LIMIT 1)
"""


class TallyText(Func):
    """The tallies of a day as text."""

    template = TALLIES.format(join="%(function)s", board="CAST(daily_challenge.date AS varchar)")
    function = "string_agg"
    output_field = CharField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        """The same by its name in SQLite."""
        return self.as_sql(compiler, connection, function="group_concat", **context)


def live(board: str) -> QuerySet[Standing]:
    """The standings that count on a board, best first."""
    return Standing.objects.filter(board=board, days__gt=0).order_by("score", "player_id")


def tallies(board: str) -> Tallies:
    """What the board's tallies say. One query."""
    with connection.cursor() as cursor:  # plain SQL, because every page asks
        cursor.execute(f"SELECT {_tallies_sql('%s')}", [board])
        return Tallies(cursor.fetchone()[0] or "")


def background(run: Run) -> Background:
    """What a run that is not stored yet is ranked and looked at against. One query."""
    day = run.challenge_id
    with connection.cursor() as cursor:  # plain SQL, because every submission asks
        arrived: list[Any] = [day_board(day), day, run.line_hash, run.attempt.started_at]
        cursor.execute(f"SELECT {_tallies_sql('%s')}, {EARLIER}", arrived)
        text, earlier_id = cursor.fetchone()
    return Background(Tallies(text or ""), earlier_id)


def _tallies_sql(board: str) -> str:
    join = "string_agg" if connection.vendor == "postgresql" else "group_concat"
    return TALLIES.format(join=join, board=board)


def place(board: str, player_id: int) -> Placed | None:
    """Where the player stands, or None."""
    position = position_of(board, player_id)
    return (position, counts(board, position.score)) if position else None


def position_of(board: str, player_id: int) -> Position | None:
    """Where the player stands, or None."""
    found = live(board).filter(player_id=player_id).values_list("score", "player_id").first()
    return Position(*found) if found else None


def counts(board: str, score: int) -> Counts:
    """The entries around a score."""
    better, worse = Count("pk", filter=Q(score__lt=score)), Count("pk", filter=Q(score__gt=score))
    return Counts(**live(board).order_by().aggregate(better=better, worse=worse, field_size=Count("pk")))


def after(board: str, position: Position | None, limit: int) -> Slice:
    """Up to ``limit`` entries that follow a position, or the first ones."""
    return _slice(board, _positions(_beyond(board, position), limit))


def before(board: str, position: Position, limit: int) -> Slice:
    """Up to ``limit`` entries that come right before a position."""
    return _slice(board, _positions(_short_of(board, position).reverse(), limit)[::-1])


def around(board: str, player_id: int, radius: int) -> Slice | None:
    """The player's entry with up to ``radius`` on either side, or None when there is none."""
    own = position_of(board, player_id)
    if own is None:
        return None
    above = _positions(_short_of(board, own).reverse(), radius)[::-1]
    return _slice(board, [*above, own, *_positions(_beyond(board, own), radius)])


def _beyond(board: str, position: Position | None) -> QuerySet[Standing]:
    if position is None:
        return live(board)
    same = Q(score=position.score, player_id__lte=position.player_id)
    return live(board).filter(score__gte=position.score).exclude(same)


def _short_of(board: str, position: Position) -> QuerySet[Standing]:
    same = Q(score=position.score, player_id__gte=position.player_id)
    return live(board).filter(score__lte=position.score).exclude(same)


def _positions(standings: QuerySet[Standing], limit: int) -> list[Position]:
    return [Position(*pair) for pair in standings.values_list("score", "player_id")[:limit]]


def _slice(board: str, positions: list[Position]) -> Slice:
    if not positions:
        return Slice([], 0, 0, live(board).count())
    score, player_id = positions[0]
    better = Count("pk", filter=Q(score__lt=score))
    level = Count("pk", filter=Q(score=score, player_id__lt=player_id))
    found = live(board).order_by().aggregate(better=better, level=level, field_size=Count("pk"))
    return Slice(positions, found["better"] + found["level"], found["better"], found["field_size"])
