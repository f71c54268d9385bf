"""Streaks: how many challenges in a row a player has played, counted by challenge date and never stored.

A day is *played* when the player has a run on it that was not voided, ranked or not, submitted or made from a
checkpoint. It is *missed* when it has none and none can come any more. Everything else neither adds nor
breaks: a voided day, a date that never had a challenge, today while it lasts, a day whose attempt still runs.
"""

from collections.abc import Set as AbstractSet
from datetime import date, datetime
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q, QuerySet

from daily.models import Attempt, Challenge, Run
from players.models import Player


class Streaks(NamedTuple):
    """Challenges played in a row: up to now, and at most ever."""

    current: int
    longest: int


def streaks(played: AbstractSet[date], missed: AbstractSet[date]) -> Streaks:
    """The streaks that these days make; any other day is passed over."""
    current = longest = 0
    for day in sorted(played | missed):
        current = current + 1 if day in played else 0
        longest = max(longest, current)
    return Streaks(current, longest)


def streaks_of(player: Player, now: datetime) -> Streaks:
    """The player's streaks. Two queries; cost: the days since the player's first run."""
    played = set(runs_that_count(player).values_list("challenge_id", flat=True))
    return streaks(played, _over(player, min(played), now) - played) if played else Streaks(0, 0)


def runs_that_count(player: Player) -> QuerySet[Run]:
    """The player's runs, ranked or not, but for voided ones and those of voided days."""
    return Run.objects.filter(player=player, voided_at=None, challenge__voided_at=None)


def attempts_without_end(player: Player, now: datetime) -> QuerySet[Attempt]:
    """The player's attempts that may still become runs: not over yet, or kept and not finished yet."""
    in_time, is_kept = Q(deadline_at__gte=now - settings.DEADLINE_GRACE), Q(checkpoint_at__isnull=False)
    return Attempt.objects.filter(in_time | is_kept, player=player, run=None, challenge__settled_at=None)


def _over(player: Player, first: date, now: datetime) -> set[date]:
    """The days since ``first`` on which it is decided whether the player has a run."""
    days = Challenge.objects.filter(date__gte=first, date__lt=now.date(), voided_at=None)
    pending = attempts_without_end(player, now).values("challenge_id")
    return set(days.exclude(date__in=pending).values_list("date", flat=True))
