"""How long a request waits for a PostgreSQL that says nothing any more: frozen, or behind a cut line."""

from functools import partial
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

ANSWER_S = 16
"""A second longer than its longest statement (``statement_timeout``), which it ends itself."""


def be_patient_no_longer(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Let every wait for an answer end, with an OperationalError (503) and then without the connection."""
    if connection.vendor == "postgresql":
        driver = connection.connection
        driver.wait = partial(driver.wait, timeout=ANSWER_S)


connection_created.connect(be_patient_no_longer)
