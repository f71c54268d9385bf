"""What a person should look at: signs that a run was not played by its player. They punish nobody."""

from collections.abc import Iterator
from uuid import UUID

from django.db import connection

from daily.models import Run
from games.pyramid.lines import canonical_line
from leaderboard.models import Signal

SAME_LOG_MIN_MOVES = 20
MOST_MOVES_PER_S = 8
QUICKEST_CLEAR_MS = 15_000
EARLIER_WITH_SAME_LINE = """
    SELECT attempt_id FROM daily_run WHERE challenge_id = %s AND line_hash = %s AND submitted_at < %s
    ORDER BY submitted_at LIMIT 1
"""
"""Plain SQL, because every submission asks."""


def notice(run: Run) -> None:
    """Store the signals of a new run, in its transaction. One query, and one more for a run that has any."""
    if signals := list(_signals(run)):
        Signal.objects.bulk_create(signals)


def _signals(run: Run) -> Iterator[Signal]:
    log = run.log
    if 1000 * len(log) > MOST_MOVES_PER_S * run.elapsed_ms:
        yield _signal(run, Signal.Kind.TOO_FAST)
    if run.cleared == 28 and run.elapsed_ms < QUICKEST_CLEAR_MS:
        yield _signal(run, Signal.Kind.QUICK_CLEAR)
    if len(canonical_line(log)) >= SAME_LOG_MIN_MOVES and (earlier := _earlier_with_same_line(run)):
        yield _signal(run, Signal.Kind.SAME_LOG, earlier)


def _signal(run: Run, kind: Signal.Kind, other_id: UUID | str | None = None) -> Signal:
    return Signal(run=run, kind=kind, other_id=other_id, noticed_at=run.submitted_at)


def _earlier_with_same_line(run: Run) -> UUID | str | None:
    """The first run of the day that plays the same way and was over before this one's attempt began."""
    with connection.cursor() as cursor:
        cursor.execute(EARLIER_WITH_SAME_LINE, [run.challenge_id, run.line_hash, run.attempt.started_at])
        found = cursor.fetchone()
    return found[0] if found else None
