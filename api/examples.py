"""Examples for the OpenAPI document: one guest's way from joining to the leaderboard."""

from typing import Any

from drf_spectacular.utils import OpenApiExample

PLAYER = {
    "name": "ann",
    "is_guest": True,
    "is_bot": False,
    "country": None,
    "joined_at": "2026-11-30T11:59:42.107000Z",
}
ATTEMPT = {
    "id": "5f0c7d1e-3a52-4c5e-9a1b-6f2d8e4b7c10",
    "challenge": "2026-11-30",
    "rules": "endless",
    "rules_version": 1,
    "started_at": "2026-11-30T12:00:00.000000Z",
    "deadline_at": "2026-11-30T13:00:00.000000Z",
    "server_time": "2026-11-30T12:00:00.000000Z",
    "checkpoint": [],
    "checkpoint_at": None,
}
DECK = (
    "4H JD 9C 2S KD 7H AC 6D QS 3C TH 8D 5S KC 2H JS 4D 9H 6C AS TD 3H QC 7S 8H 5D KS JC"
    " 2D 9S TC 4C 6H QD AD 8S 3S 7C 5H KH JH 2C 9D TS 4S 6S QH AH 8C 3D 7D 5C"
)
STANDING = {"rank": 3, "field_size": 204, "percentile": 99.01}
RUN = {
    "id": "5f0c7d1e-3a52-4c5e-9a1b-6f2d8e4b7c10",
    "challenge": "2026-11-30",
    "rules": "endless",
    "cleared": 26,
    "won": False,
    "stuck": False,
    "moves": 61,
    "points": 0,
    "elapsed_ms": 192_345,
    "best_clear": 28,
    "submitted_at": "2026-11-30T12:03:12.345000Z",
    "is_from_checkpoint": False,
    "unranked_reason": None,
    "standing": STANDING,
}
BOARD_URL = "https://pyramid.example/api/v1/challenges/today/leaderboard/"
DISTRIBUTION = [0, 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 9, 8, 10, 11, 10, 9, 10, 9, 10, 9, 10, 9, 10, 7, 1]
LEADERBOARD = {
    "challenge": "2026-11-30",
    "field_size": 204,
    "distribution": DISTRIBUTION,
    "results": [
        {
            "rank": 1,
            "player": "bob",
            "is_bot": False,
            "cleared": 28,
            "elapsed_ms": 151_200,
            "won": True,
            "run": "0d9b6e52-7f41-4c0e-8a5d-1b3c5d7e9f20",
            "under_review": False,
        }
    ],
    "next": f"{BOARD_URL}?limit=1&cursor=Yk2w0p1rX9sVWyJhZnRlciIsNDYxMTU2MjYwNjAzODYzNTE0NCwxN10",
    "previous": None,
    "me": {**STANDING, "cleared": 26, "elapsed_ms": 192_345, "run": RUN["id"]},
}
TODAY = {
    "date": "2026-11-30",
    "opens_at": "2026-11-30T00:00:00.000000Z",
    "closes_at": "2026-12-01T00:00:00.000000Z",
    "commitment": "3b1f…",
    "rules": "endless",
    "rules_version": 1,
    "is_open": True,
    "is_settled": False,
    "is_voided": False,
    "void_reason": None,
    "attempts": 231,
    "runs": 207,
    "field_size": 204,
    "distribution": DISTRIBUTION,
    "deck": None,
    "code": None,
    "salt": None,
    "best_clear": None,
    "best_line": None,
    "difficulty": None,
    "board_digest": None,
    "revision": None,
    "revisions": [],
    "server_time": "2026-11-30T12:00:00.000000Z",
}
REVISION = {
    "revision": 1,
    "digest": "9f2c…",
    "field_size": 204,
    "settled_at": "2026-12-01T01:01:00.000000Z",
}
SETTLED_DAY = TODAY | {
    "is_open": False,
    "is_settled": True,
    "deck": DECK,
    "code": "PYR1-0000-0000-0000-0017",
    "salt": "a81d…",
    "best_clear": 28,
    "best_line": ["D", "D", "KD"],
    "difficulty": 0.61,
    "board_digest": "9f2c…",
    "revision": 1,
    "revisions": [REVISION],
    "server_time": "2026-12-02T12:00:00.000000Z",
}
LEAGUE = {
    "code": "7K3QZ-MX04B",
    "name": "Sunday Solvers",
    "owner": "ann",
    "is_owner": True,
    "members": 1,
    "created_at": "2026-11-30T12:00:00.000000Z",
}


def sent(name: str, value: dict[str, Any]) -> OpenApiExample:
    """An example of a body to send."""
    return OpenApiExample(name, value=value, request_only=True)


def answered(name: str, value: dict[str, Any], *statuses: int) -> OpenApiExample:
    """An example of an answer with these statuses."""
    return OpenApiExample(
        name, value=value, response_only=True, status_codes=[str(code) for code in statuses]
    )


JOIN = [
    sent("with a name", {"name": "ann"}),
    sent("with any name", {}),
    answered("joined", {"player": PLAYER, "token": "pyd_" + "x" * 51}, 201),
]
START = [
    sent("start", {}),
    answered("started", {**ATTEMPT, "deck": DECK}, 201),
    answered("started before", {**ATTEMPT, "deck": DECK, "server_time": "2026-11-30T12:07:00Z"}, 200),
]
SUBMIT = [
    sent("a log", {"log": ["KD", "TC3S", "D"]}),
    answered("judged", RUN, 201),
    answered("judged before", RUN, 200),
]
KEEP = [
    sent("the moves so far", {"log": ["KD", "TC3S"]}),
    answered(
        "kept",
        {
            "checkpoint": ["KD", "TC3S"],
            "checkpoint_at": "2026-11-30T12:01:30.000000Z",
            "deadline_at": "2026-11-30T13:00:00.000000Z",
            "server_time": "2026-11-30T12:01:30.000000Z",
        },
        200,
    ),
]
SHOW_DAY = [answered("today", TODAY, 200), answered("a settled day", SETTLED_DAY, 200)]
MAKE_ACCOUNT = [sent("an account", {"email": "ann@example.org", "password": "correct horse battery"})]
LOG_IN = [
    sent("by name", {"login": "ann", "password": "correct horse battery", "label": "phone"}),
    sent("by address", {"login": "ann@example.org", "password": "correct horse battery"}),
    answered("logged in", {"player": {**PLAYER, "is_guest": False}, "token": "pyd_" + "x" * 51}, 201),
]
MAKE_LEAGUE = [sent("a league", {"name": "Sunday Solvers"}), answered("founded", LEAGUE, 201)]
SHOW_BOARD = [answered("the top of the board", LEADERBOARD, 200)]
REPLAY = [
    sent("a numbered deal", {"number": 12345, "rules": "three-pass", "log": ["D", "D", "U"]}),
    sent("a deal by its code", {"code": "PYR1-0000-0000-0000-0017", "rules": "endless", "log": []}),
]
