"""Reading the boards: the index where it is complete, SQL where it is not, the same answer either way."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.db.models import Exists, OuterRef

from daily.models import Challenge, Run
from leaderboard import index, queries
from leaderboard.boards import day_of
from leaderboard.models import Signal, Standing
from leaderboard.queries import Counts, Slice, Tallies, View
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
    run_id: UUID | None = None
    """On the board of a day, as the two that follow."""
    won: bool = False
    has_open_signal: bool = False
    days: int = 1
    """On how many of the board's days the player has a ranked run."""


PLAYER_FIELDS = "player_id", "player__name", "player__is_bot", "player__country"
ON_DAY = Prepared(
    lambda: (
        Run.objects.filter(challenge=Given("day", Challenge), player__pk__in=GivenMany("players", Player))
        .order_by()
        .values_list(*PLAYER_FIELDS, "pk", "won", Exists(OPEN_SIGNAL))
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
    cleared: int
    """Pyramid cards cleared, summed over the board's days."""
    elapsed_ms: int
    """Milliseconds taken, summed over the board's days."""
    position: Position
    entry: Entry

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


def place_of_score(board: str, score: int, tallies: Tallies | None = None) -> Place:
    """What a new result with this score is worth among those on the board.

    Whoever has the board's tallies already, from before, gives them.
    """
    found = index.may_ask() and index.counts(board, (tallies or queries.tallies(board)).target, score)
    found = found or queries.counts(board, score)
    return Place(found.better + 1, found.worse, found.field_size + 1)


def place_of(board: str, player_id: int, tallies: Tallies | None = None) -> tuple[Position, Place] | None:
    """Where the player stands and what that is worth, or None when not on the board."""
    view = index.may_ask() and index.place(board, (tallies or queries.tallies(board)).target, player_id)
    view = view or View(None, queries.place(board, player_id))
    return _worth(*view.own) if view.own else None


def page_after(
    board: str,
    position: Position | None,
    limit: int,
    *,
    viewer_id: int | None = None,
    tallies: Tallies | None = None,
) -> Page:
    """Up to ``limit`` rows that follow a position, or the top of the board, and where a viewer stands.

    Two queries, as for every page, where the index is complete, and one with the tallies given.
    """
    return cast("Page", _page(board, viewer_id, tallies, index.after, queries.after, position, limit))


def page_before(
    board: str,
    position: Position,
    limit: int,
    *,
    viewer_id: int | None = None,
    tallies: Tallies | None = None,
) -> Page:
    """Up to ``limit`` rows that come right before a position."""
    return cast("Page", _page(board, viewer_id, tallies, index.before, queries.before, position, limit))


def page_around(
    board: str,
    player_id: int,
    radius: int,
    *,
    viewer_id: int | None = None,
    tallies: Tallies | None = None,
) -> Page | None:
    """The player's row with up to ``radius`` on either side, or None when not on the board."""
    return _page(board, viewer_id, tallies, index.around, queries.around, player_id, radius)


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


def _page(
    board: str,
    viewer_id: int | None,
    tallies: Tallies | None,
    by_index: Callable[..., View | None],
    by_sql: Callable[..., Slice | None],
    *asked: Any,
) -> Page | None:
    """The entries asked for and the viewer's place, of the index where it has got as far as the tallies."""
    tallies = tallies or queries.tallies(board)
    view = by_index(board, tallies.target, viewer_id, *asked)
    view = view or View(by_sql(board, *asked), queries.place(board, viewer_id) if viewer_id else None)
    if view.slice is None:
        return None
    return compose(board, view.slice, tallies.distribution, _worth(*view.own) if view.own else None)


def _worth(position: Position, counts: Counts) -> tuple[Position, Place]:
    return position, Place(counts.better + 1, counts.worse, counts.field_size)


def _rows(found: Slice, entries: Mapping[int, Entry]) -> Iterator[Row]:
    rank, last_score = found.better + 1, None
    for place, position in enumerate(found.positions, start=found.ahead + 1):
        if last_score not in (None, position.score):
            rank = place
        last_score = position.score
        yield _row(rank, position, entries)


def _row(rank: int, position: Position, entries: Mapping[int, Entry]) -> Row:
    cleared, elapsed_ms = result(position.score)
    return Row(rank, cleared, elapsed_ms, position, entries[position.player_id])


def _own(position: Position, place: Place, entries: Mapping[int, Entry]) -> Own:
    return Own(_row(place.rank, position, entries), place)


def _entries(board: str, player_ids: list[int]) -> dict[int, Entry]:
    """What there is to the players' lines on the board. One query."""
    if not player_ids:
        return {}
    if day := day_of(board):
        found = ON_DAY.rows(day=day, players=player_ids)
        return {player_id: Entry(*shown) for player_id, *shown in found}
    found = IN_PERIOD.rows(board=board, players=player_ids)
    return {key: Entry(player, is_bot, country, days=days) for key, player, is_bot, country, days in found}
