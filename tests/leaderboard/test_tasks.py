"""What the beat asks for: tasks that there are, that take nothing and look for themselves."""

from datetime import timedelta

import pytest
from django.conf import settings

from config.celery import app
from daily.models import Challenge, Run
from daily.services import keep_checkpoint
from leaderboard import tasks
from leaderboard.boards import boards_of
from leaderboard.corrections import void_day
from leaderboard.services import index_lag
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, record, started


def test_the_beat_asks_for_tasks_that_there_are_and_gives_them_nothing() -> None:
    app.autodiscover_tasks(force=True)
    entries = app.conf.beat_schedule.values()
    assert {entry["task"] for entry in entries} <= app.tasks.keys()
    assert not any("args" in entry or "kwargs" in entry for entry in entries)


def test_what_no_worker_took_does_not_pile_up() -> None:
    assert all(entry["options"]["expires"] < 60 for entry in app.conf.beat_schedule.values())


def test_overdue_attempts_are_finished(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    keep_checkpoint(player=ann, attempt_id=attempt.pk, log=["D"])
    clock.advance(hours=2)
    tasks.finish_overdue()
    assert Run.objects.get().is_from_checkpoint


def test_days_that_have_ended_are_settled(challenge: Challenge, clock: FrozenClock) -> None:
    clock.moment = challenge.closes_at + settings.ATTEMPT_TIME_LIMIT + settings.DEADLINE_GRACE
    tasks.settle_due()
    assert Challenge.objects.get().is_settled


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_the_index_of_a_corrected_day_is_repaired_however_old_it_is(ann: Player, clock: FrozenClock) -> None:
    old = make_challenge(DAY - timedelta(days=100))
    record(ann, old, cleared=9, elapsed_ms=1)
    record(ann, make_challenge(DAY - timedelta(days=50)), cleared=9, elapsed_ms=1)
    void_day(challenge=old, reason="A test.", by=None)
    tasks.repair_index()
    for board in boards_of(old.date):
        assert index_lag(board) == 0
