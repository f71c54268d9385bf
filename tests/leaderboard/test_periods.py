"""Weeks and months: read strictly, made of the right days, ranked by exact sums."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from random import Random
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries, Settings

from daily.models import Run
from leaderboard import queries, standings
from leaderboard.boards import ALL_TIME, boards_of, day_board
from leaderboard.corrections import void_run
from leaderboard.models import Standing, Tally
from leaderboard.periods import Period, month_of, parse_month, parse_week, span, week_of
from leaderboard.scoring import score
from leaderboard.services import repair
from players.models import Player
from tests.cast import DAY, make_challenge, make_player, record

days = st.dates(date(2000, 1, 3), date(2099, 11, 30))
year_ends = st.builds(
    lambda year, away: date(year, 1, 1) + timedelta(away), st.integers(2001, 2098), st.integers(-7, 7)
)
TEN_YEARS = 3652
FULL_CLEAR, FULL_HOUR_MS = 28, 3_600_000


@given(st.one_of(days, year_ends), st.sampled_from([(week_of, parse_week), (month_of, parse_month)]))
def test_a_period_reads_back_from_its_text_and_adjoins_its_neighbours(
    day: date, kind: tuple[Callable[[date], Period], Callable[[str], Period]]
) -> None:
    period_of, parse = kind
    period = period_of(day)
    assert parse(str(period)) == period
    assert period.first <= day <= period.last
    assert period.previous.next == period == period.next.previous
    assert period.next.first - period.last == period.first - period.previous.last == timedelta(1)


@given(st.one_of(days, year_ends))
def test_the_days_of_a_period_are_those_that_count_on_its_board(day: date) -> None:
    for period in (week_of(day), month_of(day)):
        inside = [period.first + timedelta(n) for n in range((period.last - period.first).days + 1)]
        assert all(period.board in boards_of(one) for one in inside)
        assert period.board not in boards_of(period.first - timedelta(1))
        assert period.board not in boards_of(period.last + timedelta(1))


def test_a_long_iso_year_has_a_week_53() -> None:
    assert parse_week("2026-W53") == Period("2026-W53", date(2026, 12, 28), date(2027, 1, 3))
    assert str(parse_week("2026-W53").next) == "2027-W01"
    assert str(parse_week("2026-W01").previous) == "2025-W52"


def test_february_has_its_leap_day() -> None:
    assert parse_month("2028-02").last == date(2028, 2, 29)
    assert parse_month("2027-02").last == date(2027, 2, 28)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2025-W53",
        "2026-W00",
        "2026-W54",
        "2026-W1",
        "2026-w49",
        "2026W49",
        "2026-W49\n",
        " 2026-W49",
        "2026-W٤٩",
        "2026-W4९",
        "-026-W49",
        "1999-W52",
        "2100-W01",
        "2026-11",
    ],
)
def test_what_is_no_week_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"week|\d"):
        parse_week(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-00",
        "2026-13",
        "2026-1",
        "2026-011",
        "2026/11",
        "2026-11\n",
        "2026-1१",
        "1999-12",
        "2100-01",
        "2026-W11",
    ],
)
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="month"):
        parse_month(text)


def test_every_board_spans_its_days() -> None:
    spans = [span(board) for board in boards_of(DAY)]
    assert spans == [
        (DAY, DAY),
        (date(2026, 11, 30), date(2026, 12, 6)),
        (date(2026, 11, 1), date(2026, 11, 30)),
        (date.min, date.max),
    ]


@pytest.fixture(params=["sql", pytest.param("index", marks=pytest.mark.redis)])
def make_ready(request: pytest.FixtureRequest, settings: Settings) -> Iterator[Callable[[str], object]]:
    """A function that makes a board ready to be read, by SQL or by an index that SQL does not help."""
    if request.param == "sql":
        settings.REDIS_URL = ""
        yield repair
        return
    slow = mock.Mock(side_effect=AssertionError("SQL was asked"))
    with mock.patch.multiple(queries, after=slow, before=slow, around=slow, counts=slow, position_of=slow):
        yield repair


def test_rows_of_every_period_agree_with_the_runs(
    db: None, clock: object, make_ready: Callable[[str], object]
) -> None:
    """Five players over the ends of two years and a leap day, some runs voided, many results equal."""
    around = (date(2026, 12, 31), date(2027, 12, 31), date(2028, 2, 29))
    challenges = [make_challenge(middle + timedelta(away)) for middle in around for away in range(-4, 5)]
    players, rng = [make_player(f"player {number}") for number in range(5)], Random(53)
    for challenge in challenges:
        for player in rng.sample(players, rng.randint(0, 5)):
            run = record(player, challenge, cleared=rng.randint(27, 28), elapsed_ms=rng.randint(1, 2))
            if rng.random() < 0.2:
                void_run(run_id=run.pk, reason="played by a program", by=None)
    boards = {board for challenge in challenges for board in boards_of(challenge.date)}
    for board in boards:
        make_ready(board)
        assert rows_of(board) == counted_from_runs(board)


def rows_of(board: str) -> list[tuple[int, str, int, int, int]]:
    """Rank, name, cleared, milliseconds and days of every row."""
    rows = standings.page_after(board, None, 10).rows
    return [(row.rank, row.entry.player, row.cleared, row.elapsed_ms, row.entry.days) for row in rows]


def counted_from_runs(board: str) -> list[tuple[int, str, int, int, int]]:
    runs: dict[Player, list[Run]] = defaultdict(list)
    for run in Run.objects.filter(voided_at=None).select_related("player"):
        if board in boards_of(run.challenge_id):
            runs[run.player].append(run)
    sums = {
        player: (sum(r.cleared for r in own), sum(r.elapsed_ms for r in own)) for player, own in runs.items()
    }
    order = sorted(sums, key=lambda player: (-sums[player][0], sums[player][1], player.pk))
    ranks = {
        player: 1 + sum(score(*sums[other]) < score(*sums[player]) for other in order) for player in order
    }
    return [(ranks[player], player.name, *sums[player], len(runs[player])) for player in order]


def test_ten_years_of_daily_play_keep_players_a_millisecond_apart(
    db: None, make_ready: Callable[[str], object]
) -> None:
    names = ["slow", "tied", "also tied", "quick"]
    waits_ms = dict(zip(names, [1, 0, 0, -1], strict=True))
    for name, wait_ms in waits_ms.items():
        give_ten_years(make_player(name), FULL_HOUR_MS * TEN_YEARS + wait_ms)
    Tally.objects.create(board=ALL_TIME, cleared=28, runs=4 * TEN_YEARS, changes=4 * TEN_YEARS)
    make_ready(ALL_TIME)
    rows = standings.page_after(ALL_TIME, None, 10).rows
    assert all(row.position.score > 2**53 for row in rows)
    assert [(row.rank, row.entry.player) for row in rows] == [
        (1, "quick"),
        (2, "tied"),
        (2, "also tied"),
        (4, "slow"),
    ]
    assert [row.elapsed_ms - FULL_HOUR_MS * TEN_YEARS for row in rows] == [-1, 0, 0, 1]
    places = [standings.place_of(ALL_TIME, row.position.player_id) for row in rows]
    assert [place and place[1] for place in places] == [(1, 3, 4), (2, 1, 4), (2, 1, 4), (4, 0, 4)]


def give_ten_years(player: Player, elapsed_ms: int) -> None:
    Standing.objects.create(
        board=ALL_TIME,
        player=player,
        cleared=FULL_CLEAR * TEN_YEARS,
        elapsed_ms=elapsed_ms,
        days=TEN_YEARS,
        version=TEN_YEARS,
    )


def test_a_page_of_a_period_costs_four_queries_and_a_place_two(
    db: None, clock: object, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.REDIS_URL = ""
    player = make_player("ann")
    record(player, make_challenge(DAY), cleared=3, elapsed_ms=5)
    for board in boards_of(DAY):
        with django_assert_num_queries(4):
            assert [row.entry.player for row in standings.page_after(board, None, 10).rows] == ["ann"]
        with django_assert_num_queries(2):
            standings.place_of(board, player.pk)


@pytest.mark.redis
def test_with_an_index_a_page_costs_two_queries_and_a_place_one(
    db: None, clock: object, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    player = make_player("ann")
    record(player, make_challenge(DAY), cleared=3, elapsed_ms=5)
    for board in boards_of(DAY):
        repair(board)
        with django_assert_num_queries(2):
            assert [row.entry.player for row in standings.page_after(board, None, 10).rows] == ["ann"]
        with django_assert_num_queries(1):
            standings.place_of(board, player.pk)


def test_a_period_without_runs_is_empty(db: None) -> None:
    page = standings.page_after(str(parse_week("2031-W01")), None, 10)
    assert (page.rows, page.field_size, page.next) == ([], 0, None)
    assert standings.place_of(day_board(DAY), 1) is None
