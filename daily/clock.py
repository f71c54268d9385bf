"""The one clock: the database's, so that every web server agrees on when something arrived."""

from datetime import UTC, datetime
from typing import Any

from django.db import connection, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler


class Now(models.Func):
    """The moment the statement runs, in UTC.

    Not the transaction's ``now()``, which stands still while the transaction waits for a lock.
    """

    template = "clock_timestamp()"
    output_field = models.DateTimeField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        """SQLite's clock, to the millisecond."""
        template = "strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now')"
        return self.as_sql(compiler, connection, template=template, **context)


def now() -> datetime:
    """Read the clock. One round trip; read it first, and once, in whatever depends on it."""
    is_postgres = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()" if is_postgres else "SELECT strftime('%Y-%m-%dT%H:%M:%fZ')")
        [moment] = cursor.fetchone()
    return moment if isinstance(moment, datetime) else datetime.fromisoformat(moment)


def about_now() -> datetime:
    """Read the process's clock, which may be a little off: for reads only, which show and decide nothing."""
    return datetime.now(UTC)
