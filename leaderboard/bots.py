"""Bots for a first look: they play by the rules, at a human pace, through the doors that people use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.db import transaction

from daily import clock
from daily.models import Attempt
from daily.services import start_attempt
from games.pyramid import Board, Deal, Rules
from leaderboard.services import submit_run
from players.services import create_guest

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


def fill_today(number: int, rng: Random) -> int:
    """Let bots play today's challenge until so many have; how many had to be added."""
    today = clock.now().date()
    missing = (
        number - Attempt.objects.filter(challenge_id=today, player__is_bot=True, run__isnull=False).count()
    )
    for _ in range(missing):
        _play_today(rng)
    return max(0, missing)


@transaction.atomic
def _play_today(rng: Random) -> None:
    bot, _ = create_guest(is_bot=True, rng=rng)
    skill = Skill.random(rng)
    attempt, _ = start_attempt(player=bot)
    challenge = attempt.challenge
    log = best_line(challenge.deal, challenge.ruleset, skill, rng)
    _set_back(attempt, challenge.opens_at, timedelta(seconds=len(log) * skill.pace_s * rng.uniform(0.8, 1.3)))
    submit_run(player=bot, attempt_id=attempt.pk, log=log)


def _set_back(attempt: Attempt, opens_at: datetime, elapsed: timedelta) -> None:
    """Let the attempt have started ``elapsed`` ago, within its day: a bot has no need to wait."""
    attempt.started_at = max(opens_at, attempt.started_at - elapsed)
    attempt.save(update_fields=["started_at"])


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
