"""Some days that are over and not settled: what was played on them, the same each time."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from uuid import UUID

from django.core.management import call_command
from django.db.models import Model

from daily.models import Attempt, Challenge, Policy, Run
from daily.services import keep_checkpoint
from leaderboard import index
from leaderboard.models import Settlement, Standing, Tally
from leaderboard.services import submit_run
from players.models import Player
from tests.cast import FrozenClock, greedy_log, make_challenge, make_player

type Deals = dict[date, tuple[str, str]]
type Outcome = dict[type[Model], list[tuple[object, ...]]]

PLAYERS = 3
DERIVED: dict[type[Model], list[str]] = {
    Settlement: ["challenge", "revision", "digest", "field_size", "reason"],
    Run: ["pk", "cleared", "elapsed_ms", "log_text", "rank", "beaten", "field_size"],
    Standing: ["board", "player__name", "cleared", "elapsed_ms", "days", "version", "rank"],
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
        attempt = _begun(challenge, player, UUID(int=number * PLAYERS + place))
        five_minutes_later = FrozenClock(attempt.started_at + timedelta(minutes=5))
        with five_minutes_later.in_force():
            if place == 0:
                keep_checkpoint(player=player, attempt_id=attempt.pk, log=["D"])
            else:
                log = greedy_log(challenge, cleared=2 * (place - 1))
                submit_run(player=player, attempt_id=attempt.pk, log=log)


def _begun(challenge: Challenge, player: Player, attempt_id: UUID) -> Attempt:
    begun = {"started_at": challenge.opens_at, "deadline_at": challenge.opens_at + timedelta(hours=1)}
    return Attempt.objects.create(id=attempt_id, challenge=challenge, player=player, **begun)


def deals() -> Deals:
    """Each day's commitment and deck."""
    challenges = Challenge.objects.values_list("date", "commitment", "deck")
    return {day: (commitment, deck) for day, commitment, deck in challenges}


def outcome() -> Outcome:
    """All that is derived from what was played, but for when that was done."""
    return {model: sorted(model._default_manager.values_list(*fields)) for model, fields in DERIVED.items()}


def outcome_of_once(today: date, tasks: Iterable[Callable[[], None]]) -> Outcome:
    """What comes of the days when each task runs once, one after the other; then everything is forgotten."""
    play_days(today)
    for task in tasks:
        task()
    once = outcome()
    call_command("flush", interactive=False, verbosity=0)
    index.wire().ask(("FLUSHDB",))
    return once
