"""Instances as they come from the database."""

from collections.abc import Collection
from typing import Any, Self

from django.db.models.base import ModelState
from django.db.models.fetch_modes import FetchMode


class Loaded:
    """A model whose rows become instances without ``__init__``.

    That goes through every field and sends two signals, for which nobody here listens; it takes four times as
    long as what is left.
    """

    @classmethod
    def from_db(
        cls,
        db: str | None,
        field_names: Collection[str],
        values: Collection[Any],
        *,
        fetch_mode: FetchMode | None = None,
    ) -> Self:
        """The instance with these fields; others are fetched when they are asked for."""
        new = cls.__new__(cls)
        state = ModelState()
        state.adding, state.db = False, db
        if fetch_mode is not None:
            state.fetch_mode = fetch_mode
        new.__dict__.update(zip(field_names, values, strict=True), _state=state)
        return new
