"""The end of an attempt and of a day: what is left open is finished, ranks freeze, the board gets its digest.

Everything here converges: late, twice, in parallel or after a crash half-way, a day settles once and alike.
While a day settles, its challenge's row is locked; the triggers on ``daily_run`` tell what that keeps out.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from functools import partial
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Max, QuerySet

from daily import clock
from daily.errors import IllegalLog
from daily.models import Attempt, Challenge, Run
from daily.services import arriving_at, judge_checkpoint
from games.pyramid.bundle import BoardDigest, Entry
from leaderboard.boards import day_board
from leaderboard.models import Settlement
from leaderboard.services import enter
from players.models import Player

REST_S: Final = 60.0
"""How long readers of this process leave alone what could not be done for one of them."""
_resting: dict[date | None, float] = {}

logger = structlog.get_logger(__name__)

FREEZE_RANKS = """
    UPDATE leaderboard_standing SET rank = ranked.rank
    FROM (
        SELECT id, CASE WHEN days > 0 THEN rank() OVER (PARTITION BY days > 0 ORDER BY score) END AS rank
        FROM leaderboard_standing WHERE board = %s
    ) AS ranked
    WHERE leaderboard_standing.id = ranked.id AND leaderboard_standing.board = %s
        AND leaderboard_standing.rank IS DISTINCT FROM ranked.rank
"""


def ensure_settled(challenge: Challenge, now: datetime) -> bool:
    """Let whoever reads a day find what is due of it done, before any task comes by; sets ``settled_at``.

    Returns whether anything was due. A day that somebody else is settling, or that cannot be settled, is read
    as it was. No query when nothing is due, and two where there is no worker that would see to overdue
    attempts. ``now`` may be about right: the database's clock decides. Call it after reading the challenge
    and before reading anything that hangs on it.
    """
    if challenge.is_settled or not challenge.has_opened(now):
        return False
    if is_due(challenge, now):
        _in_passing(lambda: _settle(challenge.date, clock.now(), waits=False), challenge.date)
        challenge.refresh_from_db(fields=["settled_at"])
        return True
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        return False
    return bool(_in_passing(lambda: finish_overdue(clock.now(), challenge.date), challenge.date))


def ensure_all_settled() -> None:
    """`ensure_settled` for whoever reads what hangs on many days; a worker, if there is one, sees to that."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        _in_passing(lambda: finish_overdue(clock.now()))
        _in_passing(lambda: settle_due(clock.now()))


def _in_passing[T](work: Callable[[], T], day: date | None = None) -> T | None:
    """Do for a reader what is due. Where that fails the reader goes on, but not without the database."""
    if time.monotonic() < _resting.get(day, 0):
        return None
    try:
        return work()
    except Exception:
        if not connection.is_usable():
            raise
        logger.exception("due_work_failed", day=day and day.isoformat())
        _resting[day] = time.monotonic() + REST_S
        return None


def read_attempt(*, player: Player, attempt_id: UUID) -> Attempt:
    """`daily.services.arriving_at` for a reader, who finds an overdue attempt finished.

    Raises Attempt.DoesNotExist.
    """
    attempt = arriving_at(player=player, attempt_id=attempt_id)
    ended_at = attempt.deadline_at + settings.DEADLINE_GRACE
    if hasattr(attempt, "run") or attempt.checkpoint_at is None or attempt.arrived_at <= ended_at:
        return attempt
    _finish(attempt)
    return arriving_at(player=player, attempt_id=attempt_id)


def finish_overdue(now: datetime, day: date | None = None) -> int:
    """Make a run of every kept attempt (of ``day``) whose deadline has passed; how many were made.

    An attempt without a checkpoint stays without a run: played, not ranked. The grace lets every submission
    that arrived in time come first. Raises ExceptionGroup, when it is through, for attempts that fail.
    """
    overdue = _overdue(now).filter(**{"challenge_id": day} if day else {})
    ids = list(overdue.order_by("deadline_at").values_list("pk", flat=True))
    attempts = Attempt.objects.to_judge().select_related("player")
    return len(_each(ids, lambda attempt_id: _finish(attempts.get(pk=attempt_id)), "finishing_failed"))


