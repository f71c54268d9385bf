"""Queries that every request asks: built and compiled once, asked with other values each time.

It takes Django three times as long to build and compile such a query as to ask it. What comes out is what the
queryset would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple, override

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression
from django.db.models.fetch_modes import FETCH_ONE
from django.db.models.query import ModelIterable
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


class _Compiled(NamedTuple):
    queryset: models.QuerySet[Any]
    compiler: SQLCompiler
    sql: str
    params: tuple[Any, ...]
    converters: dict[Any, Any]


class Prepared[M: models.Model]:
    """The query of the queryset that ``build`` makes when it is asked for the first time."""

    def __init__(self, build: Callable[[], models.QuerySet[M]]) -> None:
        self._build = build

    def all(self, **values: Any) -> list[M]:
        """What is found with these values. One query."""
        compiler = self._bound(connections[DEFAULT_DB_ALIAS], values)
        return list(ModelIterable(_Asked(self._compiled.queryset, compiler)))  # type: ignore[arg-type]

    def get(self, **values: Any) -> M:
        """The one that is found with these values. Raises the model's DoesNotExist. One query."""
        found = self.all(**values)
        if not found:
            raise self._compiled.queryset.model.DoesNotExist
        [one] = found
        return one

    def rows(self, **values: Any) -> Iterator[Sequence[Any]]:
        """What is found with these values by a queryset of ``values_list``. One query."""
        compiler = self._bound(connections[DEFAULT_DB_ALIAS], values)
        return compiler.results_iter(tuple_expected=True)

    def _compile(self) -> _Compiled:
        queryset = self._build()
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        converters = compiler.get_converters(column for column, *_ in compiler.select)
        return _Compiled(queryset, compiler, sql, tuple(params), converters)

    _compiled = cached_property(_compile)

    def _bound(self, connection: BaseDatabaseWrapper, values: dict[str, Any]) -> SQLCompiler:
        """The compiler as it is after compiling, on this thread's connection."""
        _, compiler, sql, params, converters = self._compiled
        compiler = copy(compiler)
        compiler.connection = connection
        bound = tuple(part.bind(values, connection) if isinstance(part, Given) else part for part in params)
        compiler.as_sql = lambda: (sql, bound)  # type: ignore[method-assign, assignment, misc]
        compiler.get_converters = lambda expressions: converters  # type: ignore[method-assign]  # noqa: ARG005
        return compiler


class _Asked(SimpleNamespace):
    """As much of a queryset as making its instances takes, with a query that is compiled already."""

    def __init__(self, queryset: models.QuerySet[Any], compiler: SQLCompiler) -> None:
        super().__init__(
            model=queryset.model,
            db=DEFAULT_DB_ALIAS,
            query=SimpleNamespace(get_compiler=lambda **_: compiler),
            _fetch_mode=FETCH_ONE,
            _known_related_objects={},
        )
