"""What a task leaves behind about how it went."""

from datetime import timedelta
from unittest import mock

import pytest
from django.db import DatabaseError

from daily.models import TaskReport
from daily.reports import reported
from daily.tasks import schedule_ahead
from tests.cast import NOON, FrozenClock


class BrokenError(Exception):
    """A fault of ours."""


@reported
def lifting() -> int:
    """Lift two things."""
    return 2


@reported
def failing() -> int:
    raise BrokenError


def test_a_success_is_stored_with_how_much_there_was_to_do(db: None, clock: FrozenClock) -> None:
    lifting()
    clock.advance(minutes=1)
    lifting()
    report = TaskReport.objects.get()
    assert (report.name, report.succeeded_at) == ("lifting", NOON + timedelta(minutes=1))
    assert (report.successes, report.failures, report.work, report.failed_at) == (2, 0, 4, None)
    assert report.duration_s >= 0


def test_a_failure_is_stored_and_raised(db: None, clock: FrozenClock) -> None:
    with pytest.raises(BrokenError):
        failing()
    report = TaskReport.objects.get(name="failing")
    assert (report.failures, report.failed_at) == (1, NOON)
    assert (report.successes, report.succeeded_at) == (0, None)


def test_a_failure_that_cannot_be_stored_does_not_hide_what_failed(db: None) -> None:
    gone = mock.patch.object(TaskReport.objects, "get_or_create", side_effect=DatabaseError)
    with gone, pytest.raises(BrokenError):
        failing()


def test_the_tasks_of_the_beat_are_reported(db: None, clock: FrozenClock) -> None:
    with mock.patch("daily.scheduling.schedule_ahead", return_value=8):
        schedule_ahead()
    assert TaskReport.objects.get(name="schedule_ahead").work == 8
