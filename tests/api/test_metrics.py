"""The service in numbers: what is counted and asked, who may read it, and that it never fails."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.conf import settings as django_settings
from django.db import OperationalError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from api import metrics
from daily.models import Challenge, TaskReport
from leaderboard import index
from leaderboard.tasks import repair_index
from players import throttling
from players.models import Player
from players.throttling import Meter
from tests.api.conftest import PROBLEM, CheckedClient
from tests.cast import DAY, NOON, FrozenClock, make_challenge, record, started

type Samples = dict[str, float]
ROOT = Path(__file__).parents[2]


def read(client: Client, **headers: str) -> Samples:
    """What is told, by name and labels as they are written."""
    response = client.get("/metrics", headers=headers)
    assert response.status_code == 200, response.content
    return samples_in(response.text)


def samples_in(text: str) -> Samples:
    return {
        key(sample.name, **sample.labels): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def key(name: str, **labels: str) -> str:
    return f"{name}{json.dumps(labels, sort_keys=True) if labels else ''}"


@pytest.fixture
def added(client: Client, db: None) -> Callable[..., float]:
    """How much a counter has grown since the test began."""
    before = read(client)

    def grown(name: str, **labels: str) -> float:
        return read(client).get(key(name, **labels), 0) - before.get(key(name, **labels), 0)

    return grown


# --- What is counted


def test_requests_are_counted_by_route_and_kind_of_status(
    client: Client, added: Callable[..., float], clock: FrozenClock
) -> None:
    client.get("/api/v1/rules/endless/")
    client.get("/api/v1/rules/nonsense/")
    client.get("/api/v1/rules/more-nonsense/")
    client.get("/nowhere/at/all/")
    assert added("pyramid_requests_total", view="rules", status="2xx") == 1
    assert added("pyramid_requests_total", view="rules", status="4xx") == 2
    assert added("pyramid_requests_total", view="none", status="4xx") == 1
    assert added("pyramid_request_seconds_count", view="rules") == 3
    assert added("pyramid_refusals_total", view="rules", code="not_found") == 2


def test_nothing_a_client_writes_becomes_a_label(client: Client, db: None) -> None:
    client.get("/api/v1/rules/strange-slug/?strange=query", headers={"X-Strange": "header"})
    client.generic("STRANGE", "/api/v1/rules/")
    assert "strange" not in client.get("/metrics").text.lower()


def test_submissions_are_counted_by_what_came_of_them(
    as_ann: CheckedClient, challenge: Challenge, added: Callable[..., float]
) -> None:
    attempt = as_ann.post("/api/v1/challenges/today/attempts/").json()
    run = f"/api/v1/attempts/{attempt['id']}/run/"
    as_ann.post(run, {"log": ["ASAH"]})
    for log in (["D"], ["D"], ["D", "D"]):
        as_ann.post(run, {"log": log})
    assert added("pyramid_submits_total", result="illegal_move") == 1
    assert added("pyramid_submits_total", result="ranked") == 1
    assert added("pyramid_submits_total", result="repeated") == 1
    assert added("pyramid_submits_total", result="already_submitted") == 1
    assert added("pyramid_submits_total", result="unranked") == 0


def test_a_submission_that_is_not_ranked_is_counted_as_such(
    as_ann: CheckedClient, challenge: Challenge, added: Callable[..., float], settings: Settings
) -> None:
    settings.RANKED_REQUIRES = "account"
    attempt = as_ann.post("/api/v1/challenges/today/attempts/").json()
    as_ann.post(f"/api/v1/attempts/{attempt['id']}/run/", {"log": []})
    assert added("pyramid_submits_total", result="unranked") == 1


def test_refused_moves_are_counted_by_reason(
    as_ann: CheckedClient, challenge: Challenge, added: Callable[..., float]
) -> None:
    attempt = as_ann.post("/api/v1/challenges/today/attempts/").json()
    refused = as_ann.post(f"/api/v1/attempts/{attempt['id']}/run/", {"log": ["D", "nonsense"]})
    reason = refused.json()["reason"]
    assert added("pyramid_refused_moves_total", view="submit", reason=reason) == 1


def test_throttled_requests_are_counted_by_scope(
    client: Client, added: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    meter = Meter(django_settings.THROTTLE_RATES | {"read": "1/day"})
    monkeypatch.setattr(throttling, "meter", lambda: meter)
    assert [client.get("/api/v1/rules/").status_code for _ in range(3)] == [200, 429, 429]
    assert added("pyramid_throttled_total", scope="read") == 2


def test_counting_a_request_takes_less_than_30_microseconds() -> None:
    rounds = 5000
    best = min(timed(rounds) for _ in range(5))
    assert best / rounds < 30e-6


def timed(rounds: int) -> float:
    begun = time.process_time()
    for _ in range(rounds):
        metrics.count_request("test", 200, 0.004)
    return time.process_time() - begun


def test_processes_that_share_a_folder_are_told_of_together(
    client: Client, db: None, settings: Settings, tmp_path: Path
) -> None:
    counting = "from api.metrics import count_request as count; count('shared', 200, 0.01)"
    for _ in range(2):
        environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        subprocess.run([sys.executable, "-c", counting], check=True, cwd=ROOT, env=environment)
    settings.METRICS_FOLDER = str(tmp_path)
    told = read(client)
    assert told[key("pyramid_requests_total", view="shared", status="2xx")] == 2
    assert told[key("pyramid_request_seconds_count", view="shared")] == 2
    assert told["pyramid_database_up"] == 1


# --- How the service stands


def test_the_days_ahead_are_told_up_to_the_first_gap(client: Client, db: None, clock: FrozenClock) -> None:
    assert read(client)["pyramid_days_ahead"] == -1
    for ahead in (0, 1, 2, 4):
        make_challenge(DAY + timedelta(days=ahead))
    assert read(client)["pyramid_days_ahead"] == 2


def test_days_that_are_over_and_not_settled_are_told(client: Client, db: None, clock: FrozenClock) -> None:
    make_challenge(DAY - timedelta(days=1))
    make_challenge(DAY - timedelta(days=2))
    clock.moment = NOON - timedelta(hours=12)
    assert read(client)["pyramid_days_due"] == 1
    clock.moment = NOON
    assert read(client)["pyramid_days_due"] == 2


def test_the_open_day_is_told_of(
    client: Client, challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    started(bob)
    record(ann, challenge, cleared=3, elapsed_ms=9)
    told = read(client)
    assert (told["pyramid_open_day_attempts"], told["pyramid_open_day_runs"]) == (2, 1)


def test_the_tasks_are_told_of(client: Client, challenge: Challenge, clock: FrozenClock) -> None:
    repair_index()
    TaskReport.objects.create(name="settle_due", failures=3, failed_at=NOON)
    told = read(client)
    succeeded = "pyramid_task_last_success_timestamp_seconds"
    assert told[key(succeeded, task="repair_index")] == NOON.timestamp()
    assert key(succeeded, task="settle_due") not in told
    assert told[key("pyramid_task_failures_total", task="settle_due")] == 3
    assert told[key("pyramid_task_successes_total", task="repair_index")] == 1


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_an_index_that_lost_changes_is_told_of_until_it_is_repaired(
    client: Client, challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    lag = key("pyramid_index_lag", board="day")
    with mock.patch.object(index, "apply"):
        record(ann, challenge, cleared=3, elapsed_ms=9)
    told = read(client)
    assert (told[lag], told[key("pyramid_index_lag", board="all_time")]) == (1, 1)
    repair_index()
    told = read(client)
    assert told[lag] == 0
    assert told[key("pyramid_task_work_total", task="repair_index")] == 4


# --- What is away


def test_without_the_database_the_rest_is_told(client: Client, db: None) -> None:
    with mock.patch("api.gauges.transaction.atomic", side_effect=OperationalError("refused")):
        told = read(client)
    assert told["pyramid_database_up"] == 0
    assert "pyramid_days_ahead" not in told
    assert any(name.startswith("pyramid_requests_total") for name in told)


def test_a_database_that_fails_half_way_is_told_of_as_away(client: Client, db: None) -> None:
    with mock.patch("api.gauges.TaskReport.objects.all", side_effect=OperationalError("cancelled")):
        told = read(client)
    assert told["pyramid_database_up"] == 0
    assert "pyramid_days_ahead" not in told


@pytest.mark.redis
def test_without_redis_the_rest_is_told(
    client: Client, challenge: Challenge, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = Meter({}, "redis://127.0.0.1:1/0", 0.1)
    monkeypatch.setattr("api.gauges.meter", lambda: dead)
    monkeypatch.setattr(index, "lag", lambda _board, _target: None)
    told = read(client)
    assert (told["pyramid_redis_up"], told["pyramid_database_up"]) == (0, 1)
    assert key("pyramid_index_lag", board="day") not in told


def test_where_no_redis_is_wanted_none_is_missed(client: Client, db: None, settings: Settings) -> None:
    settings.REDIS_URL = ""
    assert not any(name.startswith(("pyramid_redis", "pyramid_index")) for name in read(client))


# --- Who may read


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.1.2.3", "172.18.0.4", "192.168.0.9", "fd00::1"])
def test_who_asks_from_nearby_may_read(client: Client, db: None, address: str) -> None:
    assert client.get("/metrics", REMOTE_ADDR=address).status_code == 200


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888", "100.64.0.1", "", "nonsense"])
def test_who_asks_from_afar_may_not(client: Client, address: str) -> None:
    response = client.get("/metrics", REMOTE_ADDR=address)
    assert (response.status_code, response.headers["Content-Type"]) == (403, PROBLEM)
    assert "pyramid_" not in response.text


def test_who_asks_through_a_proxy_may_not(client: Client) -> None:
    response = client.get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"})
    assert response.status_code == 403


def test_where_there_is_a_token_it_is_asked_for(client: Client, db: None, settings: Settings) -> None:
    settings.METRICS_TOKEN = "of-the-scraper"
    far = {"X-Forwarded-For": "8.8.4.4", "Authorization": "Bearer of-the-scraper"}
    assert client.get("/metrics", REMOTE_ADDR="8.8.8.8", headers=far).status_code == 200


@pytest.mark.parametrize("given", ["Bearer other", "Bearer ", "Bearer öther", "Basic of-the-scraper", ""])
def test_without_the_token_nearness_does_not_help(client: Client, settings: Settings, given: str) -> None:
    settings.METRICS_TOKEN = "of-the-scraper"
    response = client.get("/metrics", headers={"Authorization": given})
    assert (response.status_code, response.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert response.headers["Content-Type"] == PROBLEM


@pytest.mark.parametrize("accept", ["application/openmetrics-text;version=1.0.0", "text/plain", "text/html"])
def test_a_scraper_gets_text_whatever_it_accepts(client: Client, db: None, accept: str) -> None:
    response = client.get("/metrics", headers={"Accept": accept})
    assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["Cache-Control"] == "private, no-store"


def test_reading_is_all_that_can_be_done(client: Client, db: None) -> None:
    response: Any = client.post("/metrics")
    assert (response.status_code, response.headers["Content-Type"]) == (405, PROBLEM)
