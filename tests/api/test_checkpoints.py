"""Keeping what was played so far, to go on elsewhere or to end with."""

import pytest

from daily.models import Attempt, Challenge
from tests.api.conftest import CheckedClient, client_of
from tests.api.test_runs import start
from tests.cast import FrozenClock, greedy_log


@pytest.fixture
def address(as_ann: CheckedClient, challenge: Challenge) -> str:
    """Where the moves of ann's attempt are kept."""
    return start(as_ann).replace("/run/", "/checkpoint/")


def test_the_moves_so_far_are_kept(as_ann: CheckedClient, address: str, clock: FrozenClock) -> None:
    clock.advance(seconds=30)
    response = as_ann.put(address, {"log": ["D", "D"]})
    assert response.status_code == 200
    assert response.json() == {
        "checkpoint": ["D", "D"],
        "checkpoint_at": "2026-11-30T12:00:30.000000Z",
        "deadline_at": "2026-11-30T13:00:00.000000Z",
        "server_time": "2026-11-30T12:00:30.000000Z",
    }


def test_the_attempt_goes_on_elsewhere(as_ann: CheckedClient, address: str, clock: FrozenClock) -> None:
    as_ann.put(address, {"log": ["D"]})
    clock.advance(minutes=5)
    elsewhere = client_of(Attempt.objects.get().player)
    attempt = elsewhere.post("/api/v1/challenges/today/attempts/").json()
    assert (attempt["checkpoint"], attempt["checkpoint_at"]) == (["D"], "2026-11-30T12:00:00.000000Z")
    seen = elsewhere.get(f"/api/v1/attempts/{attempt['id']}/").json()
    assert (seen["checkpoint"], seen["checkpoint_at"], seen["run"]) == (
        ["D"],
        "2026-11-30T12:00:00.000000Z",
        None,
    )


def test_a_later_checkpoint_takes_the_place_of_the_former(
    as_ann: CheckedClient, address: str, clock: FrozenClock
) -> None:
    as_ann.put(address, {"log": ["D", "D"]})
    clock.advance(seconds=3)
    assert as_ann.put(address, {"log": ["D"]}).json()["checkpoint"] == ["D"]


def test_another_checkpoint_has_to_wait_some_seconds(
    as_ann: CheckedClient, address: str, clock: FrozenClock
) -> None:
    as_ann.put(address, {"log": ["D"]})
    clock.advance(seconds=0.5)
    response = as_ann.put(address, {"log": ["D", "D"]})
    assert response.status_code == 429
    assert (response.json()["code"], response.headers["Retry-After"]) == ("too_soon", "3")
    assert as_ann.put(address, {"log": ["D"]}).status_code == 200


def test_an_illegal_move_is_named_and_nothing_is_kept(as_ann: CheckedClient, address: str) -> None:
    response = as_ann.put(address, {"log": ["D", "R"]})
    assert response.status_code == 422
    problem = response.json()
    assert (problem["move_index"], problem["move"], problem["reason"]) == (1, "R", "stock_not_empty")
    assert Attempt.objects.get().checkpoint_at is None


def test_after_the_run_nothing_is_kept(as_ann: CheckedClient, address: str) -> None:
    as_ann.post(address.replace("/checkpoint/", "/run/"), {"log": ["D"]})
    response = as_ann.put(address, {"log": ["D", "D"]})
    assert (response.status_code, response.json()["code"]) == (409, "already_submitted")


def test_after_the_deadline_nothing_is_kept(as_ann: CheckedClient, address: str, clock: FrozenClock) -> None:
    clock.advance(minutes=60, milliseconds=1)
    response = as_ann.put(address, {"log": ["D"]})
    assert (response.status_code, response.json()["code"]) == (409, "deadline_passed")


def test_what_was_kept_becomes_the_run_at_the_deadline(
    as_ann: CheckedClient, api: CheckedClient, address: str, challenge: Challenge, clock: FrozenClock
) -> None:
    as_ann.put(address, {"log": greedy_log(challenge, 4)})
    clock.advance(hours=2)
    run_id = as_ann.get(address.removesuffix("checkpoint/")).json()["run"]
    [row] = api.get("/api/v1/challenges/today/leaderboard/").json()["results"]
    assert (row["run"], row["elapsed_ms"]) == (run_id, 3_600_000)
    assert as_ann.post(address.replace("/checkpoint/", "/run/"), {"log": []}).json()["code"] == (
        "deadline_passed"
    )


def test_a_checkpoint_is_read_as_strictly_as_a_submission(as_ann: CheckedClient, address: str) -> None:
    for body in ({}, {"log": "D"}, {"log": [1]}, {"log": [], "elapsed_ms": 1}, {"log": ["D"] * 2001}):
        assert as_ann.put(address, body).json()["code"] == "invalid"


def test_only_the_player_keeps_moves(as_bob: CheckedClient, api: CheckedClient, address: str) -> None:
    assert as_bob.put(address, {"log": ["D"]}).status_code == 404
    assert api.put(address, {"log": ["D"]}).status_code == 401
