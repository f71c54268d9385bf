"""What every table holds, to see that nothing was changed."""

from typing import Any

from django.db import connection

type Contents = dict[str, tuple[int, int]]
"""How many rows each table has, and on PostgreSQL a sum over the transactions that wrote them."""


def contents() -> Contents:
    """One query over all tables; what is locked or looked at does not count as changed."""
    tables = sorted(connection.introspection.table_names())
    written = "coalesce(sum(xmin::text::bigint), 0)" if connection.vendor == "postgresql" else "0"
    parts = (f"SELECT '{table}', count(*), {written} FROM \"{table}\"" for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts))
        found: list[tuple[str, Any, Any]] = cursor.fetchall()
    return {table: (int(count), int(sum_)) for table, count, sum_ in found}


def changed(before: Contents, after: Contents) -> list[str]:
    """The tables that are not what they were."""
    return [table for table, held in after.items() if held != before.get(table)]
