"""Some days that are over and not settled: what was played on them, the same each time."""

from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Model

from daily.models import Attempt, Challenge, Policy, Run
from daily.services import judge
from leaderboard.models import Settlement, Standing, Tally
from leaderboard.services import enter
from players.models import Player
from tests.cast import greedy_log, make_challenge, make_player

type Deals = dict[date, tuple[str, str]]
type Outcome = dict[type[Model], list[tuple[object, ...]]]

PLAYERS = 3
CHECKPOINT = ["D"]
"""What the first player of each day keeps and never submits; it clears nothing, like the second one's run."""
DERIVED: dict[type[Model], list[str]] = {
    Settlement: ["challenge", "revision", "digest", "field_size", "reason"],
    Run: ["pk", "cleared", "elapsed_ms", "log_text", "rank", "beaten", "field_size"],
    Standing: ["board", "player__name", "cleared", "elapsed_ms", "days", "version"],
    Tally: ["board", "cleared", "runs", "changes"],
}


def play_days(today: date) -> list[date]:
    """Let three players play three days, the last of which is due for settling.

    On each day one attempt is left open with a checkpoint, one run clears nothing and one a few cards.
    """
    # Any deal will do, so that no test searches for long.
    Policy.objects.update(min_best_clear=0, min_difficulty=0, max_difficulty=1)
    players = [make_player(f"player {n}") for n in range(PLAYERS)]
    days = [today - timedelta(days=ago) for ago in (4, 3, 2)]
    for number, day in enumerate(days):
        _play(make_challenge(day), players, number)
    return days


def _play(challenge: Challenge, players: list[Player], number: int) -> None:
    for place, player in enumerate(players):
        started_at = challenge.opens_at + timedelta(hours=place)
        attempt = Attempt.objects.create(
            id=UUID(int=number * PLAYERS + place),
            challenge=challenge,
            player=player,
            started_at=started_at,
            deadline_at=started_at + timedelta(hours=1),
        )
        if place:
            _submit(attempt, started_at + timedelta(minutes=place), cleared=2 * (place - 1))
        else:
            keep(attempt, started_at + timedelta(minutes=5))


def keep(attempt: Attempt, at: datetime) -> None:
    attempt.checkpoint_text, attempt.checkpoint_at = " ".join(CHECKPOINT), at
    attempt.save()


def _submit(attempt: Attempt, at: datetime, *, cleared: int) -> None:
    attempt.arrived_at = at
    enter(judge(attempt, greedy_log(attempt.challenge, cleared)))


def deals() -> Deals:
    """Each day's commitment and deck."""
    challenges = Challenge.objects.values_list("date", "commitment", "deck")
    return {day: (commitment, deck) for day, commitment, deck in challenges}


def outcome() -> Outcome:
    """All that is derived from what was played, but for when that was done."""
    return {model: sorted(model._default_manager.values_list(*fields)) for model, fields in DERIVED.items()}
