"""The room of people."""

from importlib import import_module
from typing import override

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Registers the OpenAPI extension, which is found only once it is imported."""

    name = "players"

    @override
    def ready(self) -> None:
        import_module("players.openapi")
