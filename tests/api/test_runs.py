"""Submitting a log, and looking at the run."""

from typing import Any
from uuid import UUID

import pytest

from daily.models import Challenge, Run
from leaderboard.corrections import void_day, void_run
from players.models import Player
from players.tokens import make_secret
from tests.api.conftest import CheckedClient, client_of
from tests.api.test_challenges import settle
from tests.cast import FrozenClock, greedy_log, make_player, record


def start(client: CheckedClient) -> str:
    """Starts today's attempt; returns the address that takes its log."""
    attempt_id = client.post("/api/v1/challenges/today/attempts/").json()["id"]
    return f"/api/v1/attempts/{attempt_id}/run/"


def submit(client: CheckedClient, log: list[Any]) -> Any:
    return client.post(start(client), {"log": log})


def test_a_legal_log_is_judged_timed_and_ranked(
    as_ann: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    log = greedy_log(challenge, 6)
    address = start(as_ann)
    clock.advance(seconds=192.345)
    response = as_ann.post(address, {"log": log})
    assert response.status_code == 201
    run = response.json()
    assert run["challenge"] == "2026-11-30"
    assert run["cleared"] >= 6
    assert (run["won"], run["moves"], run["points"]) == (False, len(log), 0)
    assert run["elapsed_ms"] == 192_345
    assert run["submitted_at"] == "2026-11-30T12:03:12.345000Z"
    assert run["standing"] == {"rank": 1, "field_size": 1, "percentile": 100.0}


def test_the_standing_compares_with_the_others(as_ann: CheckedClient, challenge: Challenge) -> None:
    for number, cleared in enumerate([0, 0, 28, 28]):
        record(make_player(f"rival {chr(97 + number)}"), challenge, cleared=cleared, elapsed_ms=60_000)
    run = submit(as_ann, greedy_log(challenge, 6)).json()
    assert run["standing"] == {"rank": 3, "field_size": 5, "percentile": 50.0}


def test_an_empty_log_is_a_run_that_cleared_nothing(as_ann: CheckedClient, challenge: Challenge) -> None:
    run = submit(as_ann, []).json()
    assert (run["cleared"], run["won"], run["moves"]) == (0, False, 0)


def test_the_same_log_again_gives_the_same_answer(
    as_ann: CheckedClient, challenge: Challenge, clock: FrozenClock, bob: Player
) -> None:
    address = start(as_ann)
    first = as_ann.post(address, {"log": ["D"]})
    record(bob, challenge, cleared=28, elapsed_ms=1000)
    clock.advance(hours=3)
    again = as_ann.post(address, {"log": ["D"]})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()


def test_another_log_is_refused(as_ann: CheckedClient, challenge: Challenge) -> None:
    address = start(as_ann)
    as_ann.post(address, {"log": ["D"]})
    response = as_ann.post(address, {"log": ["D", "D"]})
    assert response.status_code == 409
    assert response.json()["code"] == "already_submitted"


def test_after_the_deadline_it_is_too_late(
    as_ann: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    address = start(as_ann)
    clock.advance(minutes=60, milliseconds=1)
    response = as_ann.post(address, {"log": []})
    assert response.status_code == 409
    assert response.json()["code"] == "deadline_passed"


def test_an_illegal_move_is_named_and_the_attempt_stays_open(
    as_ann: CheckedClient, challenge: Challenge
) -> None:
    address = start(as_ann)
    response = as_ann.post(address, {"log": ["D", "R"]})
    assert response.status_code == 422
    problem = response.json()
    assert problem["code"] == "illegal_move"
    assert (problem["move_index"], problem["move"], problem["reason"]) == (1, "R", "stock_not_empty")
    assert Run.objects.count() == 0
    assert as_ann.post(address, {"log": ["D"]}).status_code == 201


@pytest.mark.parametrize("move", ["", "d", "KD ", "1D", "\N{KELVIN SIGN}D", "KDKD", "X" * 60_000])
def test_a_move_that_is_none_is_malformed(as_ann: CheckedClient, challenge: Challenge, move: str) -> None:
    problem = submit(as_ann, ["D", move]).json()
    assert (problem["code"], problem["reason"], problem["move_index"]) == ("illegal_move", "malformed", 1)


@pytest.mark.parametrize("log", [None, "KD", {"0": "KD"}, [1], ["D", None], [["D"]], ["D"] * 2001])
def test_a_log_is_a_list_of_strings(as_ann: CheckedClient, challenge: Challenge, log: Any) -> None:
    response = as_ann.post(start(as_ann), {"log": log})
    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"].startswith("/log")


@pytest.mark.parametrize("text", ["{", '{"log": [1]}', "[]", ""])
def test_a_token_that_does_not_work_is_told_before_a_body_that_is_wrong(
    as_ann: CheckedClient, api: CheckedClient, challenge: Challenge, text: str
) -> None:
    address = start(as_ann)
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {make_secret()}")
    answer = api.post(address, text, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")
    assert as_ann.post(address, text, content_type="application/json").status_code in (400, 422)
    assert submit(as_ann, ["D"]).status_code == 201


@pytest.mark.parametrize("field", ["elapsed_ms", "cleared", "submitted_at", "score"])
def test_the_clients_numbers_are_not_even_read(
    as_ann: CheckedClient, challenge: Challenge, field: str
) -> None:
    response = as_ann.post(start(as_ann), {"log": [], field: 1})
    assert response.json()["errors"] == [
        {"pointer": f"/{field}", "code": "unknown", "detail": "Unknown field."}
    ]


def test_the_log_is_needed(as_ann: CheckedClient, challenge: Challenge) -> None:
    assert as_ann.post(start(as_ann), {}).json()["errors"][0] == {
        "pointer": "/log",
        "code": "required",
        "detail": "This field is required.",
    }


def test_the_best_possible_is_told_with_the_run(as_ann: CheckedClient, challenge: Challenge) -> None:
    challenge.best_clear = 28
    challenge.save()
    assert submit(as_ann, []).json()["best_clear"] == 28


def test_ones_own_run_shows_its_log_at_once(
    as_ann: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    address = start(as_ann)
    clock.advance(minutes=1)
    run = as_ann.post(address, {"log": ["D", "D"]}).json()
    seen = as_ann.get(f"/api/v1/runs/{run['id']}/").json()
    more = {"player": "ann", "is_bot": False, "log": ["D", "D"], "under_review": False}
    assert seen == {**run, **more, "voided_at": None, "void_reason": None}


def test_another_players_log_is_told_once_the_day_is_settled(
    as_ann: CheckedClient, bob: Player, api: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    run = submit(as_ann, ["D", "D"]).json()
    address = f"/api/v1/runs/{run['id']}/"
    for client in (client_of(bob), api):
        seen = client.get(address).json()
        assert (seen["log"], seen["best_clear"]) == (None, None)
        assert seen["cleared"] == run["cleared"]
    settle(challenge, clock)
    seen = api.get(address).json()
    assert (seen["log"], seen["best_clear"]) == (["D", "D"], 28)


def test_a_run_shows_where_it_stands_now(as_ann: CheckedClient, challenge: Challenge, bob: Player) -> None:
    run = submit(as_ann, []).json()
    record(bob, challenge, cleared=28, elapsed_ms=60_000)
    assert as_ann.get(f"/api/v1/runs/{run['id']}/").json()["standing"]["rank"] == 2


def test_that_a_run_was_voided_is_told_to_everybody_and_why_to_its_player(
    as_ann: CheckedClient, api: CheckedClient, challenge: Challenge
) -> None:
    run_id = submit(as_ann, ["D"]).json()["id"]
    void_run(run_id=UUID(run_id), reason="Played twice.", by=None)
    own, public = (client.get(f"/api/v1/runs/{run_id}/").json() for client in (as_ann, api))
    assert own["voided_at"] == public["voided_at"] == "2026-11-30T12:00:00.000000Z"
    assert (own["standing"], own["void_reason"]) == (None, "Played twice.")
    assert (public["standing"], public["void_reason"], public["log"]) == (None, None, None)


def test_an_unranked_run_says_why_and_where_it_would_stand(
    as_ann: CheckedClient, challenge: Challenge, bob: Player, settings: Any
) -> None:
    settings.RANKED_REQUIRES = "account"
    record(bob, challenge, cleared=28, elapsed_ms=60_000)
    run = submit(as_ann, ["D"]).json()
    seen = as_ann.get(f"/api/v1/runs/{run['id']}/").json()
    assert run["unranked_reason"] == seen["unranked_reason"] == "no_account"
    assert run["standing"] == seen["standing"] == {"rank": 2, "field_size": 2, "percentile": 0.0}


def test_a_run_of_a_voided_day_stands_nowhere(as_ann: CheckedClient, challenge: Challenge) -> None:
    address = start(as_ann)
    void_day(challenge=challenge, reason="The deal had leaked.", by=None)
    run = as_ann.post(address, {"log": ["D"]}).json()
    assert (run["standing"], run["unranked_reason"]) == (None, "day_voided")


def test_a_top_run_that_was_noticed_is_under_review(as_ann: CheckedClient, challenge: Challenge) -> None:
    run = submit(as_ann, greedy_log(challenge, 6)).json()
    assert as_ann.get(f"/api/v1/runs/{run['id']}/").json()["under_review"] is True


def test_a_run_made_from_a_checkpoint_says_so(
    as_ann: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    address = start(as_ann)
    as_ann.put(address.replace("/run/", "/checkpoint/"), {"log": ["D"]})
    clock.advance(hours=2)
    run_id = as_ann.get(address.removesuffix("run/")).json()["run"]
    seen = as_ann.get(f"/api/v1/runs/{run_id}/").json()
    assert (seen["is_from_checkpoint"], seen["elapsed_ms"], seen["log"]) == (True, 3_600_000, ["D"])
