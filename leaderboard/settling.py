"""The end of a day: what was left open is finished, ranks freeze, and the board gets its digest.

Everything here converges: late, twice, in parallel or after a crash half-way, a day settles once and alike.
"""

from collections.abc import Iterator
from datetime import date, datetime

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Max

from daily.models import Attempt, Challenge, Run
from daily.services import judge_checkpoint
from games.pyramid.bundle import Entry, board_digest, rank_entries
from leaderboard.boards import day_board
from leaderboard.models import Settlement
from leaderboard.services import enter

FREEZE_RANKS = """
    UPDATE leaderboard_standing SET rank = ranked.rank
    FROM (
        SELECT id, CASE WHEN days > 0 THEN rank() OVER (PARTITION BY days > 0 ORDER BY score) END AS rank
        FROM leaderboard_standing WHERE board = %s
    ) AS ranked
    WHERE leaderboard_standing.id = ranked.id
"""


def finish_overdue(now: datetime) -> int:
    """Make a run of every kept attempt whose deadline has passed; how many were made.

    An attempt without a checkpoint stays without a run: played, not ranked. The grace lets every submission
    that arrived in time come first.
    """
    overdue = Attempt.objects.filter(deadline_at__lt=now - settings.DEADLINE_GRACE, run=None)
    kept = overdue.exclude(checkpoint_at=None).select_related("challenge", "player")
    return sum(_finish(attempt) for attempt in kept)


def _finish(attempt: Attempt) -> bool:
    try:
        enter(judge_checkpoint(attempt))
    except IntegrityError:
        return False  # somebody else was here first
    return True


def settle_due(now: datetime) -> list[date]:
    """Settle every day whose last attempt has ended; the days that this call settled."""
    finish_overdue(now)
    due = list(Challenge.objects.due_for_settling(now).values_list("date", flat=True))
    return [day for day in due if _settle(day, now)]


@transaction.atomic
def _settle(day: date, now: datetime) -> bool:
    challenge = Challenge.objects.select_for_update().get(date=day)
    if challenge.is_settled:
        return False
    freeze(challenge, now)
    challenge.settled_at = now
    challenge.save(update_fields=["settled_at"])
    return True


def freeze(challenge: Challenge, now: datetime, *, reason: str = "") -> Settlement:
    """Store the final ranks and the board's digest as the next revision. Call it holding the challenge's row lock."""
    with connection.cursor() as cursor:
        cursor.execute(FREEZE_RANKS, [day_board(challenge.date)])
    entries = list(board_entries(challenge.date))
    latest = challenge.settlements.aggregate(latest=Max("revision", default=0))["latest"]
    return challenge.settlements.create(
        revision=latest + 1,
        digest=board_digest(rank_entries(entries)),
        field_size=len(entries),
        settled_at=now,
        reason=reason,
    )


def board_entries(day: date) -> Iterator[Entry]:
    """The runs that stand on the board of a day, in no order."""
    counting = Run.objects.counting().filter(challenge_id=day)
    for run_id, *figures in counting.values_list("pk", "cleared", "elapsed_ms", "log_text").iterator():
        yield Entry(str(run_id), *figures)
