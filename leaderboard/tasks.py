"""What the beat asks of the leaderboards."""

from datetime import timedelta

from celery import shared_task

from daily import clock
from leaderboard.boards import boards_of
from leaderboard.services import repair


@shared_task
def repair_index() -> None:
    """Bring the index of every board that still changes up to date; see `leaderboard.services.repair`."""
    today = clock.now().date()
    for board in dict.fromkeys((*boards_of(today), *boards_of(today - timedelta(days=1)))):
        repair(board)
