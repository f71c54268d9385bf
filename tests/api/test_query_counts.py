"""What the busy calls cost the database. What opens or closes a transaction is not counted."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from daily.models import Challenge, Run
from leaderboard.boards import boards_of
from leaderboard.services import repair
from players.models import Player
from tests.api.conftest import CheckedClient
from tests.api.test_challenges import settle
from tests.api.test_runs import start
from tests.cast import DAY, FrozenClock, greedy_log, make_player, record

pytestmark = pytest.mark.redis
"""Without an index a board costs two or three queries more."""
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
BOARD = "/api/v1/challenges/today/leaderboard/"

type Costs = Callable[[int], AbstractContextManager[None]]


@pytest.fixture
def costs() -> Costs:
    """Fails where what it is put around takes another number of queries."""

    @contextmanager
    def check(number: int) -> Iterator[None]:
        with CaptureQueriesContext(connection) as captured:
            yield
        sent = [query["sql"] for query in captured if not query["sql"].startswith(TRANSACTION)]
        assert len(sent) == number, "\n".join(sent)

    return check


@pytest.fixture(autouse=True)
def _deployment(settings: Settings) -> None:
    """With a worker, which sees to what is due."""
    settings.CELERY_TASK_ALWAYS_EAGER = False


@pytest.fixture
def field(challenge: Challenge, ann: Player, bob: Player) -> Run:
    """Bob's run among some, and every board indexed."""
    for number in range(5):
        record(make_player(f"rival {chr(97 + number)}"), challenge, cleared=20, elapsed_ms=number)
    run = record(bob, challenge, cleared=14, elapsed_ms=60_000)
    for board in boards_of(DAY):
        repair(board)
    return run


@pytest.mark.usefixtures("field")
def test_todays_challenge_costs_one(api: CheckedClient, costs: Costs) -> None:
    with costs(1):
        assert api.get("/api/v1/challenges/today/").json()["runs"] == 6


@pytest.mark.usefixtures("field")
def test_a_settled_challenge_costs_two(
    api: CheckedClient, challenge: Challenge, clock: FrozenClock, costs: Costs
) -> None:
    settle(challenge, clock)
    with costs(2):
        assert api.get("/api/v1/challenges/2026-11-30/").json()["revision"] == 1


@pytest.mark.usefixtures("field")
def test_the_list_of_challenges_costs_one(api: CheckedClient, costs: Costs) -> None:
    with costs(1):
        assert api.get("/api/v1/challenges/").json()["results"][0]["field_size"] == 6


@pytest.mark.usefixtures("field")
def test_a_page_of_a_days_board_costs_two_and_none_while_it_is_kept(api: CheckedClient, costs: Costs) -> None:
    with costs(2):
        assert api.get(BOARD).json()["field_size"] == 6
    with costs(0):
        assert api.get(BOARD).json()["field_size"] == 6


@pytest.mark.usefixtures("field")
def test_a_page_around_oneself_costs_two(as_bob: CheckedClient, costs: Costs) -> None:
    with costs(2):
        assert as_bob.get(f"{BOARD}?around=me&limit=3").json()["me"]["rank"] == 6


@pytest.mark.usefixtures("field")
@pytest.mark.parametrize("board", ["week/current", "month/current", "all-time"])
def test_a_page_of_a_period_costs_two_and_none_while_it_is_kept(
    api: CheckedClient, as_bob: CheckedClient, board: str, costs: Costs
) -> None:
    with costs(2):
        assert api.get(f"/api/v1/leaderboards/{board}/").json()["field_size"] == 6
    with costs(0):
        assert api.get(f"/api/v1/leaderboards/{board}/").json()["field_size"] == 6
    with costs(3):
        assert as_bob.get(f"/api/v1/leaderboards/{board}/?around=me").json()["me"]["days"] == 1


def test_a_run_with_its_standing_costs_one(
    api: CheckedClient, as_bob: CheckedClient, field: Run, costs: Costs
) -> None:
    for client in (api, as_bob):
        with costs(1):
            assert client.get(f"/api/v1/runs/{field.pk}/").json()["standing"]["rank"] == 6


@pytest.mark.usefixtures("field")
def test_submitting_costs_two(
    as_ann: CheckedClient, challenge: Challenge, clock: FrozenClock, costs: Costs
) -> None:
    address = start(as_ann)
    log = greedy_log(challenge, 14)
    assert len(log) >= 20, "too short to be looked for among earlier ones"
    clock.advance(minutes=1)
    with costs(2):
        assert as_ann.post(address, {"log": log}).status_code == 201


@pytest.mark.usefixtures("field")
def test_starting_and_keeping_cost_four(as_ann: CheckedClient, challenge: Challenge, costs: Costs) -> None:
    with costs(4):
        attempt = as_ann.post("/api/v1/challenges/today/attempts/").json()
    with costs(4):
        as_ann.put(f"/api/v1/attempts/{attempt['id']}/checkpoint/", {"log": ["D"]})


@pytest.mark.usefixtures("field")
def test_a_profile_costs_seven_however_long_the_history(api: CheckedClient, costs: Costs) -> None:
    with costs(7):
        api.get("/api/v1/players/bob/")
