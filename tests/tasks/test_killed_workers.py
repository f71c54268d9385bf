"""A worker that is killed in the middle leaves nothing half done, and the next one does the rest.

It is held up at a known place by a row that the test has locked, and killed there by SIGKILL. The next worker
is asked by a beat that comes back after 26 hours.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet

from daily import clock
from daily.models import Challenge, Run
from daily.scheduling import coming_days
from daily.tasks import schedule_ahead
from games.pyramid.verify import Verifier
from leaderboard.boards import day_board
from leaderboard.bundles import bundle_lines
from leaderboard.models import Settlement, Standing, Tally
from leaderboard.tasks import settle_due
from tests.cast import make_challenge
from tests.tasks.days import deals, outcome, play_days
from tests.tasks.processes import Processes, children_of, held_up, locks_of_others

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
OUTAGE = timedelta(hours=26)
PLACES: dict[str, QuerySet[Any]] = {
    "an attempt is finished": Tally.objects.filter(cleared=0),
    "ranks freeze": Standing.objects.filter(player__name="player 2"),
}
"""What a worker changes when it is in the middle of something, of each board."""


@contextmanager
def in_the_way() -> Iterator[None]:
    """A transaction of the test, which comes to nothing."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def lock(rows: QuerySet[Any], day: date) -> None:
    """Hold the row of the day's board."""
    rows.select_for_update().get(board=day_board(day))


def settled_once(days: list[date]) -> bool:
    return list(Settlement.objects.values_list("challenge", "revision")) == [(day, 1) for day in days]


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


@pytest.mark.parametrize("place", PLACES)
def test_days_that_a_killed_worker_left_settle_once(place: str, processes: Processes) -> None:
    days = play_days(clock.now().date())
    settle_due.delay()
    with in_the_way():
        lock(PLACES[place], days[1])
        kill_held_up(processes)
    before = outcome()
    assert not settled_once(days)

    come_back(processes)
    processes.wait_until(lambda: settled_once(days))
    processes.wait_until(lambda: not locks_of_others())
    assert all(row in outcome()[model] for model in (Settlement, Run) for row in before[model])
    assert [complaint for day in days for complaint in complaints(day)] == []


def test_what_a_killed_child_of_a_worker_was_doing_is_done_again(
    processes: Processes,
) -> None:
    days = play_days(clock.now().date())
    settle_due.delay()
    with in_the_way():
        lock(PLACES["ranks freeze"], days[1])
        worker = processes.start_worker()
        processes.wait_until(held_up)
        for child in children_of(worker):
            os.kill(child, signal.SIGKILL)
    processes.wait_until(lambda: settled_once(days))
    processes.wait_until(lambda: not locks_of_others())
    assert [complaint for day in days for complaint in complaints(day)] == []


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


def complaints(day: date) -> list[str]:
    """What the public verifier says about a day."""
    bundle = bundle_lines(Challenge.objects.get(date=day))
    return [str(difference) for difference in Verifier(line.encode() for line in bundle).differences()]