def _each[T](items: Iterable[T], work: Callable[[T], bool], failure: str) -> list[T]:
    """The items that ``work`` says it has done; one that fails is logged and holds up no other."""
    done, faults = [], []
    for item in items:
        try:
            if work(item):
                done.append(item)
        except Exception as fault:
            if not connection.is_usable():
                raise
            logger.exception(failure, item=str(item))
            faults.append(fault)
    if faults:
        raise ExceptionGroup(failure, faults)
    return done


def _overdue(now: datetime) -> QuerySet[Attempt]:
    late = Attempt.objects.filter(challenge__settled_at=None, deadline_at__lt=now - settings.DEADLINE_GRACE)
    return late.filter(run=None).exclude(checkpoint_at=None)


def _finish(attempt: Attempt) -> bool:
    try:
        enter(judge_checkpoint(attempt))
    except IntegrityError:
        # Somebody else was here first, or the day was voided just now and the next look does it.
        return False
    except IllegalLog as refused:
        # Played, not ranked: nobody else shall wait for it. No card is logged, the day may be open still.
        logger.error("checkpoint_refused", attempt=str(attempt.pk), reason=refused.extra["reason"])
        return False
    return True


def settle_due(now: datetime) -> list[date]:
    """Settle every day whose last attempt has ended; the days that this call settled.

    Raises ExceptionGroup, when it is through, for days that cannot be settled.
    """
    due = list(Challenge.objects.due_for_settling(now).values_list("date", flat=True))
    return _each(due, partial(settle, now=now), "settling_failed")


def is_due(challenge: Challenge, now: datetime) -> bool:
    """Whether the last attempt that may have started has ended for good. No query."""
    return now >= challenge.closes_at + settings.ATTEMPT_TIME_LIMIT + settings.DEADLINE_GRACE


def settle(day: date, now: datetime) -> bool:
    """Settle a day, unless it is settled or an attempt still runs; whether this call did."""
    finish_overdue(now, day)  # one by one, so that nobody waits for all of them
    return _settle(day, now, waits=True)


@transaction.atomic
def _settle(day: date, now: datetime, *, waits: bool) -> bool:
    challenge = Challenge.objects.select_for_update(skip_locked=not waits).filter(date=day).first()
    if challenge is None or challenge.is_settled or _is_running(challenge, now):
        return False
    finish_overdue(now, day)  # the few that were in somebody's way
    freeze(challenge, now)
    challenge.settled_at = now
    challenge.save(update_fields=["settled_at"])
    return True


def _is_running(challenge: Challenge, now: datetime) -> bool:
    """Whether an attempt has time left, as where the limit was longer when the attempt started."""
    ends_at = now - settings.DEADLINE_GRACE
    return not is_due(challenge, now) or challenge.attempts.filter(deadline_at__gte=ends_at).exists()


def freeze(challenge: Challenge, now: datetime, *, reason: str = "") -> Settlement:
    """Store the final ranks and the board's digest as the next revision.

    Call it holding the challenge's row lock. Cost: the whole board, read one run at a time.
    """
    with connection.cursor() as cursor:
        cursor.execute(FREEZE_RANKS, [day_board(challenge.date)] * 2)
    board = BoardDigest()
    for entry in board_entries(challenge.date):
        board.add(entry)
    latest = challenge.settlements.aggregate(latest=Max("revision", default=0))["latest"]
    return challenge.settlements.create(
        revision=latest + 1,
        digest=board.hexdigest(),
        field_size=board.field_size,
        settled_at=now,
        reason=reason,
    )


def board_entries(day: date) -> Iterator[Entry]:
    """The runs that stand on the board of a day, in their order (`games.pyramid.bundle`)."""
    runs = Run.objects.counting().filter(challenge_id=day).order_by("-cleared", "elapsed_ms", "pk")
    figures = runs.values_list("pk", "cleared", "elapsed_ms", "log_text")
    for run_id, cleared, elapsed_ms, log_text in figures.iterator():
        yield Entry(str(run_id), cleared, elapsed_ms, log_text)
