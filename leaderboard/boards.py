"""The boards a day counts on, named by text: ``2026-11-30``, ``2026-W49``, ``2026-11`` and ``all-time``."""

from datetime import date

ALL_TIME = "all-time"


def day_board(day: date) -> str:
    """The board of one challenge."""
    return day.isoformat()


def week_board(day: date) -> str:
    """The board of the ISO week that ``day`` falls in."""
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def month_board(day: date) -> str:
    """The board of the month that ``day`` falls in."""
    return f"{day:%Y-%m}"


def day_of(board: str) -> date | None:
    """The day whose board this is, or None for the boards of longer periods."""
    return date.fromisoformat(board) if board.count("-") == 2 else None


def boards_of(day: date) -> tuple[str, ...]:
    """Each board a run of ``day`` counts on, in the one order that keeps writers from a deadlock."""
    return day_board(day), week_board(day), month_board(day), ALL_TIME
