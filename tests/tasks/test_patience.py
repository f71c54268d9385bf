"""How long a worker waits for the database: for a statement as long as its task may last."""

import pytest
from django.db import connection

from config.celery import take_time

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def setting(name: str) -> str:
    """A setting of a fresh session."""
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute(f"SHOW {name}")
        return str(cursor.fetchone()[0])


def test_a_statement_of_a_worker_may_last_longer_than_one_of_the_web(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {**connection.settings_dict["OPTIONS"]})
    assert setting("statement_timeout") == "15s"
    take_time()
    assert setting("statement_timeout") == "0"
    assert setting("lock_timeout") == "10s"
    monkeypatch.undo()
    assert setting("statement_timeout") == "15s"
