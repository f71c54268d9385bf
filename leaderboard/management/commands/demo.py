"""``manage.py demo``: let bots play, so that boards, bundles and admin have something to show."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from random import SystemRandom
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from leaderboard import bots

MOST_PLAYERS = 10_000


def number_of_players(text: str) -> int:
    """The number in an argument. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= MOST_PLAYERS):
        raise ArgumentTypeError(f"takes a number from 1 to {MOST_PLAYERS}.")
    return int(text)


class Command(BaseCommand):
    """Refuses where neither demo nor debug mode is on: bots have no place on a real board."""

    help = (
        "Let bot players of different skill play today's challenge and the last days, which are settled then."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--players``."""
        parser.prog, parser.usage = "./run demo", "./run demo [--players N]"
        parser.add_argument(
            "--players",
            type=number_of_players,
            default=200,
            help="how many bots shall have played today (200)",
        )

    def handle(self, *, players: int, **_options: Any) -> None:
        """Add what is missing, and say what was."""
        if not (settings.DEMO or settings.DEBUG):
            raise CommandError(
                "Bots play in demo mode only: set DEMO=1 on a machine that is no real service."
            )
        past = f"{bots.PAST_BOTS} on each of the {bots.PAST_DAYS} days before"
        self.stdout.write(f"Letting {counted_bots(players)} play today and {past} ...")
        self.stdout.flush()
        rng = SystemRandom()
        settled, added = bots.settle_past_days(rng), bots.fill_today(players, rng)
        self.stdout.write(f"Done. {told_of_today(added)} {told_of_the_past(settled)}")


def counted_bots(number: int) -> str:
    """So many bots."""
    return "1 bot" if number == 1 else f"{number} bots"


def told_of_today(added: int) -> str:
    """What became of today's board, in a sentence."""
    if not added:
        return "Today's board had as many already."
    return f"{counted_bots(added)} played today's challenge."


def told_of_the_past(settled: list[date]) -> str:
    """Which days were settled, in a sentence."""
    if not settled:
        return "The days before were settled already."
    return f"Settled for you to look at: {', '.join(map(str, settled))}."
