"""Requests that nobody honest sends: each gets its problem document, quickly, and never a 500 or a page."""

from time import process_time
from typing import Any

import pytest

from bench.hostile.api import BY_MEMBERS, BY_NOBODY, REPLAY, get, post, replay, send
from bench.hostile.requests import Hostile
from bench.hostile.rows import changed, contents
from daily.models import Challenge
from players.models import Player
from tests.api.conftest import CheckedClient

MAX_S = 1.0
"""No answer costs more of the processor than this."""
MAX_ANSWER_BYTES = 8_000
"""No answer is longer, however long the request was."""
IN_BYTES = get("a token with bytes", 401, "invalid_token", "/api/v1/rules/", authorization="Bearer \xff")
"""A header that the server in front of the application would keep to itself."""


def say(client: CheckedClient, case: Hostile, path: str = "") -> Any:
    """Send a request of the table."""
    extra: Any = {"headers": case.headers}
    return client.generic(case.method, path or case.path, case.body, case.kind, **extra)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", [*BY_NOBODY, IN_BYTES], ids=lambda case: case.name)
def test_a_hostile_request_gets_its_problem_and_nothing_more(
    case: Hostile, api: CheckedClient, challenge: Challenge, ann: Player
) -> None:
    before, start = contents(), process_time()
    response = say(api, case)
    assert process_time() - start < MAX_S
    assert response.status_code == case.status, response.content
    assert response.json()["code"] == case.code
    assert len(response.content) < MAX_ANSWER_BYTES
    assert not changed(before, contents())


@pytest.mark.parametrize("case", BY_MEMBERS, ids=lambda case: case.name)
def test_a_hostile_player_gets_no_further(case: Hostile, as_ann: CheckedClient, challenge: Challenge) -> None:
    league = as_ann.post("/api/v1/leagues/", {"name": "Sunday Solvers"}).json()["code"]
    attempt = as_ann.post("/api/v1/challenges/today/attempts/").json()["id"]
    path = case.path.format(league=league, attempt=attempt)
    before, start = contents(), process_time()
    response = say(as_ann, case, path)
    assert process_time() - start < MAX_S
    assert (response.status_code, response.json()["code"]) == (case.status, case.code)
    assert len(response.content) < MAX_ANSWER_BYTES
    assert not changed(before, contents())


LONG = "Z" * 50_000
LONG_URL = LONG[:8_000]
ECHOES = [
    send("an unknown field", 400, "invalid", "POST", "players/", **{LONG: 1}),
    send("an unknown field inside", 400, "invalid", "POST", "players/", name={LONG: 1}),
    send("an unknown field of slashes", 400, "invalid", "POST", "players/", **{"~/" * 20_000: 1}),
    send("a name", 400, "bad_name", "POST", "players/", name=LONG),
    replay("a move", 422, "illegal_move", log=[LONG]),
    replay("a move of other letters", 422, "illegal_move", log=["\n\u202eé" * 4_000]),
    replay("a rule set", 400, "unknown_rules", rules=LONG),
    replay("a code", 400, "invalid", code=LONG),
    post("a word in JSON", 400, "malformed_json", REPLAY, LONG.encode()),
    post("a content type", 415, "unsupported_media_type", REPLAY, b"{}", f"text/{LONG[:900]}"),
    post(
        "a charset", 415, "unsupported_media_type", REPLAY, b"{}", f"application/json; charset={LONG[:900]}"
    ),
    get("an address", 404, "not_found", f"/api/v1/{LONG_URL}/"),
    get("a deal", 404, "not_found", f"/api/v1/deals/{LONG_URL}/"),
    get("a query", 400, "bad_parameter", f"/api/v1/deals/1/?rules={LONG_URL}"),
    get("a kind", 406, "not_acceptable", "/api/v1/rules/", accept=f"text/{LONG}"),
    get("a host", 400, "bad_request", "/api/v1/rules/", host=LONG),
    get("a token", 401, "invalid_token", "/api/v1/rules/", authorization=f"Bearer {LONG}"),
    Hostile("a method", 405, "method_not_allowed", "/api/v1/rules/", LONG),
]
"""Requests that are long in each place from which something might be told back."""


@pytest.mark.parametrize("case", ECHOES, ids=lambda case: case.name)
def test_little_of_a_request_is_told_back(case: Hostile, api: CheckedClient, db: None) -> None:
    response = say(api, case)
    assert (response.status_code, response.json()["code"]) == (case.status, case.code)
    assert len(response.content) < 1_000
    assert all(len(value) < 1_000 for value in response.headers.values())


def test_a_head_request_has_no_body(api: CheckedClient, challenge: Challenge) -> None:
    response = api.head("/api/v1/challenges/today/")
    assert response.status_code == 200
    assert not response.content
    assert api.head("/api/v1/nothing/").status_code == 404


def test_options_tells_the_methods_and_no_more(api: CheckedClient, db: None) -> None:
    response = api.options("/api/v1/rules/")
    assert (response.status_code, response.json()) == (200, {})
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_a_405_tells_the_methods_there_are(api: CheckedClient, db: None) -> None:
    assert api.delete("/api/v1/rules/").headers["Allow"] == "GET, HEAD, OPTIONS"


def test_a_forgotten_slash_keeps_method_and_body(api: CheckedClient, db: None) -> None:
    response = api.post("/api/v1/players", {"name": "ann"}, follow=True)
    assert response.redirect_chain == [("/api/v1/players/", 308)]
    assert response.json()["player"]["name"] == "ann"
