"""What a worker says of a task: which request asked for it, and how it ended."""

import pytest
import structlog

from leaderboard.tasks import settle_due
from tests.tasks.processes import Processes

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


def test_a_task_is_logged_under_the_id_of_the_request_that_asked_for_it(processes: Processes) -> None:
    with structlog.contextvars.bound_contextvars(request_id="of-the-request"):
        settle_due.delay()
    processes.start_worker(concurrency=1)
    line = processes.wait_until(lambda: next(lines_of(processes, "task_succeeded"), ""))
    assert "of-the-request" in line
    assert "settle_due" in line
    assert "task_id" in line


def lines_of(processes: Processes, event: str) -> "filter[str]":
    """The lines of the log so far that tell of an event."""
    return filter(lambda line: event in line, processes.log.splitlines())
