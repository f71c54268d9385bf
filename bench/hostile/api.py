"""The API's share: broken addresses, queries, headers, methods, bodies, and what belongs to somebody else."""

import json
from typing import Any

from bench.hostile.requests import BOMB, JSON, Hostile

PLAYERS = "/api/v1/players/"
REPLAY = "/api/v1/replay/"
BOARD = "/api/v1/challenges/today/leaderboard/"
DAYS = "/api/v1/challenges/today"
ANN = "ann"
GONE = "0b5f2c3e-0000-4000-8000-000000000000"


def get(name: str, status: int, code: str, path: str, **headers: str) -> Hostile:
    """Ask for something; ``headers`` with underscores for hyphens."""
    return Hostile(name, status, code, path, headers=named(headers))


def post(
    name: str, status: int, code: str, path: str, body: bytes, kind: str = JSON, **headers: str
) -> Hostile:
    """Send a body of some kind."""
    return Hostile(name, status, code, path, "POST", body, kind, named(headers))


def named(headers: dict[str, str]) -> dict[str, str]:
    """The headers under the names they have on the wire."""
    return {name.replace("_", "-").title(): value for name, value in headers.items()}


def replay(name: str, status: int, refusal: str, /, **fields: Any) -> Hostile:
    """A dry run of deal 1 with some fields changed."""
    run = {"number": 1, "rules": "endless", "log": []} | fields
    return post(name, status, refusal, REPLAY, json.dumps(run).encode())


def send(name: str, status: int, refusal: str, method: str, path: str, /, **fields: Any) -> Hostile:
    """A JSON body to a place under the API."""
    return Hostile(name, status, refusal, f"/api/v1/{path}", method, json.dumps(fields).encode())


def many(key: str, amount: int) -> bytes:
    """An object of so many members."""
    return b"{" + b",".join(b'"%s%d":1' % (key.encode(), number) for number in range(amount)) + b"}"


