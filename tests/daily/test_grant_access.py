"""The role that serves: what it may do, and what no bug in the service can make it do."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from daily.models import Challenge

ROLE = "pyramid_service"
REFUSED = {
    "dropping a table": "DROP TABLE daily_run",
    "emptying a table": "TRUNCATE daily_run CASCADE",
    "adding a column": "ALTER TABLE daily_run ADD COLUMN extra int",
    "switching a trigger off": "ALTER TABLE daily_challenge DISABLE TRIGGER ALL",
    "switching every trigger off": "SET LOCAL session_replication_role = replica",
    "dropping a trigger": "DROP TRIGGER daily_run_enters ON daily_run",
    "adding a trigger": "CREATE TRIGGER late BEFORE INSERT ON daily_run EXECUTE FUNCTION daily_guard_run()",
    "changing a trigger's function": "ALTER FUNCTION daily_guard_run() RENAME TO other",
    "adding a table": "CREATE TABLE extra (id int)",
    "adding a table for a while": "CREATE TEMPORARY TABLE extra (id int)",
    "adding a schema": "CREATE SCHEMA extra",
    "adding a role": "CREATE ROLE extra",
    "granting": "GRANT pg_read_all_data TO pyramid_service",
    "reading passwords": "SELECT rolpassword FROM pg_authid",
    "reading files": "SELECT pg_read_file('/etc/passwd')",
    "running a program": "COPY daily_run TO PROGRAM 'cat'",
    "forgetting a migration": "DELETE FROM django_migrations",
    "rewriting the audit trail": "UPDATE daily_auditentry SET reason = ''",
    "shortening the audit trail": "DELETE FROM daily_auditentry",
}
RIGHTS = """
    SELECT relname, has_table_privilege(%s, oid, 'SELECT'), has_table_privilege(%s, oid, 'INSERT'),
        has_table_privilege(%s, oid, 'UPDATE'), has_table_privilege(%s, oid, 'DELETE'),
        has_table_privilege(%s, oid, 'TRUNCATE, REFERENCES, TRIGGER')
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
"""

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_PASSWORD", "a secret")


def grant_access(role: str = ROLE) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("grant_access", role, stdout=out)
    return out.getvalue()


def run(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def first(question: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0]


@contextmanager
def serving() -> Iterator[None]:
    """As the role that serves."""
    run(f"SET LOCAL SESSION AUTHORIZATION {ROLE}")
    try:
        yield
    finally:
        run("RESET SESSION AUTHORIZATION")


@pytest.mark.postgres
@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_the_role_that_serves_is_refused(statement: str) -> None:
    grant_access()
    with serving(), pytest.raises(DatabaseError, match=r"permission denied|must be owner"):
        run(statement)


@pytest.mark.postgres
def test_it_reads_and_writes_every_table_and_only_adds_to_the_audit_trail() -> None:
    grant_access()
    with connection.cursor() as cursor:
        cursor.execute(RIGHTS, [ROLE] * 5)
        rights = {table: each for table, *each in cursor.fetchall()}
    assert rights.pop("django_migrations") == [True, False, False, False, False]
    assert rights.pop("daily_auditentry") == [True, True, False, False, False]
    assert "daily_run" in rights
    assert all(each == [True, True, True, True, False] for each in rights.values())


@pytest.mark.postgres
def test_the_guards_hold_for_it(challenge: Challenge) -> None:
    grant_access()
    with serving(), pytest.raises(DatabaseError, match="once opened"), transaction.atomic():
        Challenge.objects.update(deck="")


@pytest.mark.postgres
def test_its_password_is_kept_hashed_and_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    question = f"SELECT rolpassword FROM pg_authid WHERE rolname = '{ROLE}'"
    assert grant_access() == "pyramid_service may serve.\n"
    before = first(question)
    assert str(before).startswith("SCRAM-SHA-256$")
    monkeypatch.setenv("SERVICE_PASSWORD", "another")
    grant_access()
    assert first(question) != before


@pytest.mark.postgres
def test_without_a_password_a_role_that_is_there_gets_its_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SERVICE_PASSWORD")
    with pytest.raises(CommandError, match="There is no role pyramid_service"):
        grant_access()
    run(f"CREATE ROLE {ROLE} LOGIN")
    grant_access()
    assert first(f"SELECT has_table_privilege('{ROLE}', 'daily_run', 'INSERT')") is True


@pytest.mark.postgres
@pytest.mark.parametrize(
    "power",
    [
        f"CREATE ROLE {ROLE} SUPERUSER",
        f"CREATE ROLE {ROLE} CREATEROLE",
        f"CREATE ROLE {ROLE} BYPASSRLS",
        f"CREATE ROLE {ROLE} IN ROLE pg_write_all_data",
        f"CREATE ROLE {ROLE}; CREATE SCHEMA own AUTHORIZATION {ROLE} CREATE TABLE mine (id int)",
    ],
)
def test_a_role_with_further_rights_is_refused(power: str) -> None:
    run(power)
    with pytest.raises(CommandError, match="further rights"):
        grant_access()


@pytest.mark.postgres
def test_a_name_is_only_a_name() -> None:
    grant_access('x"; DROP TABLE daily_run; --')
    assert first("SELECT count(*) FROM daily_run") == 0


def test_elsewhere_there_are_no_roles() -> None:
    with (
        mock.patch.object(connection, "vendor", "sqlite"),
        pytest.raises(CommandError, match="Only PostgreSQL"),
    ):
        grant_access()
