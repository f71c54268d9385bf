"""A run as somebody looks at it: what they may know of it, and what it is worth by now."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from django.db.models import Exists
from django_stubs_ext import WithAnnotations

from daily.models import Attempt, Run, Unranked
from leaderboard.boards import day_board
from leaderboard.queries import Tallies, TallyText
from leaderboard.scoring import Place, score
from leaderboard.settling import ensure_settled
from leaderboard.standings import OPEN_SIGNAL, REVIEWED_RANKS, place_of, place_of_score
from players.authentication import token_holder
from players.models import Player
from players.prepared import Given, Prepared


class Found(TypedDict):
    """What is found with a run."""

    asked_by: int | None
    """Whose token is the one given to `find_run`."""
    tally_text: str | None
    """The tallies of its day's board."""


type FoundRun = WithAnnotations[Run, Found]


@dataclass(frozen=True, slots=True)
class SeenRun:
    """A run before its viewer's eyes. That it was voided is told to everybody, why to its player."""

    run: Run
    place: Place | None
    """Of an unranked run the place it would have; None where the run or its day was voided."""
    is_own: bool

    @property
    def is_revealed(self) -> bool:
        """Whether the viewer may see the log, and how it compares with the best."""
        return self.is_own or self.run.challenge.is_settled

    @property
    def void_reason(self) -> str:
        """Why the run was voided, as far as the viewer is told."""
        return self.run.void_reason if self.is_own else ""

    @property
    def is_under_review(self) -> bool:
        """As on the board; see `leaderboard.standings.Row`."""
        is_near_top = self.run.counts and self.place is not None and self.place.rank <= REVIEWED_RANKS
        return is_near_top and getattr(self.run, "has_open_signal", False)


SEEN: Prepared[Any] = Prepared(
    lambda: (
        Run.objects.select_related("challenge", "player")
        .annotate(has_open_signal=Exists(OPEN_SIGNAL), asked_by=token_holder(), tally_text=TallyText())
        .filter(pk=Given("id", Attempt))
    )
)


def find_run(run_id: UUID, digest: str = "") -> FoundRun:
    """A run; ``digest`` is that of a token. Raises Run.DoesNotExist. One query."""
    found: FoundRun = SEEN.get(id=run_id, digest=digest)
    return found


def read_run(run: FoundRun, *, viewer: Player | None, now: datetime) -> SeenRun:
    """A run from `find_run` as the viewer may see it, its day settled if that is due.

    No query where nothing is due and the index is complete.
    """
    ensure_settled(run.challenge, now)
    return SeenRun(run, place_of_run(run, Tallies(run.tally_text or "")), is_own=run.player == viewer)


def place_at_arrival(run: Run) -> Place | None:
    """What a run was worth when it arrived, as it is stored; None on a voided day."""
    is_void = run.unranked_reason == Unranked.DAY_VOIDED
    return None if is_void else Place(run.rank, run.beaten, run.field_size)


def place_of_run(run: Run, tallies: Tallies | None = None) -> Place | None:
    """What a run is worth now; of an unranked one, what it would be worth; None where nothing counts."""
    board = day_board(run.challenge_id)
    if run.voided_at or run.unranked_reason == Unranked.DAY_VOIDED:
        return None
    if run.unranked_reason:
        return place_of_score(board, score(run.cleared, run.elapsed_ms), tallies)
    found = place_of(board, run.player_id, tallies)
    return found[1] if found else None
