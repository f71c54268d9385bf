"""``manage.py demo``: fill today with bots, so that boards and admin have something to show."""

from argparse import ArgumentParser
from random import SystemRandom
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from leaderboard.bots import fill_today


class Command(BaseCommand):
    """Refuses where neither demo nor debug mode is on: bots have no place on a real board."""

    help = "Let bot players of different skill play today's challenge."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--players``."""
        parser.add_argument("--players", type=int, default=200, help="how many bots shall have played (200)")

    def handle(self, *, players: int, **_options: Any) -> None:
        """Add the missing bots and say how many."""
        if not (settings.DEMO or settings.DEBUG):
            raise CommandError(
                "Bots play in demo mode only: set DEMO=1 on a machine that is no real service."
            )
        if not 1 <= players <= 10_000:
            raise CommandError("--players takes a number from 1 to 10000.")
        added = fill_today(players, SystemRandom())
        self.stdout.write(f"{added} bots played today's challenge; {players} have played it or more.")
