"""Limits as callers meet them, and faults of the service."""

import socket
from typing import Any

import pytest
from django.db import OperationalError

from daily.models import Challenge
from players import throttling
from players.throttling import Meter
from tests.api.conftest import CheckedClient
from tests.players.test_throttling import Clock

RULES = "/api/v1/rules/"
RATES = {"read": "3/hour", "write": "2/hour", "join": "1/hour"}


@pytest.fixture(autouse=True)
def _low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three reads, two writes and one guest an hour that does not end."""
    monkeypatch.setattr(throttling, "time", Clock())
    meter = Meter(RATES)
    monkeypatch.setattr(throttling, "meter", lambda: meter)


def statuses(api: CheckedClient, calls: int, **headers: str) -> list[int]:
    """What so many reads are answered with."""
    sent: Any = headers
    return [api.get(RULES, **sent).status_code for _ in range(calls)]


def test_every_answer_says_what_is_left(api: CheckedClient, db: None) -> None:
    response = api.get(RULES)
    assert response.headers["RateLimit-Policy"] == '"read";q=3;w=3600'
    assert response.headers["RateLimit"].startswith('"read";r=2;t=')
    missing = api.get("/api/v1/players/nobody-here/")
    assert missing.status_code == 404
    assert missing.headers["RateLimit"].startswith('"read";r=1;t=')


def test_too_many_requests_are_told_when_to_come_back(api: CheckedClient, db: None) -> None:
    assert statuses(api, 4) == [200, 200, 200, 429]
    response = api.get(RULES)
    assert response.json()["code"] == "throttled"
    assert response.headers["RateLimit"].startswith('"read";r=0;t=')
    assert response.headers["RateLimit"].endswith(f"t={response.headers['Retry-After']}")


def test_writes_and_joining_have_limits_of_their_own(api: CheckedClient, db: None) -> None:
    statuses(api, 4)
    assert [api.post("/api/v1/players/").status_code for _ in range(2)] == [201, 429]
    run = {"number": 1, "rules": "endless", "log": []}
    assert [api.post("/api/v1/replay/", run).status_code for _ in range(3)] == [200, 200, 429]


def test_players_do_not_share_the_limit_of_their_address(
    api: CheckedClient, as_ann: CheckedClient, as_bob: CheckedClient
) -> None:
    assert statuses(api, 4)[-1] == 429
    assert statuses(as_ann, 4) == [200, 200, 200, 429]
    assert statuses(as_bob, 1) == [200]


def test_a_forged_address_does_not_help(api: CheckedClient, db: None) -> None:
    answers = [statuses(api, 1, HTTP_X_FORWARDED_FOR=f"198.51.100.{number}")[0] for number in range(4)]
    assert answers == [200, 200, 200, 429]


def test_a_forged_address_does_not_hurt_its_owner(api: CheckedClient, db: None, settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    statuses(api, 4, HTTP_X_FORWARDED_FOR="203.0.113.9, 198.51.100.66")
    assert statuses(api, 1, HTTP_X_FORWARDED_FOR="203.0.113.9") == [200]


def test_a_dead_redis_refuses_nobody(
    api: CheckedClient, challenge: Challenge, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        dead = Meter(RATES, f"redis://127.0.0.1:{probe.getsockname()[1]}/0", 0.1)
    monkeypatch.setattr(throttling, "meter", lambda: dead)
    response = api.get("/api/v1/challenges/today/")
    assert response.status_code == 200
    assert response.headers["RateLimit"].startswith('"read";r=2;')


def test_the_database_going_away_is_a_503_and_not_a_page(
    api: CheckedClient, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("connection to server at 10.0.0.7 failed")

    monkeypatch.setattr("daily.clock.about_now", refuse)
    response = api.get("/api/v1/challenges/today/")
    assert response.status_code == 503
    assert response.json()["code"] == "unavailable"
    assert response.headers["Retry-After"] == "5"
    assert "10.0.0.7" not in response.content.decode()


def test_a_fault_of_ours_is_a_500_under_the_id_of_the_request(
    api: CheckedClient, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("the salt is 0123")

    monkeypatch.setattr("daily.clock.about_now", fail)
    response = api.get("/api/v1/challenges/today/")
    assert response.status_code == 500
    assert response.json()["instance"] == f"urn:uuid:{response.headers['X-Request-ID']}"
    assert "salt" not in response.content.decode()
