"""A worker that is killed in the middle leaves nothing half done, and the next one does the rest.

It is held up at a known place by a row that the test has locked, and killed there by SIGKILL. The next worker
is asked by a beat that comes back after 26 hours.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from django.db import transaction

from daily import clock
from daily.models import Run
from daily.scheduling import coming_days
from daily.tasks import schedule_ahead
from leaderboard.boards import day_board
from leaderboard.models import Settlement, Standing
from leaderboard.tasks import settle_due
from players.models import Player
from tests.cast import make_challenge
from tests.tasks.days import deals, outcome, outcome_of_once, play_days
from tests.tasks.processes import Processes, children_of, held_up, locks_of_others

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
OUTAGE = timedelta(hours=26)


@contextmanager
def in_the_way() -> Iterator[None]:
    """A transaction of the test, which comes to nothing."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def stop_counting(day: date) -> None:
    """Keep the run that the first player's checkpoint makes from being counted, when it is stored already."""
    player = Player.objects.get(name="player 0")
    Standing.objects.create(board=day_board(day), player=player, cleared=0, elapsed_ms=0, days=1, version=1)


def stop_freezing(day: date) -> None:
    """Keep the ranks of the day from being stored, when its challenge is locked already."""
    Standing.objects.select_for_update().get(board=day_board(day), player__name="player 2")


def settled_once(days: list[date]) -> bool:
    revisions = Settlement.objects.order_by("challenge_id").values_list("challenge_id", "revision")
    return list(revisions) == [(day, 1) for day in days]


def facts() -> set[tuple[object, ...]]:
    """What is stored for good: runs, and how and when days settled."""
    runs = Run.objects.values_list("pk", "elapsed_ms", "log_text")
    return {*runs, *Settlement.objects.values_list("challenge_id", "digest", "settled_at")}


def test_days_that_a_killed_worker_made_stay_and_the_next_one_makes_the_rest(processes: Processes) -> None:
    today = clock.now().date()
    schedule_ahead.delay()
    with in_the_way():
        make_challenge(today + timedelta(3))
        kill_held_up(processes)
        made = {day: deal for day, deal in deals().items() if day < today + timedelta(3)}
    assert made

    come_back(processes)
    processes.wait_until(lambda: set(coming_days(clock.now())) <= deals().keys())
    assert made.items() <= deals().items()


@pytest.mark.parametrize("stop", [stop_counting, stop_freezing])
def test_days_that_a_killed_worker_left_settle_once(
    stop: Callable[[date], None], processes: Processes
) -> None:
    today = clock.now().date()
    once = outcome_of_once(today, [settle_due])
    days = play_days(today)
    settle_due.delay()
    with in_the_way():
        stop(days[1])
        kill_held_up(processes)
        before = facts()
    assert not settled_once(days)

    come_back(processes)
    processes.wait_until(lambda: settled_once(days))
    processes.wait_until(lambda: not locks_of_others())
    assert before <= facts()
    assert outcome() == once


def test_what_a_killed_child_of_a_worker_was_doing_is_done_again(processes: Processes) -> None:
    today = clock.now().date()
    once = outcome_of_once(today, [settle_due])
    days = play_days(today)
    settle_due.delay()
    with in_the_way():
        stop_freezing(days[1])
        worker = processes.start_worker()
        processes.wait_until(held_up)
        for child in children_of(worker):
            os.kill(child, signal.SIGKILL)
    processes.wait_until(lambda: settled_once(days))
    processes.wait_until(lambda: not locks_of_others())
    assert outcome() == once


def kill_held_up(processes: Processes) -> None:
    """Start a worker and kill it as soon as it waits for the test."""
    worker = processes.start_worker()
    processes.wait_until(held_up)
    processes.kill(worker)


def come_back(processes: Processes) -> None:
    """Start worker and beat again, once nothing of the killed one is left in the database."""
    processes.wait_until(lambda: not locks_of_others())
    processes.start_worker()
    processes.start_beat(last_run_at=clock.now() - OUTAGE)
