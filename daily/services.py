"""The verbs of the day: starting an attempt and judging its log."""

from datetime import date
from typing import cast
from uuid import UUID

from django.conf import settings

from daily import clock
from daily.errors import AlreadySubmitted, DeadlinePassed, IllegalLog, NotOpen
from daily.models import Attempt, Run
from daily.scheduling import challenge_on
from games.pyramid import IllegalMove, replay
from players.models import Player


def start_attempt(*, player: Player, day: date | None = None) -> tuple[Attempt, bool]:
    """Start the player's attempt at the challenge of ``day`` (None: today), or get back the one started before.

    Returns the attempt and whether it is new. Raises Challenge.DoesNotExist, NotOpen.
    """
    now = clock.now()
    challenge = challenge_on(day or now.date(), now)
    fresh = Attempt(
        challenge=challenge, player=player, started_at=now, deadline_at=now + settings.ATTEMPT_TIME_LIMIT
    )
    if challenge.is_open(now):
        Attempt.objects.bulk_create([fresh], ignore_conflicts=True)
    attempt = Attempt.objects.filter(player=player, challenge=challenge).first()
    if attempt is None:
        raise NotOpen
    attempt.challenge = challenge
    return attempt, attempt.pk == fresh.pk


def arriving_at(*, player: Player, attempt_id: UUID) -> Attempt:
    """The player's own attempt with its challenge, its run if it has one, and ``arrived_at``, the moment of asking.

    One round trip, and nothing waits before the clock is read. Raises Attempt.DoesNotExist.
    """
    attempts = Attempt.objects.select_related("challenge", "run").annotate(arrived_at=clock.Now())
    return cast(Attempt, attempts.get(pk=attempt_id, player=player))


def judge(attempt: Attempt, log: list[str]) -> Run:
    """Replay ``log`` for an attempt from `arriving_at`; the unsaved run it makes.

    The server's clock decides on time, the engine on everything else. Raises DeadlinePassed, IllegalLog.
    """
    arrived_at = attempt.arrived_at
    if arrived_at > attempt.deadline_at:
        raise DeadlinePassed
    challenge, rules = attempt.challenge, attempt.challenge.ruleset
    try:
        outcome = replay(challenge.deal, rules, log)
    except IllegalMove as refusal:
        raise IllegalLog(refusal) from None
    elapsed_ms = max(0, round((arrived_at - attempt.started_at).total_seconds() * 1000))
    return Run(
        attempt=attempt,
        challenge=challenge,
        player_id=attempt.player_id,
        submitted_at=arrived_at,
        elapsed_ms=elapsed_ms,
        log_text=" ".join(log),
        cleared=outcome.cleared,
        won=outcome.won,
        stuck=outcome.stuck,
        moves=outcome.moves,
        points=outcome.points + rules.time_bonus(won=outcome.won, elapsed_ms=elapsed_ms),
    )


def same_run(run: Run, log: list[str]) -> Run:
    """The run, if ``log`` is the one it was made from. Raises AlreadySubmitted."""
    if run.log != log:
        raise AlreadySubmitted
    return run
