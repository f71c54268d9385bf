"""The verbs of the day: starting an attempt, keeping it, judging its log."""

from datetime import date, datetime
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from daily import clock
from daily.errors import AlreadySubmitted, DeadlinePassed, IllegalLog, NotOpen, TooSoon
from daily.models import Attempt, Challenge, Run, Unranked
from daily.scheduling import challenge_on
from games.pyramid import IllegalMove, Outcome, replay
from games.pyramid.lines import canonical_line
from players.models import Player
from players.prepared import Given, Prepared

ARRIVING = Prepared(
    lambda: (
        Attempt.objects.to_judge()
        .annotate(arrived_at=clock.Now())  # type: ignore[no-redef]
        .filter(pk=Given("id", Attempt), player=Given("player", Player))
    )
)


STARTED = Prepared(
    lambda: Attempt.objects.filter(player=Given("player", Player), challenge=Given("day", Challenge))
)


def start_attempt(*, player: Player, day: date | None = None) -> tuple[Attempt, bool]:
    """Start the player's attempt at the challenge of ``day`` (None: today), or get it back.

    Returns the attempt and whether it is new. Raises Challenge.DoesNotExist, NotOpen.
    """
    now = clock.now()
    challenge = challenge_on(day or now.date(), now)
    fresh = Attempt(
        challenge=challenge, player=player, started_at=now, deadline_at=now + settings.ATTEMPT_TIME_LIMIT
    )
    if challenge.is_open(now):
        Attempt.objects.bulk_create([fresh], ignore_conflicts=True)
    attempt = next(iter(STARTED.all(player=player.pk, day=challenge.date)), None)
    if attempt is None:
        raise NotOpen
    attempt.challenge = challenge
    return attempt, attempt.pk == fresh.pk


def arriving_at(*, player: Player, attempt_id: UUID) -> Attempt:
    """The player's own attempt with its challenge, and ``arrived_at``: now.

    One round trip, and nothing waits before the clock is read. Raises Attempt.DoesNotExist.
    """
    attempt = ARRIVING.get(id=attempt_id, player=player.pk)
    attempt.player = player
    return attempt


def judge(attempt: Attempt, log: list[str]) -> Run:
    """Replay ``log`` for an attempt from `arriving_at`; the unsaved run it makes.

    The server's clock decides on time, the engine on everything else. Where the clock was set back since the
    start, the time until the last checkpoint is not forgotten. Raises DeadlinePassed, IllegalLog.
    """
    if attempt.arrived_at > attempt.deadline_at:
        raise DeadlinePassed
    known = attempt.arrived_at, attempt.started_at, attempt.checkpoint_at or attempt.started_at
    return _run_of(attempt, log, max(known))


def judge_checkpoint(attempt: Attempt) -> Run:
    """The unsaved run that the last checkpoint of an attempt from ``to_judge`` makes at its deadline."""
    run = _run_of(attempt, attempt.checkpoint, attempt.deadline_at)
    run.is_from_checkpoint = True
    return run


def keep_checkpoint(*, player: Player, attempt_id: UUID, log: list[str]) -> Attempt:
    """Keep the log so far, so that the attempt can go on elsewhere or end with it at its deadline.

    What is kept already may be sent again at any time. Raises Attempt.DoesNotExist, AlreadySubmitted,
    DeadlinePassed, IllegalLog, TooSoon.
    """
    attempt = arriving_at(player=player, attempt_id=attempt_id)
    _refuse_ended(attempt)
    if attempt.checkpoint_at is None or attempt.checkpoint != log:
        _refuse_unrested(attempt)
        _replay(attempt.challenge, log)
        _store_checkpoint(attempt, log)
    return attempt


def _refuse_ended(attempt: Attempt) -> None:
    if attempt.arrived_at > attempt.deadline_at:
        raise DeadlinePassed
    if hasattr(attempt, "run"):
        raise AlreadySubmitted


def _refuse_unrested(attempt: Attempt) -> None:
    """Refuse before the work of replaying, and say how long to wait."""
    if attempt.checkpoint_at is not None:
        rested_at = attempt.checkpoint_at + settings.CHECKPOINT_INTERVAL
        if attempt.arrived_at < rested_at:
            raise TooSoon(wait=(rested_at - attempt.arrived_at).total_seconds())


def _store_checkpoint(attempt: Attempt, log: list[str]) -> None:
    """Store it unless another device was quicker just now."""
    attempt.checkpoint_text, attempt.checkpoint_at = " ".join(log), attempt.arrived_at
    rested = Q(checkpoint_at=None) | Q(checkpoint_at__lte=attempt.arrived_at - settings.CHECKPOINT_INTERVAL)
    kept = {"checkpoint_text": attempt.checkpoint_text, "checkpoint_at": attempt.checkpoint_at}
    if not Attempt.objects.filter(rested, pk=attempt.pk).update(**kept):
        raise TooSoon(wait=settings.CHECKPOINT_INTERVAL.total_seconds())


def _replay(challenge: Challenge, log: list[str]) -> Outcome:
    try:
        return replay(challenge.deal, challenge.ruleset, log)
    except IllegalMove as refusal:
        raise IllegalLog(refusal) from None


def _run_of(attempt: Attempt, log: list[str], ended_at: datetime) -> Run:
    challenge = attempt.challenge
    outcome = _replay(challenge, log)
    elapsed_ms = round((ended_at - attempt.started_at).total_seconds() * 1000)
    bonus = challenge.ruleset.time_bonus(won=outcome.won, elapsed_ms=elapsed_ms)
    return Run(
        attempt=attempt,
        challenge=challenge,
        player_id=attempt.player_id,
        submitted_at=ended_at,
        elapsed_ms=elapsed_ms,
        log_text=" ".join(log),
        line_hash=line_hash(log),
        cleared=outcome.cleared,
        won=outcome.won,
        stuck=outcome.stuck,
        moves=outcome.moves,
        points=outcome.points + bonus,
        unranked_reason=_unranked_reason(attempt),
    )


def line_hash(log: list[str]) -> int:
    """64 bits that logs share which play the same way, and likely no others. Of any text, legal or not."""
    line = " ".join(canonical_line(log))
    return int.from_bytes(sha256(line.encode()).digest()[:8], signed=True)


def _unranked_reason(attempt: Attempt) -> str:
    player = attempt.player
    if attempt.challenge.is_voided:
        return Unranked.DAY_VOIDED
    if attempt.is_barred:
        return Unranked.LOOKED
    if settings.RANKED_REQUIRES != "anyone" and player.is_guest:
        return Unranked.NO_ACCOUNT
    if settings.RANKED_REQUIRES == "verified" and not player.email_verified_at:
        return Unranked.NOT_VERIFIED
    return ""


def same_run(run: Run, log: list[str]) -> Run:
    """The run, if ``log`` is the one it was made from. Raises AlreadySubmitted, DeadlinePassed."""
    if run.log == log:
        return run
    raise DeadlinePassed if run.is_from_checkpoint else AlreadySubmitted
