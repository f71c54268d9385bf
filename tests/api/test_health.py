"""Alive and ready."""

import socket
from typing import Any

import pytest
from django.db import OperationalError, connection

from players import throttling
from players.throttling import Meter
from tests.api.conftest import CheckedClient


def test_alive_needs_no_database(api: CheckedClient) -> None:
    response = api.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"status": "alive"}


@pytest.mark.django_db
def test_ready_is_ready(api: CheckedClient) -> None:
    assert api.get("/readyz").json() == {"status": "ready", "degraded": []}


@pytest.mark.django_db
def test_ready_names_a_dead_redis(api: CheckedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
    monkeypatch.setattr("players.throttling.meter", lambda: Meter({}, url, 0.1))
    response = api.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"status": "ready", "degraded": ["redis"]}


def test_not_ready_without_the_database(api: CheckedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(connection, "cursor", refuse)
    response = api.get("/readyz")
    assert response.status_code == 503
    assert response.json()["code"] == "unavailable"
    assert response.headers["Retry-After"] == "5"
    assert api.get("/healthz").status_code == 200


def test_probes_are_not_counted(api: CheckedClient) -> None:
    assert "RateLimit" not in api.get("/healthz").headers
    throttling.meter.cache_clear()
    api.get("/healthz")
    assert throttling.meter.cache_info().currsize == 0
