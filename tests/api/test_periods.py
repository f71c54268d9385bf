"""The leaderboards of weeks, months and all time."""

from datetime import date, timedelta

import pytest

from daily.models import Challenge
from daily.services import keep_checkpoint
from leaderboard.corrections import reinstate_run, void_run
from players.models import Player
from tests.api.conftest import CheckedClient, forget_kept_answers
from tests.api.test_leaderboard import names_of, walk
from tests.cast import DAY, FrozenClock, make_challenge, make_player, record, started

WEEK, MONTH, ALL_TIME = (
    "/api/v1/leaderboards/week/current/",
    "/api/v1/leaderboards/month/current/",
    "/api/v1/leaderboards/all-time/",
)
BOARDS = pytest.mark.parametrize("board", [WEEK, MONTH, ALL_TIME])


@pytest.fixture
def two_days(challenge: Challenge, ann: Player, bob: Player) -> None:
    """Ann cleared most on Sunday and a little on Monday; Bob played on Monday only."""
    sunday = make_challenge(DAY - timedelta(days=1))
    record(ann, sunday, cleared=28, elapsed_ms=100_000)
    record(ann, challenge, cleared=4, elapsed_ms=50_000)
    record(bob, challenge, cleared=20, elapsed_ms=60_000)


@pytest.mark.usefixtures("two_days")
def test_a_month_sums_its_days(as_ann: CheckedClient) -> None:
    board = as_ann.get(MONTH).json()
    assert (board["period"], board["first_day"], board["last_day"]) == ("2026-11", "2026-11-01", "2026-11-30")
    ann, bob = board["results"]
    assert ann == {
        "rank": 1,
        "player": "ann",
        "is_bot": False,
        "cleared": 32,
        "elapsed_ms": 150_000,
        "days": 2,
    }
    assert (bob["player"], bob["days"]) == ("bob", 1)
    assert (board["field_size"], board["distribution"][28], sum(board["distribution"])) == (2, 1, 3)
    assert board["me"] == {
        "rank": 1,
        "field_size": 2,
        "percentile": 100.0,
        "cleared": 32,
        "elapsed_ms": 150_000,
        "days": 2,
    }


@pytest.mark.usefixtures("two_days")
def test_a_week_begins_on_monday(api: CheckedClient) -> None:
    board = api.get(WEEK).json()
    assert (board["period"], board["first_day"], board["last_day"]) == (
        "2026-W49",
        "2026-11-30",
        "2026-12-06",
    )
    assert names_of(board) == ["bob", "ann"]
    assert names_of(api.get("/api/v1/leaderboards/week/2026-W48/").json()) == ["ann"]
    assert board["me"] is None


@pytest.mark.usefixtures("two_days")
def test_all_time_has_no_days_of_its_own(api: CheckedClient) -> None:
    board = api.get(ALL_TIME).json()
    assert (board["period"], board["first_day"], board["last_day"]) == ("all-time", None, None)
    assert names_of(board) == ["ann", "bob"]


@pytest.mark.usefixtures("two_days")
def test_current_is_the_period_of_today(api: CheckedClient) -> None:
    assert api.get(WEEK).json() == api.get("/api/v1/leaderboards/week/2026-W49/").json()
    assert api.get(MONTH).json() == api.get("/api/v1/leaderboards/month/2026-11/").json()


@pytest.mark.parametrize(
    ("moment", "week"), [(date(2027, 1, 1), "2026-W53"), (date(2027, 1, 4), "2027-W01")], ids=str
)
def test_the_week_of_new_year_is_that_of_its_thursday(
    api: CheckedClient, db: None, clock: FrozenClock, moment: date, week: str
) -> None:
    clock.moment = clock.moment.replace(year=moment.year, month=moment.month, day=moment.day)
    assert api.get(WEEK).json()["period"] == week


