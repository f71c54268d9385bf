"""Which boards a day counts on, and what they are called."""

from datetime import date

import pytest

from leaderboard.boards import ALL_TIME, boards_of, day_of


@pytest.mark.parametrize(
    ("day", "week"),
    [
        (date(2026, 11, 30), "2026-W49"),
        (date(2026, 12, 31), "2026-W53"),
        (date(2027, 1, 3), "2026-W53"),
        (date(2027, 1, 4), "2027-W01"),
        (date(2024, 12, 30), "2025-W01"),
        (date(2028, 2, 29), "2028-W09"),
    ],
)
def test_a_day_counts_on_its_own_board_its_iso_week_its_month_and_all_time(day: date, week: str) -> None:
    assert boards_of(day) == (str(day), week, str(day)[:7], ALL_TIME)


def test_the_board_of_a_day_tells_its_day_and_others_tell_none() -> None:
    assert [day_of(board) for board in boards_of(date(2026, 11, 30))] == [
        date(2026, 11, 30),
        None,
        None,
        None,
    ]
