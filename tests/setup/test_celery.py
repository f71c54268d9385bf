"""The Celery application: its beat, and a broker that is not there."""

import signal
import time

import pytest
from kombu.exceptions import OperationalError

from config.celery import app
from tests.services import free_port, valkey


def publish(url: str) -> float:
    """Try to queue a task at a broker that cannot take it; returns the seconds until that is known."""
    started = time.monotonic()
    with app.connection_for_write(url) as connection, pytest.raises(OperationalError):
        app.send_task("daily.tasks.schedule_ahead", connection=connection)
    return time.monotonic() - started


@pytest.mark.django_db
def test_the_beat_asks_for_tasks_that_exist() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= app.tasks.keys()


@pytest.mark.redis  # without it tasks are done at once and not queued
def test_queueing_at_a_dead_broker_fails_at_once() -> None:
    assert publish(f"redis://127.0.0.1:{free_port()}/0") < 1


@pytest.mark.redis
def test_queueing_at_a_frozen_broker_fails_within_seconds() -> None:
    with valkey() as server:
        server.process.send_signal(signal.SIGSTOP)
        assert publish(server.url) < 5
