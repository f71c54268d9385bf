"""What a person should look at: signs that a run was not played by its player. They punish nobody."""

from collections.abc import Iterator
from uuid import UUID

from daily.models import Run
from games.pyramid.lines import canonical_line
from leaderboard.models import Signal

SAME_LOG_MIN_MOVES = 20
MOST_MOVES_PER_S = 8
QUICKEST_CLEAR_MS = 15_000


def signals_of(run: Run, earlier_id: UUID | str | None) -> Iterator[Signal]:
    """What is noticed about a new run, not stored yet; ``earlier_id`` is the run it may be a copy of."""
    log = run.log
    if 1000 * len(log) > MOST_MOVES_PER_S * run.elapsed_ms:
        yield _signal(run, Signal.Kind.TOO_FAST)
    if run.cleared == 28 and run.elapsed_ms < QUICKEST_CLEAR_MS:
        yield _signal(run, Signal.Kind.QUICK_CLEAR)
    if earlier_id and len(canonical_line(log)) >= SAME_LOG_MIN_MOVES:
        yield _signal(run, Signal.Kind.SAME_LOG, earlier_id)


def _signal(run: Run, kind: Signal.Kind, other_id: UUID | str | None = None) -> Signal:
    return Signal(run=run, kind=kind, other_id=other_id, noticed_at=run.submitted_at)
