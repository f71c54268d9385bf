"""Reading the boards: the index where it is complete, SQL where it is not, the same answer either way."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from daily.models import Run
from leaderboard import index, queries
from leaderboard.boards import day_of
from leaderboard.index import Reading
from leaderboard.models import Signal, Standing
from leaderboard.queries import Counts, Slice
from leaderboard.scoring import Place, Position, result
from players.models import Player

REVIEWED_RANKS = 10
"""Down to which rank a board tells that a run is under review."""
OPEN_SIGNAL = Signal.objects.filter(run=OuterRef("pk"), decided_at=None)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board: the rank, and what is ranked, a run on a day's board and sums elsewhere."""

    rank: int
    position: Position
    entry: Run | Standing

    @property
    def player(self) -> Player:
        """Whose line it is."""
        return self.entry.player

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
        return self.rank <= REVIEWED_RANKS and getattr(self.entry, "has_open_signal", False)


@dataclass(frozen=True, slots=True)
class Page:
    """Some neighbouring rows of a board, and the positions that the pages before and after start from."""

    rows: list[Row]
    field_size: int
    previous: Position | None
    next: Position | None


def place_of_score(board: str, score: int) -> Place:
    """What a new result with this score is worth among those on the board."""
    found = _confirmed(board, index.counts(board, score))
    better, worse, field_size = found.value if found else queries.counts(board, score)
    return Place(better + 1, worse, field_size + 1)


def place_of(board: str, player_id: int) -> tuple[Position, Place] | None:
    """Where the player stands and what that is worth, or None when not on the board."""
    reading = _confirmed(board, index.place(board, player_id))
    found = reading.value if reading else _place_by_sql(board, player_id)
    if found is None:
        return None
    position, (better, worse, field_size) = found
    return position, Place(better + 1, worse, field_size)


def page_after(board: str, position: Position | None, limit: int) -> Page:
    """Up to ``limit`` rows that follow a position, or the top of the board."""
    reading = _confirmed(board, index.after(board, position, limit))
    return _page(board, (reading and reading.value) or queries.after(board, position, limit))


def page_before(board: str, position: Position, limit: int) -> Page:
    """Up to ``limit`` rows that come right before a position."""
    reading = _confirmed(board, index.before(board, position, limit))
    return _page(board, (reading and reading.value) or queries.before(board, position, limit))


def page_around(board: str, player_id: int, radius: int) -> Page | None:
    """The player's row with up to ``radius`` on either side, or None when not on the board."""
    reading = _confirmed(board, index.around(board, player_id, radius))
    found = reading.value if reading else queries.around(board, player_id, radius)
    return _page(board, found) if found else None


def _confirmed[T](board: str, reading: Reading[T] | None) -> Reading[T] | None:
    """The reading, if the index was complete. SQL has to be asked second; see `leaderboard.index`."""
    return reading if reading and reading.applied == queries.changes(board) else None


def _place_by_sql(board: str, player_id: int) -> tuple[Position, Counts] | None:
    position = queries.position_of(board, player_id)
    return (position, queries.counts(board, position.score)) if position else None


def _page(board: str, found: Slice) -> Page:
    positions, ahead, _, field_size = found
    has_next = ahead + len(positions) < field_size
    return Page(
        rows=list(_rows(board, found)),
        field_size=field_size,
        previous=positions[0] if positions and ahead else None,
        next=positions[-1] if positions and has_next else None,
    )


def _rows(board: str, found: Slice) -> Iterator[Row]:
    entries = _entries(board, [position.player_id for position in found.positions])
    rank, last_score = found.better + 1, None
    for place, position in enumerate(found.positions, start=found.ahead + 1):
        if last_score not in (None, position.score):
            rank = place
        last_score = position.score
        yield Row(rank, position, entries[position.player_id])


def _entries(board: str, player_ids: list[int]) -> dict[int, Run | Standing]:
    day = day_of(board)
    entries: QuerySet[Run] | QuerySet[Standing] = (
        Run.objects.filter(challenge_id=day).defer("log_text").annotate(has_open_signal=Exists(OPEN_SIGNAL))
        if day
        else Standing.objects.filter(board=board)
    )
    found = entries.filter(player_id__in=player_ids).select_related("player")
    return {entry.player_id: entry for entry in found}
