"""Starting an attempt, and looking at it."""

from datetime import timedelta
from uuid import uuid4

from daily.models import Attempt, Challenge
from tests.api.conftest import CheckedClient
from tests.cast import DAY, FrozenClock, make_challenge

START = "/api/v1/challenges/today/attempts/"


def test_starting_gives_the_deal_and_the_deadline(as_ann: CheckedClient, challenge: Challenge) -> None:
    response = as_ann.post(START, {})
    assert response.status_code == 201
    attempt = response.json()
    assert attempt["challenge"] == "2026-11-30"
    assert (attempt["rules"], attempt["rules_version"]) == ("endless", 1)
    assert attempt["deck"] == challenge.deck
    assert attempt["started_at"] == attempt["server_time"] == "2026-11-30T12:00:00.000000Z"
    assert attempt["deadline_at"] == "2026-11-30T13:00:00.000000Z"
    assert attempt["checkpoint"] == []


def test_the_deal_is_not_kept_by_anything_on_the_way(as_ann: CheckedClient, challenge: Challenge) -> None:
    response = as_ann.post(START)
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in response.headers


def test_starting_again_gives_the_same_attempt_back(
    as_ann: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    first = as_ann.post(START).json()
    clock.advance(minutes=7)
    again = as_ann.post("/api/v1/challenges/2026-11-30/attempts/")
    assert again.status_code == 200
    assert again.json() == {**first, "server_time": "2026-11-30T12:07:00.000000Z"}
    assert Attempt.objects.count() == 1


def test_nobody_cannot_start(api: CheckedClient, challenge: Challenge) -> None:
    assert api.post(START).status_code == 401
    assert Attempt.objects.count() == 0


def test_other_days_do_not_start(as_ann: CheckedClient, challenge: Challenge) -> None:
    make_challenge(DAY + timedelta(days=1))
    make_challenge(DAY - timedelta(days=1))
    for day in ("2026-12-01", "2026-11-29"):
        response = as_ann.post(f"/api/v1/challenges/{day}/attempts/")
        assert response.status_code == 409
        assert response.json()["code"] == "not_open"


def test_a_day_that_never_was_cannot_start(as_ann: CheckedClient, challenge: Challenge) -> None:
    assert as_ann.post("/api/v1/challenges/2025-01-01/attempts/").status_code == 404


def test_a_start_has_no_fields(as_ann: CheckedClient, challenge: Challenge) -> None:
    problem = as_ann.post(START, {"started_at": "2026-11-30T00:00:00Z"}).json()
    assert problem["errors"][0]["pointer"] == "/started_at"
    assert Attempt.objects.count() == 0


def test_ones_attempt_can_be_looked_at_without_its_deal(
    as_ann: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    started = as_ann.post(START).json()
    clock.advance(minutes=1)
    response = as_ann.get(f"/api/v1/attempts/{started['id']}/")
    expected = {**started, "server_time": "2026-11-30T12:01:00.000000Z", "run": None}
    del expected["deck"]
    assert response.json() == expected
    assert challenge.deck not in response.content.decode()


def test_a_submitted_attempt_names_its_run(as_ann: CheckedClient, challenge: Challenge) -> None:
    attempt_id = as_ann.post(START).json()["id"]
    run = as_ann.post(f"/api/v1/attempts/{attempt_id}/run/", {"log": []}).json()
    assert as_ann.get(f"/api/v1/attempts/{attempt_id}/").json()["run"] == run["id"]


def test_another_players_attempt_does_not_exist(
    as_ann: CheckedClient, as_bob: CheckedClient, challenge: Challenge
) -> None:
    attempt_id = as_ann.post(START).json()["id"]
    others = as_bob.get(f"/api/v1/attempts/{attempt_id}/")
    assert others.status_code == 404
    assert others.json() == as_bob.get(f"/api/v1/attempts/{uuid4()}/").json()
    assert as_bob.post(f"/api/v1/attempts/{attempt_id}/run/", {"log": []}).status_code == 404
