"""What every test starts from: its own database, an empty Redis, hypothesis that repeats itself."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import hypothesis
import pytest
import redis
from django.conf import settings
from django.contrib.auth import hashers
from django.core.cache import cache
from django.core.management.commands import flush
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.crypto import pbkdf2

from players import throttling
from tests.cast import ann, bob, challenge, clock  # noqa: F401  (fixtures)

MADE_BY_MIGRATING = {"auth_permission", "django_content_type"}

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
    """Let a test that commits be followed by one that finds the database as it was migrated."""
    with mock.patch.multiple(flush, sql_flush=emptying, emit_post_migrate_signal=mock.DEFAULT):
        yield


def emptying(_style: object, connection: BaseDatabaseWrapper, **_options: bool) -> list[str]:
    """Statements that delete every row but what migrating made, past the triggers that guard some.

    The tables hold few rows, so this takes a tenth of the time of TRUNCATE; like it, it waits for who still
    writes.
    """
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = sorted(set(names) - MADE_BY_MIGRATING)
    deletions = [f"DELETE FROM {table}" for table in tables]
    if settings.IS_POSTGRES:
        return [f"LOCK TABLE {', '.join(tables)}", "SET LOCAL session_replication_role = replica", *deletions]
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
    return [*(f"DROP TRIGGER {name}" for name, _ in triggers), *deletions, *(sql for _, sql in triggers)]


@pytest.fixture(scope="session", autouse=True)
def stretch_passwords_once() -> Iterator[None]:
    """As often as the service does it takes half a second; how strong that makes them is Django's affair."""

    def stretch(password: str, salt: str, iterations: int, **rest: Any) -> bytes:
        return pbkdf2(password, salt, 1, **rest)

    with mock.patch.object(hashers, "pbkdf2", stretch):
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
