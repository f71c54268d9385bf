"""A settled day to take home and verify."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from daily.models import Challenge
from games.pyramid.verify import Verifier
from leaderboard.corrections import void_run
from leaderboard.settling import settle
from players.models import Player
from players.services import rename
from tests.api.conftest import CheckedClient
from tests.api.test_runs import submit
from tests.cast import FrozenClock, greedy_log

BUNDLE = "/api/v1/challenges/2026-11-30/bundle/"


@pytest.fixture
def settled(
    as_ann: CheckedClient, as_bob: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> Challenge:
    """A day on which ann and bob played."""
    submit(as_ann, greedy_log(challenge, 6))
    submit(as_bob, ["D"])
    clock.advance(days=2)
    settle(challenge.date, clock.moment)
    return Challenge.objects.get()


def lines_of(response: Any) -> Iterator[dict[str, Any]]:
    return map(json.loads, response.getvalue().splitlines())


def test_a_bundle_is_a_stream_of_lines_under_a_name(api: CheckedClient, settled: Challenge) -> None:
    response = api.get(BUNDLE)
    assert response.status_code == 200
    assert response.streaming
    assert response.headers["Content-Type"] == "application/x-ndjson"
    assert response.headers["Content-Disposition"] == (
        'attachment; filename="pyramid-daily-2026-11-30.ndjson"'
    )
    header, *runs = lines_of(response)
    assert (header["date"], header["deck"], header["salt"]) == ("2026-11-30", settled.deck, settled.salt)
    assert [(run["player"], run["rank"]) for run in runs] == [("ann", 1), ("bob", 2)]


def test_a_bundle_verifies(api: CheckedClient, settled: Challenge) -> None:
    verifier = Verifier(api.get(BUNDLE).getvalue().splitlines(keepends=True))
    assert list(verifier.differences()) == []
    assert verifier.field_size == 2


def test_a_bundle_agrees_with_what_the_day_says(api: CheckedClient, settled: Challenge) -> None:
    day = api.get("/api/v1/challenges/2026-11-30/").json()
    header = next(lines_of(api.get(BUNDLE)))
    for name in ("commitment", "deck", "code", "salt", "best_clear", "best_line", "difficulty", "revision"):
        assert header[name] == day[name] or not (header[name] or day[name])
    assert header["digest"] == day["board_digest"]


def test_before_the_day_is_settled_there_is_none(api: CheckedClient, challenge: Challenge) -> None:
    response = api.get("/api/v1/challenges/today/bundle/")
    assert (response.status_code, response.json()["code"]) == (409, "not_settled")
    assert challenge.deck not in response.content.decode()
    assert api.get("/api/v1/challenges/2025-01-01/bundle/").status_code == 404


def test_who_asks_first_after_the_end_finds_the_day_settled(
    api: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(days=2)
    assert next(lines_of(api.get(BUNDLE)))["revision"] == 1


def test_a_bundle_is_not_sent_again_until_it_changes(
    api: CheckedClient, settled: Challenge, ann: Player
) -> None:
    etag = api.get(BUNDLE).headers["ETag"]
    assert api.get(BUNDLE, HTTP_IF_NONE_MATCH=etag).status_code == 304
    void_run(run_id=settled.runs.get(player=ann).pk, reason="Played by a program.", by=None)
    corrected = api.get(BUNDLE, HTTP_IF_NONE_MATCH=etag)
    assert next(lines_of(corrected))["revision"] == 2
    rename(player=ann, name="Annabel")
    renamed = api.get(BUNDLE, HTTP_IF_NONE_MATCH=corrected.headers["ETag"])
    assert [line["player"] for line in list(lines_of(renamed))[1:]] == ["Annabel", "bob"]


@pytest.mark.parametrize("accepted", ["application/x-ndjson", "application/json", "*/*"])
def test_a_bundle_may_be_accepted_by_any_name(api: CheckedClient, settled: Challenge, accepted: str) -> None:
    assert api.get(BUNDLE, HTTP_ACCEPT=accepted).status_code == 200


def test_options_tells_the_methods_of_the_bundle(api: CheckedClient, db: None) -> None:
    response = api.options(BUNDLE)
    assert (response.status_code, response.content) == (200, b"{}")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_a_head_request_tells_of_the_bundle(api: CheckedClient, settled: Challenge) -> None:
    response = api.head(BUNDLE)
    assert response.headers["ETag"] == api.get(BUNDLE).headers["ETag"]
    assert not response.getvalue()


def test_a_bundle_of_a_day_nobody_played_is_one_line(
    api: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(days=2)
    response = api.get(BUNDLE)
    assert len(list(lines_of(response))) == 1
    assert response.headers["ETag"].startswith('W/"1-')
