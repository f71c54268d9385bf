"""A clock of a PostgreSQL that can be stepped: a function that is found before ``clock_timestamp``."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import connection

SEARCH_PATH = "stepped, public, pg_catalog"
"""Where the clock of `MAKE` comes first."""
MAKE = """
    CREATE SCHEMA stepped;
    CREATE TABLE stepped.step (by interval NOT NULL);
    INSERT INTO stepped.step VALUES ('0');
    CREATE FUNCTION stepped.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql
        AS 'SELECT pg_catalog.clock_timestamp() + by FROM stepped.step';
    GRANT USAGE ON SCHEMA stepped TO PUBLIC;
    GRANT SELECT ON stepped.step TO PUBLIC;
"""
STEP = "UPDATE stepped.step SET by = %s"


@pytest.fixture
def step(transactional_db: None) -> Iterator[Callable[..., None]]:
    """Let the clock of the test's database be so much off: ``step(hours=2)``."""
    database = connection.ops.quote_name(connection.settings_dict["NAME"])
    _execute(f"{MAKE}; ALTER DATABASE {database} SET search_path = {SEARCH_PATH}")
    connection.close()
    yield lambda **by: _execute(STEP, str(timedelta(**by)))
    _execute(f"DROP SCHEMA stepped CASCADE; ALTER DATABASE {database} RESET search_path")
    connection.close()


def _execute(statement: str, *values: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
