"""Each task fired fifty times in parallel: the same comes of it as of once."""

from collections.abc import Callable
from datetime import date
from functools import partial
from random import Random

import pytest
import redis

from config.celery import app
from daily import clock, scheduling
from daily.choosing import Effort
from daily.scheduling import coming_days
from leaderboard.boards import boards_of
from leaderboard.services import index_lag
from tests.tasks.days import Deals, Outcome, deals, outcome, outcome_of_once, play_days
from tests.tasks.processes import TASKS, Processes
from tests.threads import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.django_db(transaction=True)]
TIMES = 50


def assert_as_once(once: Outcome, today: date, seen: list[Deals]) -> None:
    """The same came of it, no day that anybody saw was dealt anew, and no board's index lacks anything."""
    assert outcome() == once
    assert deals().keys() >= set(coming_days(clock.now()))
    assert all(sight.items() <= deals().items() for sight in seen)
    for board in boards_of(today):
        assert index_lag(board) == 0


def test_fifty_of_each_task_through_the_broker(processes: Processes, redis_client: redis.Redis) -> None:
    today = clock.now().date()
    once = outcome_of_once(today, TASKS)
    play_days(today)
    queue_shuffled()
    processes.start_worker(concurrency=4)
    seen = []

    def are_all_begun() -> bool:
        seen.append(deals())
        return accepted() == {task.name: TIMES for task in TASKS}

    processes.wait_until(are_all_begun)
    processes.wait_until(lambda: not redis_client.exists("celery", "unacked"))
    assert_as_once(once, today, seen)
    assert not redis_client.keys("celery-task-meta-*")


def queue_shuffled() -> None:
    tasks = [*TASKS] * TIMES
    Random(50).shuffle(tasks)
    for task in tasks:
        task.delay()


def accepted() -> dict[str, int]:
    """How many of each task the workers have begun."""
    answers = app.control.inspect(limit=1).stats() or {}
    return {name: number for worker in answers.values() for name, number in worker["total"].items()}


def test_fifty_threads_of_each_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "PATIENT", Effort(draws=1, nodes=10_000))
    today = clock.now().date()
    once = outcome_of_once(today, TASKS)
    play_days(today)
    seen: list[Deals] = []

    def fire_and_look(task: Callable[[], None]) -> None:
        task()
        seen.append(deals())

    for task in TASKS:
        at_once([partial(fire_and_look, task)] * TIMES)
    assert_as_once(once, today, seen)
