"""Reading the boards: the index where it is complete, SQL where it is not, the same answer either way."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Value

from daily.models import Challenge, Run
from leaderboard import index, queries
from leaderboard.boards import day_of
from leaderboard.index import Reading
from leaderboard.models import Signal, Standing
from leaderboard.queries import Counts, Slice
from leaderboard.scoring import Place, Position, result
from players.models import Player
from players.prepared import Given, GivenMany, Prepared

REVIEWED_RANKS = 10
"""Down to which rank a board tells that a run is under review."""
OPEN_SIGNAL = Signal.objects.filter(run=OuterRef("pk"), decided_at=None)


class Entry(NamedTuple):
    """Whose a line of a board is, and what it tells besides rank and result."""

    player: str
    """The player's name."""
    is_bot: bool
    country: str
    days: int
    """On how many of the board's days the player has a ranked run."""
    run_id: UUID | None = None
    """On the board of a day, as what follows."""
    won: bool = False
    has_open_signal: bool = False


PLAYER_FIELDS = "player_id", "player__name", "player__is_bot", "player__country"
ON_DAY = Prepared(
    lambda: (
        Run.objects.filter(challenge=Given("day", Challenge), player__pk__in=GivenMany("players", Player))
        .order_by()
        .values_list(*PLAYER_FIELDS, Value(1), "pk", "won", Exists(OPEN_SIGNAL))
    )
)
IN_PERIOD = Prepared(
    lambda: (
        Standing.objects.filter(board=Given("board", Standing, "board"))
        .filter(player__pk__in=GivenMany("players", Player))
        .values_list(*PLAYER_FIELDS, "days")
    )
)


class Row(NamedTuple):
    """One line of a board: the rank, the result, and what else there is to it."""

    rank: int
    position: Position
    entry: Entry

    @property
    def cleared(self) -> int:
        """Pyramid cards cleared, summed over the board's days."""
        return result(self.position.score)[0]

    @property
    def elapsed_ms(self) -> int:
        """Milliseconds taken, summed over the board's days."""
        return result(self.position.score)[1]

    @property
    def under_review(self) -> bool:
        """Whether the row is near the top and an admin has yet to look into what was noticed about it."""
        return self.rank <= REVIEWED_RANKS and self.entry.has_open_signal


@dataclass(frozen=True, slots=True)
class Own:
    """The viewer's line, wherever on the board it is, and what it is worth."""

    row: Row
    place: Place


@dataclass(frozen=True, slots=True)
class Page:
    """Some neighbouring rows of a board, where the pages before and after start, and how the whole stands."""

    rows: list[Row]
    field_size: int
    previous: Position | None
    next: Position | None
    distribution: list[int]
    """How many of the board's runs cleared 0, 1, … 28 cards."""
    own: Own | None
    """None without a viewer, and for one who is not on the board."""


def place_of_score(board: str, score: int, changes: Callable[[], int] | None = None) -> Place:
    """What a new result with this score is worth among those on the board.

    ``changes`` tells how often it has changed, where that is asked together with something else.
    """
    reading = index.counts(board, score)
    changes = changes or partial(queries.changes, board)
    found = _believe(reading, changes, partial(queries.counts, board, score))
    return Place(found.better + 1, found.worse, found.field_size + 1)


def place_of(board: str, player_id: int) -> tuple[Position, Place] | None:
    """Where the player stands and what that is worth, or None when not on the board."""
    reading = index.place(board, player_id)
    found = _believe(reading, partial(queries.changes, board), partial(_place_by_sql, board, player_id))
    return _worth(*found) if found else None


def page_after(board: str, position: Position | None, limit: int, *, viewer_id: int | None = None) -> Page:
    """Up to ``limit`` rows that follow a position, or the top of the board, and where a viewer stands.

    Two queries, as for every page, where the index is complete.
    """
    by_sql = partial(queries.after, board, position, limit)
    return compose(board, *_look(board, index.after(board, position, limit), by_sql, viewer_id))


def page_before(board: str, position: Position, limit: int, *, viewer_id: int | None = None) -> Page:
    """Up to ``limit`` rows that come right before a position."""
    by_sql = partial(queries.before, board, position, limit)
    return compose(board, *_look(board, index.before(board, position, limit), by_sql, viewer_id))


def page_around(board: str, player_id: int, radius: int, *, viewer_id: int | None = None) -> Page | None:
    """The player's row with up to ``radius`` on either side, or None when not on the board."""
    by_sql = partial(queries.around, board, player_id, radius)
    reading = index.around(board, player_id, radius)
    other_id = viewer_id if viewer_id != player_id else None
    found, distribution, placed = _look(board, reading, by_sql, other_id)
    if found is None:
        return None
    neighbours, counts = found
    if viewer_id == player_id:
        placed = _worth(next(one for one in neighbours.positions if one.player_id == player_id), counts)
    return compose(board, neighbours, distribution, placed)


def compose(board: str, found: Slice, distribution: list[int], placed: tuple[Position, Place] | None) -> Page:
    """A page of these entries, with the viewer placed. One query."""
    positions, ahead, _, field_size = found
    shown = [*positions, placed[0]] if placed else positions
    entries = _entries(board, [position.player_id for position in shown])
    return Page(
        rows=list(_rows(found, entries)),
        field_size=field_size,
        previous=positions[0] if positions and ahead else None,
        next=positions[-1] if positions and ahead + len(positions) < field_size else None,
        distribution=distribution,
        own=_own(*placed, entries) if placed else None,
    )


def _look[S](
    board: str, reading: Reading[S] | None, by_sql: Callable[[], S], viewer_id: int | None
) -> tuple[S, list[int], tuple[Position, Place] | None]:
    """The entries read, the distribution and the viewer's place, all of the index where it was complete."""
    own = index.place(board, viewer_id) if viewer_id else None
    tallies = queries.tallies(board)
    found = _believe(reading, lambda: tallies.changes, by_sql)
    place_by_sql = partial(_place_by_sql, board, viewer_id) if viewer_id else lambda: None
    placed = _believe(own, lambda: tallies.changes, place_by_sql)
    return found, tallies.distribution, _worth(*placed) if placed else None


def _believe[T](reading: Reading[T] | None, changes: Callable[[], int], by_sql: Callable[[], T]) -> T:
    """What the index says if it was complete; SQL has to be asked second, see `leaderboard.index`."""
    return reading.value if reading and reading.applied == changes() else by_sql()


def _place_by_sql(board: str, player_id: int) -> tuple[Position, Counts] | None:
    position = queries.position_of(board, player_id)
    return (position, queries.counts(board, position.score)) if position else None


def _worth(position: Position, counts: Counts) -> tuple[Position, Place]:
    return position, Place(counts.better + 1, counts.worse, counts.field_size)


def _rows(found: Slice, entries: Mapping[int, Entry]) -> Iterator[Row]:
    rank, last_score = found.better + 1, None
    for place, position in enumerate(found.positions, start=found.ahead + 1):
        if last_score not in (None, position.score):
            rank = place
        last_score = position.score
        yield Row(rank, position, entries[position.player_id])


def _own(position: Position, place: Place, entries: Mapping[int, Entry]) -> Own:
    return Own(Row(place.rank, position, entries[position.player_id]), place)


def _entries(board: str, player_ids: list[int]) -> dict[int, Entry]:
    """What there is to the players' lines on the board. One query."""
    if not player_ids:
        return {}
    day = day_of(board)
    found = (
        ON_DAY.rows(day=day, players=player_ids) if day else IN_PERIOD.rows(board=board, players=player_ids)
    )
    return {player_id: Entry(*shown) for player_id, *shown in found}
