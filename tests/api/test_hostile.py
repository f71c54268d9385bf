"""Requests that nobody honest sends: each gets its problem document, quickly, and never a 500 or a page."""

import json
from dataclasses import dataclass, field
from time import process_time
from typing import Any

import pytest

from daily.models import Challenge
from tests.api.conftest import CheckedClient

MAX_S = 1.0
"""No answer costs more of the processor than this."""
PLAYERS = "/api/v1/players/"
REPLAY = "/api/v1/replay/"
BOARD = "/api/v1/challenges/today/leaderboard/"
JSON = "application/json"
GONE = "0b5f2c3e-0000-4000-8000-000000000000"


@dataclass(frozen=True)
class Hostile:
    """A request and what it deserves."""

    name: str
    status: int
    code: str
    path: str
    method: str = "GET"
    body: bytes = b""
    kind: str = JSON
    headers: dict[str, str] = field(default_factory=dict)


def get(name: str, status: int, code: str, path: str, **headers: str) -> Hostile:
    return Hostile(name, status, code, path, headers=headers)


def post(
    name: str, status: int, code: str, path: str, body: bytes, kind: str = JSON, **headers: str
) -> Hostile:
    return Hostile(name, status, code, path, "POST", body, kind, headers)


def replay(name: str, status: int, refusal: str, /, **fields: Any) -> Hostile:
    """A dry run of deal 1 with some fields changed."""
    run = {"number": 1, "rules": "endless", "log": []} | fields
    return post(name, status, refusal, REPLAY, json.dumps(run).encode())


def many(key: str, amount: int) -> bytes:
    return b"{" + b",".join(b'"%s%d":1' % (key.encode(), number) for number in range(amount)) + b"}"


