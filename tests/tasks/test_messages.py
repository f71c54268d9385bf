"""What travels with a task: its name. So nothing can leak through the queue, its monitors or its results."""

from __future__ import annotations

import base64
import inspect
import json
from operator import attrgetter
from typing import Any

import pytest
import redis
from celery import Task
from celery.backends.base import DisabledBackend

from config.celery import app
from tests.tasks.processes import TASKS


@pytest.mark.django_db
def test_the_service_has_these_tasks() -> None:
    app.loader.import_default_modules()
    assert {name for name in app.tasks if not name.startswith("celery.")} == {task.name for task in TASKS}


@pytest.mark.parametrize("task", TASKS, ids=attrgetter("name"))
def test_a_task_takes_nothing_and_refuses_to_be_queued_with_anything(task: Task[[], None]) -> None:
    assert not inspect.signature(task.run).parameters
    with pytest.raises(TypeError):
        task.apply_async(("2026-11-30",))


@pytest.mark.redis
@pytest.mark.parametrize("task", TASKS, ids=attrgetter("name"))
def test_a_queued_message_holds_the_name_and_nothing_else(
    task: Task[[], None], redis_client: redis.Redis
) -> None:
    task.delay()
    headers, body = queued(redis_client)
    assert headers["task"] == task.name
    assert (headers["argsrepr"], headers["kwargsrepr"]) == ("()", "{}")
    assert body[:2] == [[], {}]


def queued(client: redis.Redis) -> tuple[dict[str, Any], list[Any]]:
    """Headers and body of the only message in the queue."""
    [message] = map(json.loads, client.lrange("celery", 0, -1))
    return message["headers"], json.loads(base64.b64decode(message["body"]))


def test_nothing_keeps_results() -> None:
    assert isinstance(app.backend, DisabledBackend)
    assert all(task.ignore_result for task in TASKS)
