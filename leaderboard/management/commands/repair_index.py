"""``manage.py repair_index``: the index in Redis made complete again, or made anew."""

from argparse import ArgumentParser
from datetime import date

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from daily import clock
from leaderboard import index
from leaderboard.boards import boards_of
from leaderboard.services import index_lag, repair
from leaderboard.tasks import boards_to_repair


class Command(BaseCommand):
    help = "Make the index complete again, of the boards that change or of those that given days count on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The days, and whether to trust what is there."""
        parser.add_argument("days", nargs="*", type=date.fromisoformat, metavar="YYYY-MM-DD")
        parser.add_argument("--anew", action="store_true", help="forget the boards first and fill them again")

    def handle(self, *, days: list[date], anew: bool, **_: object) -> None:
        """Say of each board what was done. Raises CommandError where Redis does not answer."""
        if not settings.REDIS_URL:
            self.stdout.write("There is no index, because there is no Redis.")
            return
        boards = sorted({board for day in days for board in boards_of(day)})
        for board in boards or boards_to_repair(clock.now()):
            self.stdout.write(f"{board}: {'repaired' if self._repair(board, anew=anew) else 'complete'}")

    def _repair(self, board: str, *, anew: bool) -> bool:
        if index_lag(board) is None:
            raise CommandError("Redis does not answer. Nothing depends on it: SQL answers meanwhile.")
        if anew:
            index.clear(board)
        return repair(board)
