"""Where a player stands with the day: not begun, playing, out of time, or played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Q

from daily.models import Attempt, Challenge, Look, Run, Unranked
from leaderboard.settling import read_attempt
from players.models import Player


@dataclass(frozen=True, slots=True)
class OwnDay:
    """An attempt as its player finds it again, or none."""

    attempt: Attempt | None
    now: datetime

    @property
    def run(self) -> Run | None:
        """What came of the attempt."""
        return getattr(self.attempt, "run", None)

    @property
    def state(self) -> str:
        """One of ``new``, ``playing``, ``over`` and ``played``."""
        if self.attempt is None:
            return "new"
        if self.run:
            return "played"
        return "playing" if self.now <= self.attempt.deadline_at else "over"

    @property
    def finished_at(self) -> datetime | None:
        """When an attempt that is over becomes a run, of what was kept of it; None where nothing was."""
        if self.state != "over" or self.attempt is None or self.attempt.checkpoint_at is None:
            return None
        return self.attempt.deadline_at + settings.DEADLINE_GRACE


def own_day(player: Player | None, now: datetime) -> OwnDay:
    """The player's attempt that still runs, of whichever day, or else the one at today's challenge.

    One query; an attempt that is overdue is finished first.
    """
    attempt = _attempt(player, now) if player else None
    found = OwnDay(attempt, now)
    if attempt and found.finished_at and found.finished_at < now:
        return OwnDay(read_attempt(player=attempt.player, attempt_id=attempt.pk), now)
    return found


def _attempt(player: Player, now: datetime) -> Attempt | None:
    today, runs_on = Q(challenge_id=now.date()), Q(run=None, deadline_at__gte=now)
    attempts = Attempt.objects.filter(today | runs_on, player=player).order_by("challenge_id")
    found = list(attempts.select_related("challenge", "run", "player"))
    return next((attempt for attempt in found if not hasattr(attempt, "run")), None) or next(
        iter(found), None
    )


def ranking_gap(player: Player | None, challenge: Challenge) -> str:
    """Why a run of the player would not be ranked, as `Unranked` has it; empty where it would."""
    if challenge.is_voided:
        return Unranked.DAY_VOIDED
    if player and Look.objects.filter(challenge=challenge, player=player).exists():
        return Unranked.LOOKED
    if settings.RANKED_REQUIRES != "anyone" and (player is None or player.is_guest):
        return Unranked.NO_ACCOUNT
    if player and settings.RANKED_REQUIRES == "verified" and not player.email_verified_at:
        return Unranked.NOT_VERIFIED
    return ""