@BOARDS
def test_pages_join_up_inside_ties(api: CheckedClient, challenge: Challenge, board: str) -> None:
    for number in range(7):
        record(make_player(f"player {chr(97 + number)}"), challenge, cleared=20, elapsed_ms=number // 3)
    everybody = names_of(api.get(board).json())
    assert len(everybody) == 7
    assert walk(api, f"{board}?limit=2") == everybody
    last = api.get(f"{board}?limit=4").json()["next"]
    assert walk(api, api.get(last).json()["previous"], "previous") == everybody[:4]


@BOARDS
def test_around_somebody_is_their_neighbourhood(
    api: CheckedClient, as_ann: CheckedClient, ann: Player, bob: Player, challenge: Challenge, board: str
) -> None:
    record(ann, challenge, cleared=14, elapsed_ms=1)
    for number in range(4):
        record(make_player(f"player {chr(97 + number)}"), challenge, cleared=12 + number, elapsed_ms=1)
    page = api.get(f"{board}?around=ANN&limit=3").json()
    assert [(row["rank"], row["player"]) for row in page["results"]] == [
        (1, "player d"),
        (2, "ann"),
        (2, "player c"),
    ]
    assert (names_of(api.get(page["next"]).json()), page["previous"]) == (["player b", "player a"], None)
    assert names_of(as_ann.get(f"{board}?around=me&limit=1").json()) == ["ann"]
    assert api.get(f"{board}?around=bob").json()["code"] == "not_ranked"


@BOARDS
def test_a_correction_shows(
    api: CheckedClient, ann: Player, bob: Player, challenge: Challenge, board: str
) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=1)
    record(bob, challenge, cleared=20, elapsed_ms=1)
    before = api.get(board)
    assert before.headers["Cache-Control"] == "public, no-cache"
    assert api.get(board, HTTP_IF_NONE_MATCH=before.headers["ETag"]).status_code == 304
    void_run(run_id=run.pk, reason="Played by a program.", by=None)
    forget_kept_answers()
    voided = api.get(board, HTTP_IF_NONE_MATCH=before.headers["ETag"])
    assert (names_of(voided.json()), sum(voided.json()["distribution"])) == (["bob"], 1)
    reinstate_run(run_id=run.pk, reason="It was not.", by=None)
    forget_kept_answers()
    assert api.get(board).json() == before.json()


def test_a_period_without_play_is_empty(api: CheckedClient, db: None, clock: FrozenClock) -> None:
    for board in ("week/2020-W01", "month/2020-01"):
        answer = api.get(f"/api/v1/leaderboards/{board}/").json()
        assert (answer["results"], answer["field_size"], answer["next"]) == ([], 0, None)


@pytest.mark.parametrize(
    "board",
    [
        "week/2026-W50",
        "month/2026-12",
        "week/2026-W00",
        "week/2026-W54",
        "week/2025-W53",
        "week/2026-49",
        "week/2026-11",
        "week/1999-W01",
        "week/2026-w49",
        "week/CURRENT",
        "week/2026-W4\u0669",
        "week/2026-W49%0A",
        "month/2026-13",
        "month/2026-00",
        "month/2026-1",
        "month/2026-W49",
        "month/2026-11-30",
        "year/2026",
        "day/2026-11-30",
    ],
)
def test_what_is_no_period_or_has_not_begun_is_not_found(
    api: CheckedClient, db: None, clock: FrozenClock, board: str
) -> None:
    assert api.get(f"/api/v1/leaderboards/{board}/").json()["code"] == "not_found"


def test_a_cursor_belongs_to_its_period(
    api: CheckedClient, ann: Player, bob: Player, challenge: Challenge
) -> None:
    record(ann, challenge, cleared=28, elapsed_ms=1)
    record(bob, challenge, cleared=20, elapsed_ms=1)
    url = api.get(f"{ALL_TIME}?limit=1").json()["next"]
    assert api.get(url.replace("all-time", "week/current")).json()["code"] == "bad_cursor"


def test_where_there_is_no_worker_the_reader_finds_ended_attempts_counted(
    api: CheckedClient, ann: Player, challenge: Challenge, clock: FrozenClock, settings: object
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True  # type: ignore[attr-defined]
    keep_checkpoint(player=ann, attempt_id=started(ann).pk, log=["D"])
    clock.advance(hours=2)
    assert names_of(api.get(WEEK).json()) == ["ann"]
