"""Bots for a first look: they play by the rules, at a human pace, and are judged as people are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import zip_longest
from random import Random
from typing import NamedTuple

from django.conf import settings
from django.db import transaction

from daily import clock
from daily.choosing import HASTY
from daily.models import Attempt, Challenge
from daily.scheduling import SYSTEM_RANDOM, challenge_on, make_missing
from daily.services import judge
from games.pyramid import Board, Deal, Rules
from leaderboard.services import enter
from leaderboard.settling import settle_due
from players.models import Player
from players.services import create_guest

PAST_DAYS = 3
PAST_BOTS = 40
"""How many play each of the past days."""
FASTEST_MOVE_S, SLOWEST_MOVE_S = 1.1, 3.5
LONGEST_SEARCH = 72
"""Draws in a row without a removal that even the most patient bot makes: three trips through the stock."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How a bot plays."""

    lines: int
    """How many lines it thinks through before it takes the best."""
    attention: float
    """The share of possible removals that it sees."""
    patience: int
    """Draws in a row without a removal after which it gives up."""
    pace_s: float
    """Seconds a move."""

    @classmethod
    def random(cls, rng: Random) -> Skill:
        """Most play on sight and miss things, a few look far ahead."""
        return cls(
            lines=min(30, int(rng.paretovariate(1.1))),
            attention=rng.uniform(0.3, 1),
            patience=rng.randint(3, LONGEST_SEARCH),
            pace_s=rng.uniform(FASTEST_MOVE_S, SLOWEST_MOVE_S),
        )


def settle_past_days(rng: Random) -> list[date]:
    """Let bots have played the last days that are over, and settle them; the days this call settled.

    A missing day is made; one that is settled stays as it is.
    """
    now = clock.now()
    ended = (now - settings.ATTEMPT_TIME_LIMIT - settings.DEADLINE_GRACE).date()
    for day in (ended - timedelta(days=ago) for ago in range(PAST_DAYS, 0, -1)):
        make_missing(day, HASTY, SYSTEM_RANDOM)
        challenge = Challenge.objects.get(date=day)
        if not challenge.is_settled:
            _fill(challenge, PAST_BOTS, now, rng)
    return settle_due(clock.now())


def fill_today(number: int, rng: Random) -> int:
    """Let bots play today's challenge until so many have; how many had to be added."""
    now = clock.now()
    return _fill(challenge_on(now.date(), now), number, now, rng)


class Turn(NamedTuple):
    """What a bot plays and when."""

    log: list[str]
    started_at: datetime
    ended_at: datetime


def _fill(challenge: Challenge, number: int, now: datetime, rng: Random) -> int:
    """Let bots play a day until so many have, none later than ``now``; how many had to be added."""
    bots = Player.objects.filter(is_bot=True)
    missing = max(0, number - bots.filter(runs__challenge=challenge).count())
    idle = list(bots.exclude(attempts__challenge=challenge).order_by("pk")[:missing])
    turns = sorted((_turn(challenge, now, rng) for _ in range(missing)), key=lambda turn: turn.ended_at)
    for bot, turn in zip_longest(idle, turns):
        _enter(bot or _newcomer(turn.started_at, rng), challenge, turn)
    return missing


def _newcomer(joined_at: datetime, rng: Random) -> Player:
    bot, _ = create_guest(is_bot=True, rng=rng)
    bot.created_at = joined_at
    bot.save(update_fields=["created_at"])
    return bot


def _turn(challenge: Challenge, now: datetime, rng: Random) -> Turn:
    """A line at a bot's pace at some time of the day, cut short where there is no time for all of it."""
    skill = Skill.random(rng)
    log = best_line(challenge.deal, challenge.ruleset, skill, rng)
    latest = min(now, challenge.closes_at)
    pace = skill.pace_s * rng.uniform(0.95, 1.3)
    time_left = min(latest - challenge.opens_at, settings.ATTEMPT_TIME_LIMIT)
    log = log[: int(time_left.total_seconds() / pace)]
    elapsed = timedelta(seconds=len(log) * pace)
    started_at = challenge.opens_at + (latest - elapsed - challenge.opens_at) * rng.random()
    return Turn(log, started_at, started_at + elapsed)


@transaction.atomic
def _enter(bot: Player, challenge: Challenge, turn: Turn) -> None:
    """Judge and rank what the bot played as if it had arrived at the end of its turn."""
    attempt = Attempt(challenge=challenge, player=bot, started_at=turn.started_at)
    attempt.deadline_at = turn.started_at + settings.ATTEMPT_TIME_LIMIT
    attempt.save(force_insert=True)
    attempt.arrived_at, attempt.is_barred = turn.ended_at, False
    enter(judge(attempt, turn.log))


def best_line(deal: Deal, rules: Rules, skill: Skill, rng: Random) -> list[str]:
    """The best of the lines a bot thinks through: most cleared, then fewest moves."""
    boards = (play_out(deal, rules, skill, rng) for _ in range(skill.lines))
    return max(boards, key=lambda line: (line[0], -len(line[1])))[1]


def play_out(deal: Deal, rules: Rules, skill: Skill, rng: Random) -> tuple[int, list[str]]:
    """Take each removal that is seen, go through the stock else, until patience ends; cleared and log."""
    board, log, idle = Board(deal, rules), [], 0
    while idle < skill.patience and (moves := board.legal_moves):
        removals = [move for move in moves if move.cards and rng.random() < skill.attention]
        searches = [move for move in moves if not move.cards]
        move = rng.choice(removals or searches or moves)
        idle = 0 if move.cards else idle + 1
        board.push(move)
        log.append(str(move))
    return board.cleared, log
