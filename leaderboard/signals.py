"""What a person should look at: signs that a run was not played by its player. They punish nobody by themselves."""

from collections.abc import Iterator

from daily.models import Run
from leaderboard.models import Signal

SAME_LOG_MIN_MOVES = 20
MOST_MOVES_PER_S = 8
QUICKEST_CLEAR_MS = 15_000


def notice(run: Run) -> None:
    """Store the signals of a new run, in its transaction. One query, and one more for a run that has any."""
    if signals := list(_signals(run)):
        Signal.objects.bulk_create(signals, ignore_conflicts=True)


def _signals(run: Run) -> Iterator[Signal]:
    if 1000 * len(run.log) > MOST_MOVES_PER_S * run.elapsed_ms:
        yield _signal(run, Signal.Kind.TOO_FAST)
    if run.cleared == 28 and run.elapsed_ms < QUICKEST_CLEAR_MS:
        yield _signal(run, Signal.Kind.QUICK_CLEAR)
    if run.moves >= SAME_LOG_MIN_MOVES and (earlier := _earlier_with_same_log(run)):
        yield _signal(run, Signal.Kind.SAME_LOG, earlier)


def _signal(run: Run, kind: Signal.Kind, other: Run | None = None) -> Signal:
    return Signal(run=run, kind=kind, other=other, noticed_at=run.submitted_at)


def _earlier_with_same_log(run: Run) -> Run | None:
    """The first run of the day that plays the same way and was over before this one's attempt began."""
    same = Run.objects.filter(challenge_id=run.challenge_id, line_hash=run.line_hash)
    return same.filter(submitted_at__lt=run.attempt.started_at).order_by("submitted_at").defer("log_text").first()