HOSTILE = [
    # addresses
    get("no such address", 404, "not_found", "/api/v1/nothing/"),
    get("the api itself", 404, "not_found", "/api/"),
    get("another version", 404, "not_found", "/api/v2/players/"),
    get("dots", 404, "not_found", "/api/v1/../../etc/passwd"),
    get("encoded dots", 404, "not_found", "/api/v1/%2e%2e/%2e%2e/settings.py"),
    get("doubled slash inside", 404, "not_found", "/api/v1//rules/"),
    get("upper case", 404, "not_found", "/api/V1/rules/"),
    get("a suffix", 404, "not_found", "/api/v1/rules.json"),
    get("nul in the path", 400, "bad_request", "/api/v1/players/a%00/"),
    get("nul in the query", 400, "bad_request", f"{BOARD}?around=a%00"),
    get("nul in a query name", 400, "bad_request", f"{BOARD}?%00=1"),
    get("half an escape", 404, "not_found", "/api/v1/players/%/"),
    get("no utf-8", 404, "not_found", "/api/v1/players/%ff%fe/"),
    get("a surrogate in utf-8", 404, "not_found", "/api/v1/players/%ed%a0%80/"),
    get("overlong utf-8", 404, "not_found", "/api/v1/players/%c0%af/"),
    get("a very long name", 404, "not_found", f"/api/v1/players/{'a' * 50_000}/"),
    get("a very expanding name", 404, "not_found", f"/api/v1/players/{'%EF%B7%BA' * 3000}/"),
    get("a newline", 404, "not_found", "/api/v1/players/a%0d%0aSet-Cookie:x=1/"),
    get("a template", 404, "not_found", "/api/v1/players/%7B%7B7*7%7D%7D/"),
    get("sql", 404, "not_found", "/api/v1/players/'%20OR%201=1--/"),
    get("a malformed id", 404, "not_found", "/api/v1/runs/1/"),
    get("an unknown id", 404, "not_found", f"/api/v1/runs/{GONE}/"),
    get("an id in braces", 404, "not_found", f"/api/v1/runs/%7B{GONE}%7D/"),
    get("a token id beyond integers", 401, "not_authenticated", f"/api/v1/me/tokens/?cursor={'9' * 50}"),
    # queries
    get("a huge limit", 400, "bad_parameter", f"{BOARD}?limit={'9' * 4000}"),
    get("a limit in other digits", 400, "bad_parameter", f"{BOARD}?limit=%D9%A3"),
    get("a limit with an underscore", 400, "bad_parameter", f"{BOARD}?limit=1_0"),
    get("two limits", 400, "bad_parameter", f"{BOARD}?limit=5&limit=6"),
    get("an empty limit", 400, "bad_parameter", f"{BOARD}?limit="),
    get("an empty cursor", 400, "bad_cursor", f"{BOARD}?cursor="),
    get("a made-up cursor", 400, "bad_cursor", f"{BOARD}?cursor=WyJhZnRlciIsMCwwXQ"),
    get("a long cursor", 400, "bad_cursor", f"{BOARD}?cursor={'A' * 60_000}"),
    get("a cursor in other letters", 400, "bad_cursor", f"{BOARD}?cursor=%F0%9F%82%A1"),
    get(
        "a thousand parameters too many",
        400,
        "bad_request",
        f"{BOARD}?{'&'.join(f'a{n}=1' for n in range(2000))}",
    ),
    get("around nobody", 404, "not_found", f"{BOARD}?around="),
    get("around no utf-8", 404, "not_found", f"{BOARD}?around=%ff"),
    get("around two", 400, "bad_parameter", f"{BOARD}?around=ann&around=bob"),
    get("around me, unknown", 401, "not_authenticated", f"{BOARD}?around=me"),
    # headers
    get("a foreign host", 400, "bad_request", "/api/v1/rules/", HTTP_HOST="evil.example"),
    get("a host with a path", 400, "bad_request", "/api/v1/rules/", HTTP_HOST="localhost/@evil"),
    get("only pages accepted", 406, "not_acceptable", "/api/v1/rules/", HTTP_ACCEPT="text/html"),
    get("nonsense accepted", 406, "not_acceptable", "/api/v1/rules/", HTTP_ACCEPT="/;q=,;;="),
    get("a bad token", 401, "invalid_token", "/api/v1/rules/", HTTP_AUTHORIZATION="Bearer pyd_x"),
    get(
        "a very long token",
        401,
        "invalid_token",
        "/api/v1/rules/",
        HTTP_AUTHORIZATION="Bearer " + "a" * 60_000,
    ),
    get("a token with bytes", 401, "invalid_token", "/api/v1/rules/", HTTP_AUTHORIZATION="Bearer \xff\x00"),
    # methods
    Hostile("deleting a list", 405, "method_not_allowed", PLAYERS, "DELETE"),
    Hostile("reading what is written", 405, "method_not_allowed", REPLAY, "GET"),
    Hostile("a method of one's own", 405, "method_not_allowed", "/api/v1/rules/", "BREW"),
    Hostile("trace", 405, "method_not_allowed", "/api/v1/rules/", "TRACE"),
    Hostile("a dunder method", 405, "method_not_allowed", "/api/v1/rules/", "__INIT__"),
    Hostile("posting to a probe", 405, "method_not_allowed", "/healthz", "POST"),
    post(
        "overriding the method",
        405,
        "method_not_allowed",
        "/api/v1/rules/",
        b"{}",
        HTTP_X_HTTP_METHOD_OVERRIDE="GET",
    ),
    # bodies
    post("a form", 415, "unsupported_media_type", PLAYERS, b"name=ann", "application/x-www-form-urlencoded"),
    post(
        "a broken multipart form",
        415,
        "unsupported_media_type",
        PLAYERS,
        b"--x",
        "multipart/form-data; boundary=x",
    ),
    post(
        "multipart without a boundary", 415, "unsupported_media_type", PLAYERS, b"--x", "multipart/form-data"
    ),
    post(
        "xml", 415, "unsupported_media_type", PLAYERS, b"<!DOCTYPE x [<!ENTITY y 'z'>]><x>&y;</x>", "text/xml"
    ),
    post("no content type", 415, "unsupported_media_type", PLAYERS, b"{}", ""),
    post("a nonsense content type", 415, "unsupported_media_type", PLAYERS, b"{}", "a/b/c;;==\x7f"),
    post(
        "a long content type", 415, "unsupported_media_type", PLAYERS, b"{}", "application/json;" + "x" * 9000
    ),
    post(
        "another charset", 415, "unsupported_media_type", PLAYERS, b"{}", "application/json; charset=utf-16"
    ),
    post(
        "a compressed body", 415, "unsupported_encoding", PLAYERS, b"\x1f\x8b", HTTP_CONTENT_ENCODING="gzip"
    ),
    post("three megabytes", 413, "body_too_large", REPLAY, b"x" * 3_000_000),
    post("a length that lies high", 413, "body_too_large", REPLAY, b"{}", CONTENT_LENGTH="99999999999"),
    post("a length that is none", 400, "bad_request", REPLAY, b"{}", CONTENT_LENGTH="two"),
    post("cut short", 400, "malformed_json", REPLAY, b'{"log": ["D"'),
    post("no json", 400, "malformed_json", REPLAY, b"hello"),
    post("an array", 400, "malformed_json", REPLAY, b"[]"),
    post("nesting", 400, "malformed_json", REPLAY, b"[" * 90_000),
    post(
        "nesting in a field", 400, "malformed_json", REPLAY, b'{"log":' + b"[" * 40_000 + b"]" * 40_000 + b"}"
    ),
    post("nan", 400, "malformed_json", REPLAY, b'{"number": NaN, "rules": "endless", "log": []}'),
    post(
        "an infinite number",
        400,
        "malformed_json",
        REPLAY,
        b'{"number": 1e999, "rules": "endless", "log": []}',
    ),
    post("a number of 5,000 digits", 400, "malformed_json", REPLAY, b'{"number": ' + b"9" * 5000 + b"}"),
    post("a name twice", 400, "malformed_json", PLAYERS, b'{"name": "ann", "name": "bob"}'),
    post("an escaped nul", 400, "malformed_json", PLAYERS, rb'{"name": "a\u0000b"}'),
    post("a lone surrogate", 400, "malformed_json", PLAYERS, rb'{"name": "\ud800"}'),
    post("utf-16", 400, "malformed_json", PLAYERS, '{"name": "ann"}'.encode("utf-16")),
    post("latin-1", 400, "malformed_json", PLAYERS, '{"name": "annë"}'.encode("latin-1")),
    post("ten thousand unknown fields", 400, "invalid", PLAYERS, many("x", 9_000)),
    post("a name that is a number", 400, "invalid", PLAYERS, b'{"name": 7}'),
    post("a name that is true", 400, "invalid", PLAYERS, b'{"name": true}'),
    post("a name that is null", 400, "invalid", PLAYERS, b'{"name": null}'),
    post("a name that is an object", 400, "invalid", PLAYERS, b'{"name": {"$ne": 1}}'),
    post("an endless name", 400, "bad_name", PLAYERS, b'{"name": "' + b"a" * 90_000 + b'"}'),
    post("an expanding name", 400, "bad_name", PLAYERS, ('{"name": "' + "\ufdfa" * 20_000 + '"}').encode()),
    post("a turned-around name", 400, "bad_name", PLAYERS, '{"name": "a\u202eb"}'.encode()),
    replay("a log of objects", 400, "invalid", log=[{}] * 2000),
    replay("a long log", 400, "invalid", log=["D"] * 10_000),
    replay("a log in one string", 400, "invalid", log="D" * 2000),
    replay("a huge move", 422, "illegal_move", log=["K" * 60_000]),
    replay("a move of nuls' cousins", 422, "illegal_move", log=["\u200bKD"]),
    replay("an endless code", 400, "invalid", code="PYR1" * 9000),
    replay("rules that are code", 400, "unknown_rules", rules="__class__"),
    replay("a boolean number", 400, "invalid", number=True),
    replay("a negative number", 400, "bad_deal", number=-1),
    # somebody else's
    post("starting as nobody", 401, "not_authenticated", "/api/v1/challenges/today/attempts/", b"{}"),
    post("submitting as nobody", 401, "not_authenticated", f"/api/v1/attempts/{GONE}/run/", b'{"log": []}'),
    get("an attempt as nobody", 401, "not_authenticated", f"/api/v1/attempts/{GONE}/"),
]


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_a_hostile_request_gets_its_problem_and_nothing_more(
    case: Hostile, api: CheckedClient, challenge: Challenge
) -> None:
    start = process_time()
    extra: Any = case.headers
    response = api.generic(case.method, case.path, case.body, case.kind, **extra)  # type: ignore[arg-type]
    assert process_time() - start < MAX_S
    assert response.status_code == case.status, response.content
    assert response.json()["code"] == case.code
    assert len(response.content) < 70_000


def test_the_table_is_long_enough() -> None:
    assert len(HOSTILE) >= 60


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
