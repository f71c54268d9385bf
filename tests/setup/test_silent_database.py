"""A PostgreSQL that says nothing any more, as one that is frozen: a request waits for it for a while only."""

import time
from collections.abc import Iterator
from typing import NoReturn

import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.signals import connection_created
from django.test import Client

from config import patience

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
SLEEP = "SELECT pg_sleep(5)"


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connections of a web whose patience is short."""
    monkeypatch.setattr(patience, "ANSWER_S", 0.2)
    connection.close()
    connection_created.connect(patience.be_patient_no_longer)
    yield
    connection_created.disconnect(patience.be_patient_no_longer)
    connection.close()


def test_a_statement_without_an_answer_is_given_up() -> None:
    begun = time.monotonic()
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute(SLEEP)
    assert time.monotonic() - begun < 2


def test_the_next_request_has_a_connection_that_works() -> None:
    with pytest.raises(OperationalError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(SLEEP)
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_such_a_request_is_told_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_: object) -> NoReturn:
        with connection.cursor() as cursor:
            cursor.execute(SLEEP)
        raise AssertionError

    monkeypatch.setattr("api.views.health.Ready.get", ask)
    answer = Client().get("/readyz", headers={"host": "localhost"})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "5"
