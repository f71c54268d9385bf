"""A settled day as it is published: the board in canonical form, the digest over it, the bundle around both.

*The board.* The order is the leaderboard's: more cleared first, then less time; equal in both share the rank
(1, 1, 3). Runs that share a rank stand by their ids. Each ranked run is a canonical line,
``RANK|RUN|CLEARED|ELAPSED_MS|LOG``: numbers in decimal, the run's id in lower-case hex with hyphens, the
moves as they were submitted with single spaces. The digest is SHA-256, in hex, over these lines as ASCII in
this order, each ended by a line feed.

*The bundle* is a stream of JSON objects, one a line: a `Header`, then each run of the day as a `RunLine`, in
the same order, those that are not ranked in between. `games.pyramid.verify` checks one.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple, TypedDict

FORMAT = "pyramid-daily-bundle/1"


class Entry(NamedTuple):
    """A run: ``run`` is its id in lower-case hex with hyphens, ``log`` its moves with single spaces."""

    run: str
    cleared: int
    elapsed_ms: int
    log: str

    @property
    def order(self) -> tuple[int, int, str]:
        """What the runs of a day are sorted by."""
        return -self.cleared, self.elapsed_ms, self.run


class Ranking:
    """Gives ranks to results that come best first; equal ones share theirs."""

    def __init__(self) -> None:
        self.field_size = 0
        self._rank = 0
        self._last: tuple[int, int] | None = None

    def place(self, cleared: int, elapsed_ms: int) -> int:
        """The rank of the next result, from 1."""
        self.field_size += 1
        if self._last != (cleared, elapsed_ms):
            self._rank, self._last = self.field_size, (cleared, elapsed_ms)
        return self._rank


class BoardDigest:
    """The digest of a board whose entries are added in their order. Holds none of them."""

    def __init__(self) -> None:
        self._ranking = Ranking()
        self._digest = sha256()

    def add(self, entry: Entry) -> None:
        """Rank the next entry and take its canonical line in."""
        rank = self._ranking.place(entry.cleared, entry.elapsed_ms)
        line = f"{rank}|{entry.run}|{entry.cleared}|{entry.elapsed_ms}|{entry.log}\n"
        # A log with other characters than ASCII is no legal one; it makes a digest that no board has.
        self._digest.update(line.encode("ascii", "backslashreplace"))

    @property
    def field_size(self) -> int:
        """How many entries were added."""
        return self._ranking.field_size

    def hexdigest(self) -> str:
        """The digest over the entries so far, in hex."""
        return self._digest.hexdigest()


class Revision(TypedDict):
    """How the board stood from ``settled_at`` on; the first is how the day settled."""

    revision: int
    digest: str
    settled_at: str


class Header(TypedDict):
    """The first line of a bundle. Times are ISO 8601 in UTC to the microsecond, with a Z."""

    format: str
    date: str
    rules: str
    rules_version: int
    salt: str
    deck: str
    code: str | None
    commitment: str
    best_clear: int | None
    """The most that any play can clear; null where that was not proven."""
    best_line: list[str]
    difficulty: float | None
    opens_at: str
    closes_at: str
    settled_at: str
    voided: bool
    """Whether the day counts for nobody."""
    revision: int
    digest: str
    field_size: int
    """How many runs are ranked."""
    runs: int
    """How many lines follow."""
    revisions: list[Revision]


class RunLine(TypedDict):
    """A further line of a bundle."""

    run: str
    player: str
    """The player's public name at the moment of asking."""
    rank: int | None
    cleared: int
    elapsed_ms: int
    log: list[str]
    won: bool
    moves: int
    points: int
    """With the bonus for time."""
    voided: bool
    """Whether the run was taken off the board. Why is between its player and the service."""
    unranked: str | None
    """Why the run never was on it, in a word."""
