"""``manage.py grant_access``: the database role that serves, with no more rights than serving takes."""

import os
from typing import Any, cast, override

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import Connection, sql

PASSWORD = "SERVICE_PASSWORD"  # noqa: S105 (the name of a variable)
RIGHTS = (
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
    "REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC",
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "GRANT CONNECT ON DATABASE {database} TO {role}",
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
    "REVOKE UPDATE, DELETE ON daily_auditentry FROM {role}",
)
"""Rows may be read and written, the audit trail only added to; tables, triggers and roles are left alone."""
POWERS = """
    SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls OR EXISTS (
        SELECT FROM pg_class WHERE relowner = pg_roles.oid
    ) OR EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid)
    FROM pg_roles WHERE rolname = %s
"""


class Command(BaseCommand):
    """Run by the owner of the tables after each migration. Repeating it changes nothing."""

    help = (
        f"Let a PostgreSQL role read and write the service's rows, and nothing else. With {PASSWORD} in the"
        " environment the role is made if it is missing, and that becomes its password."
    )

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="the role that web, worker and beat connect as")

    @override
    def handle(self, *, role: str, **_options: Any) -> None:
        """All or nothing. Raises CommandError."""
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has roles.")
        with transaction.atomic(), connection.cursor() as cursor:
            if password := os.environ.get(PASSWORD):
                set_password(cursor, role, password)
            refuse_powerful(cursor, role)
            for statement in RIGHTS:
                cursor.execute(named(statement, role))
        self.stdout.write(f"{role} may serve.")


def set_password(cursor: CursorWrapper, role: str, password: str) -> None:
    """Make the role if it is missing. The server is sent a hash, so that no log of it has the password."""
    cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
    if not cursor.rowcount:
        cursor.execute(named("CREATE ROLE {role}", role))
    server = cast("Connection[Any]", connection.connection).pgconn
    secret = server.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    change = sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(role), sql.Literal(secret))
    cursor.execute(change)


def refuse_powerful(cursor: CursorWrapper, role: str) -> None:
    """Raises CommandError for a role that is missing, or has rights that no grant of ours takes away."""
    cursor.execute(POWERS, [role])
    found = cursor.fetchone()
    if found is None:
        raise CommandError(f"There is no role {role}. Make it, or set {PASSWORD}.")
    if found[0]:
        raise CommandError(f"{role} has further rights of its own: it owns something or is more than a user.")


def named(statement: str, role: str) -> sql.Composed:
    """The statement about this role and this database."""
    database = sql.Identifier(connection.settings_dict["NAME"])
    return sql.SQL(cast("Any", statement)).format(role=sql.Identifier(role), database=database)