BY_NOBODY = [
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
    get("a very long name", 404, "not_found", f"/api/v1/players/{'a' * 8_000}/"),
    get("a very expanding name", 404, "not_found", f"/api/v1/players/{'%EF%B7%BA' * 3000}/"),
    get("a name beyond all bounds", 400, "bad_request", f"/api/v1/players/{'a' * 50_000}/"),
    get("a query beyond all bounds", 400, "bad_request", f"{BOARD}?cursor={'A' * 60_000}"),
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
    get("a long cursor", 400, "bad_cursor", f"{BOARD}?cursor={'A' * 8_000}"),
    get("a cursor in other letters", 400, "bad_cursor", f"{BOARD}?cursor=%F0%9F%82%A1"),
    get(
        "a thousand parameters too many",
        400,
        "bad_request",
        f"{BOARD}?{'&'.join(['a'] * 2000)}",
    ),
    get("around nobody", 404, "not_found", f"{BOARD}?around="),
    get("around no utf-8", 404, "not_found", f"{BOARD}?around=%ff"),
    get("around two", 400, "bad_parameter", f"{BOARD}?around=ann&around=bob"),
    get("around me, unknown", 401, "not_authenticated", f"{BOARD}?around=me"),
    # periods, leagues, bundles, histories
    get("a week that is none", 404, "not_found", "/api/v1/leaderboards/week/2026-W60/"),
    get("a very long week", 404, "not_found", f"/api/v1/leaderboards/week/2026-W{'4' * 8000}/"),
    get("a week in other digits", 404, "not_found", "/api/v1/leaderboards/week/2026-W%D9%A4%D9%A9/"),
    get("a week to come", 404, "not_found", "/api/v1/leaderboards/week/2099-W01/"),
    get("a month beyond time", 404, "not_found", "/api/v1/leaderboards/month/99999-01/"),
    get("a month of weeks", 404, "not_found", "/api/v1/leaderboards/month/2026-W49/"),
    get("a day of all time", 404, "not_found", "/api/v1/leaderboards/all-time/2026/"),
    get("two leagues", 400, "bad_parameter", f"{BOARD}?league=a&league=b"),
    get("a league of nobody's", 401, "not_authenticated", f"{BOARD}?league={'A' * 8_000}"),
    get("a bundle of bytes", 406, "not_acceptable", f"{DAYS}/bundle/", accept="application/zip"),
    get("a bundle before its time", 409, "not_settled", f"{DAYS}/bundle/"),
    get("a bundle of a day that never was", 404, "not_found", "/api/v1/challenges/2020-02-29/bundle/"),
    get("a history of nobody", 404, "not_found", "/api/v1/players/%C2%A0/runs/"),
    get("a history before time", 400, "bad_cursor", f"/api/v1/players/{ANN}/runs/?cursor=WyJhZnRlciIsIjAiXQ"),
    get("a history without end", 400, "bad_parameter", f"/api/v1/players/{ANN}/runs/?limit=1e9"),
    get("a deal with rules for code", 400, "bad_parameter", "/api/v1/deals/1/?rules=__class__"),
    get("two rule sets", 400, "bad_parameter", "/api/v1/deals/1/?rules=endless&rules=strict"),
    get("a league's code as nobody", 401, "not_authenticated", f"/api/v1/leagues/{'%F0%9F%82%A1' * 99}/"),
    get("an export of nobody", 401, "not_authenticated", "/api/v1/me/export/"),
    # headers
    get("a foreign host", 400, "bad_request", "/api/v1/rules/", host="evil.example"),
    get("a host with a path", 400, "bad_request", "/api/v1/rules/", host="localhost/@evil"),
    get("only pages accepted", 406, "not_acceptable", "/api/v1/rules/", accept="text/html"),
    get("nonsense accepted", 406, "not_acceptable", "/api/v1/rules/", accept="/;q=,;;="),
    get("a bad token", 401, "invalid_token", "/api/v1/rules/", authorization="Bearer pyd_x"),
    get(
        "a very long token",
        401,
        "invalid_token",
        "/api/v1/rules/",
        authorization="Bearer " + "a" * 60_000,
    ),
    get("a condition for writes", 412, "precondition_failed", f"{DAYS}/", if_match='"x"'),
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
        x_http_method_override="GET",
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
    post("a nonsense content type", 415, "unsupported_media_type", PLAYERS, b"{}", "a/b/c;;=="),
    post(
        "a long content type", 415, "unsupported_media_type", PLAYERS, b"{}", "application/json;" + "x" * 9000
    ),
    post(
        "another charset", 415, "unsupported_media_type", PLAYERS, b"{}", "application/json; charset=utf-16"
    ),
    post("a compressed body", 415, "unsupported_encoding", PLAYERS, b"\x1f\x8b", content_encoding="gzip"),
    post("a bomb", 415, "unsupported_encoding", REPLAY, BOMB, content_encoding="gzip"),
    post("a bomb in a bomb", 415, "unsupported_encoding", REPLAY, BOMB, content_encoding="gzip, gzip"),
    post("a bomb by another name", 415, "unsupported_encoding", REPLAY, BOMB, content_encoding="br"),
    post("a bomb that says it is none", 400, "malformed_json", REPLAY, BOMB, content_encoding="identity"),
    post("a bomb as a kind", 415, "unsupported_media_type", REPLAY, BOMB, "application/gzip"),
    post("three megabytes", 413, "body_too_large", REPLAY, b"x" * 3_000_000),
    post("a length that lies high", 413, "body_too_large", REPLAY, b"{}", content_length="99999999999"),
    post("a length that is none", 400, "bad_request", REPLAY, b"{}", content_length="two"),
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
    # accounts
    send("a log-in of numbers", 400, "invalid", "POST", "tokens/", login=1, password=2),
    send("a log-in of objects", 400, "invalid", "POST", "tokens/", login={"$gt": ""}, password={"$gt": ""}),
    send("a log-in by sql", 401, "bad_credentials", "POST", "tokens/", login="' OR 1=1--", password="x"),
    send(
        "an expanding log-in", 401, "bad_credentials", "POST", "tokens/", login="\ufdfa" * 9000, password="x"
    ),
    send("a log-in by many @", 401, "bad_credentials", "POST", "tokens/", login="@" * 60_000, password="x"),
    send("an endless password", 400, "invalid", "POST", "tokens/", login=ANN, password="x" * 90_000),
    send(
        "a password of digits to come", 401, "bad_credentials", "POST", "tokens/", login=ANN, password="٣" * 9
    ),
    send(
        "an endless address", 400, "bad_email", "POST", "password-resets/", email="a" * 60_000 + "@b.example"
    ),
    send(
        "an address with a header",
        400,
        "bad_email",
        "POST",
        "password-resets/",
        email="a@b.example\nBcc: c@d.e",
    ),
    send("an address in quotes", 400, "bad_email", "POST", "password-resets/", email='"a b"@b.example'),
    send("a domain of dots", 400, "bad_email", "POST", "password-resets/", email="a@" + "." * 200),
    send("a domain that expands", 400, "bad_email", "POST", "password-resets/", email="a@" + "\ufdfa" * 200),
    send("no mailed code", 400, "dead_link", "POST", "email-verifications/", token="a:b"),
    send("an endless mailed code", 400, "dead_link", "POST", "email-verifications/", token=":" * 90_000),
    send("a packed mailed code", 400, "dead_link", "POST", "email-verifications/", token=".eJwDAAAAAAE:a:b"),
    send("a mailed code of bytes", 400, "invalid", "POST", "email-verifications/", token=[0]),
    send("a reset of nothing", 400, "invalid", "POST", "password-resets/confirm/"),
    send(
        "an account of nobody",
        401,
        "not_authenticated",
        "PUT",
        "me/account/",
        email="a@b.example",
        password="x",
    ),
    send("a password of nobody", 401, "not_authenticated", "PUT", "me/password/", password="x"),
    send("an address of nobody", 401, "not_authenticated", "PUT", "me/email/", email="a@b.example"),
    send("reading tokens out", 405, "method_not_allowed", "GET", "tokens/"),
    # somebody else's
    send("a league by nobody", 401, "not_authenticated", "POST", "leagues/", name="ours"),
    send("joining as nobody", 401, "not_authenticated", "POST", "leagues/00000-00000/members/"),
    send("keeping as nobody", 401, "not_authenticated", "PUT", f"attempts/{GONE}/checkpoint/", log=[]),
    Hostile("erasing nobody", 401, "not_authenticated", "/api/v1/me/", "DELETE"),
    post("starting as nobody", 401, "not_authenticated", "/api/v1/challenges/today/attempts/", b"{}"),
    post("submitting as nobody", 401, "not_authenticated", f"/api/v1/attempts/{GONE}/run/", b'{"log": []}'),
    get("an attempt as nobody", 401, "not_authenticated", f"/api/v1/attempts/{GONE}/"),
]

