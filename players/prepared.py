"""Queries that every request asks: built and compiled once, asked with other values each time.

It takes Django three times as long to build and compile such a query as to ask it. What comes out is what the
queryset would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, override

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression
from django.db.models.fetch_modes import FETCH_ONE
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler


class Given(Expression):
    """Stands in a filter for a value of a field's kind (of the key's, if none is named) to be given later."""

    def __init__(self, name: str, model: type[models.Model], field: str = "") -> None:
        meta: Any = model._meta  # noqa: SLF001 (public by its documentation)
        super().__init__(output_field=meta.get_field(field) if field else meta.pk)
        self.name = name

    @override
    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_context: Any
    ) -> tuple[str, tuple[Any, ...]]:
        return "%s", (self,)

    def bind(self, values: dict[str, Any], connection: BaseDatabaseWrapper) -> Any:
        """The value as the database takes it."""
        return self.output_field.get_db_prep_value(values[self.name], connection)


class GivenMany(Given):
    """Stands behind ``__in`` for any number of integer keys, which the database gets as one text."""

    @override
    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_context: Any
    ) -> tuple[str, tuple[Any, ...]]:
        return "(SELECT unnest(%s::bigint[]))", (self,)

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_context: Any
    ) -> tuple[str, tuple[Any, ...]]:
        """The same by its name in SQLite."""
        return "(SELECT value FROM json_each(%s))", (self,)

    @override
    def bind(self, values: dict[str, Any], connection: BaseDatabaseWrapper) -> str:
        """The keys as the database takes them."""
        keys = ",".join(map(str, values[self.name]))
        return f"[{keys}]" if connection.vendor == "sqlite" else f"{{{keys}}}"


class _Instances[M: models.Model]:
    """Makes of rows what ``ModelIterable`` makes of them."""

    def __init__(self, model: type[M], compiler: SQLCompiler) -> None:
        self._model, self._annotations = model, tuple(compiler.annotation_col_map.items())
        columns = compiler.klass_info["select_fields"]
        self._own = slice(columns[0], columns[-1] + 1)
        self._names = [column.target.attname for column, *_ in compiler.select[self._own]]
        self._related = get_related_populators(
            compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS, FETCH_ONE
        )

    def of(self, row: Sequence[Any]) -> M:
        """The instance that a row holds."""
        made = self._model.from_db(DEFAULT_DB_ALIAS, self._names, row[self._own], fetch_mode=FETCH_ONE)
        for related in self._related:
            related.populate(row, made)
        for name, column in self._annotations:
            setattr(made, name, row[column])
        return made


class _Compiled[M: models.Model]:
    """A query as the database is asked it."""

    def __init__(self, queryset: models.QuerySet[M]) -> None:
        self.model: Any = queryset.model
        self._compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self._params = self._compiler.as_sql()
        self._converters = self._compiler.get_converters(column for column, *_ in self._compiler.select)

    @cached_property
    def instances(self) -> _Instances[M]:
        """What makes instances of its rows, where these are not of ``values_list``."""
        return _Instances(self.model, self._compiler)

    def bind(self, values: dict[str, Any], connection: BaseDatabaseWrapper) -> list[Any]:
        """The parameters with these values."""
        return [part.bind(values, connection) if isinstance(part, Given) else part for part in self._params]

    def convert(self, rows: list[Sequence[Any]]) -> Iterable[Sequence[Any]]:
        """The rows with Django's values in them."""
        return self._compiler.apply_converters(rows, self._converters) if self._converters else rows


class Prepared[M: models.Model]:
    """The query of the queryset that ``build`` makes when it is asked for the first time."""

    def __init__(self, build: Callable[[], models.QuerySet[M]]) -> None:
        self._build = build

    def all(self, **values: Any) -> list[M]:
        """What is found with these values. One query."""
        return [self._compiled.instances.of(row) for row in self.rows(**values)]

    def get(self, **values: Any) -> M:
        """The one that is found with these values. Raises the model's DoesNotExist. One query."""
        found = self.all(**values)
        if not found:
            raise self._compiled.model.DoesNotExist
        [one] = found
        return one

    def rows(self, **values: Any) -> Iterable[Sequence[Any]]:
        """What is found with these values by a queryset of ``values_list``. One query."""
        connection = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(self._compiled.sql, self._compiled.bind(values, connection))
            return self._compiled.convert(cursor.fetchall())

    def _compile(self) -> _Compiled[M]:
        return _Compiled(self._build())

    _compiled = cached_property(_compile)
