"""What every test starts from: its own database, an empty Redis, hypothesis that repeats itself."""

import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import hypothesis
import pytest
import redis
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations

from players import throttling
from tests.cast import ann, bob, challenge, clock  # noqa: F401  (fixtures)

hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Put SQLite's test database in a file, as in the embedded default."""
    if not settings.IS_POSTGRES:
        settings.DATABASES["default"]["TEST"]["NAME"] = str(Path(settings.VAR_DIR) / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Let the emptying of SQLite pass by the triggers that guard its rows, as PostgreSQL's TRUNCATE does."""
    if settings.IS_POSTGRES:
        yield
        return
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def flush_past_triggers(self: BaseDatabaseOperations, statements: list[str]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
        flush(
            self,
            [*(f"DROP TRIGGER {name}" for name, _ in triggers), *statements, *(sql for _, sql in triggers)],
        )

    with mock.patch.object(operations, "execute_sql_flush", flush_past_triggers):
        yield


@pytest.fixture(scope="session")
def redis_client() -> Iterator[redis.Redis | None]:
    """A client of this worker's Redis database; none in the embedded default."""
    if not settings.REDIS_URL:
        yield None
        return
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        yield client


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Begin each test with nothing kept in this process."""
    cache.clear()


@pytest.fixture(autouse=True)
def empty_redis(redis_client: redis.Redis | None) -> None:
    """Begin each test with an empty Redis database."""
    if redis_client:
        redis_client.flushdb()


@pytest.fixture(autouse=True)
def new_meter() -> None:
    """Let nothing counted by one test be held against the next."""
    throttling.meter.cache_clear()