BY_MEMBERS = [
    send("a league of numbers", 400, "invalid", "POST", "leagues/", name=5),
    send("an endless league", 400, "bad_name", "POST", "leagues/", name="a" * 90_000),
    send("an expanding league", 400, "bad_name", "POST", "leagues/", name="\ufdfa" * 9_000),
    send("a league of marks", 400, "bad_name", "POST", "leagues/", name="a" + "\u0301" * 50),
    send("a turned-around league", 400, "bad_name", "POST", "leagues/", name="a\u202eb c"),
    send("a league with an owner", 400, "invalid", "POST", "leagues/", name="ours", owner="ann"),
    send("a league without code", 404, "no_such_league", "POST", "leagues/%F0%9F%82%A1/members/"),
    send("a very long code", 404, "no_such_league", "POST", f"leagues/{'A' * 8_000}/members/"),
    send("a code that expands", 404, "no_such_league", "GET", "leagues/%EF%B7%BA/"),
    send("joining with fields", 400, "invalid", "POST", "leagues/{league}/members/", player="bob"),
    send("passing on to nobody", 404, "not_found", "POST", "leagues/{league}/owner/", player="\u202e"),
    send("passing on to a number", 400, "invalid", "POST", "leagues/{league}/owner/", player=1),
    send("removing nobody", 404, "not_found", "DELETE", f"leagues/{{league}}/members/{'a' * 8000}/"),
    send("removing oneself", 409, "owner_stays", "DELETE", "leagues/{league}/members/me/"),
    send("renaming to null", 400, "invalid", "PATCH", "leagues/{league}/", name=None),
    send("a made-up member", 400, "bad_cursor", "GET", "leagues/{league}/members/?cursor=WyJhZnRlciIsIjAiXQ"),
    send(
        "around a league's nobody", 404, "not_found", "GET", "leaderboards/all-time/?league={league}&around="
    ),
    send("around without play", 404, "not_ranked", "GET", "leaderboards/all-time/?league={league}&around=me"),
    send("another's cursor", 400, "bad_cursor", "GET", "leaderboards/all-time/?league={league}&cursor=AAAA"),
    send(
        "a checkpoint in one string", 400, "invalid", "PUT", "attempts/{attempt}/checkpoint/", log="D" * 2000
    ),
    send("a long checkpoint", 400, "invalid", "PUT", "attempts/{attempt}/checkpoint/", log=["D"] * 10_000),
    send(
        "a huge move kept", 422, "illegal_move", "PUT", "attempts/{attempt}/checkpoint/", log=["K" * 60_000]
    ),
    send(
        "a checkpoint from tomorrow",
        400,
        "invalid",
        "PUT",
        "attempts/{attempt}/checkpoint/",
        log=[],
        at="2099",
    ),
    send(
        "a weak password", 400, "bad_password", "PUT", "me/account/", email="a@b.example", password="\u200b"
    ),
    send(
        "an account of digits",
        400,
        "bad_password",
        "PUT",
        "me/account/",
        email="a@b.example",
        password="7" * 20,
    ),
    send("an account of lists", 400, "invalid", "PUT", "me/account/", email=[], password=[]),
    send("a guest's password", 409, "no_account", "PUT", "me/password/", current_password="y", password="x"),
    send("an erasure in parts", 400, "invalid", "DELETE", "me/", name="ann"),
]
"""What a player with a league and an attempt may think of."""
