"""The one clock: the database's, so that every web server agrees on when something arrived."""

from datetime import datetime

from django.db import connection, models


class Now(models.Func):
    """The moment the statement runs, in UTC.

    Not the transaction's ``now()``, which stands still while the transaction waits for a lock.
    """

    template = "clock_timestamp()"
    output_field = models.DateTimeField()

    def as_sqlite(self, compiler, connection, **context):  # type: ignore[no-untyped-def]
        """SQLite's clock, to the millisecond."""
        return self.as_sql(compiler, connection, template="strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now')", **context)


def now() -> datetime:
    """Read the clock. One round trip; read it first, and once, in whatever depends on it."""
    sql = "SELECT clock_timestamp()" if connection.vendor == "postgresql" else "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')"
    with connection.cursor() as cursor:
        cursor.execute(sql)
        [moment] = cursor.fetchone()
    return moment
