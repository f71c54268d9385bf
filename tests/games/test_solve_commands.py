import io
import json
import sys

import pytest

from games.pyramid import RULES, Deal, replay
from games.pyramid.cli import main
from games.pyramid.ndjson import solved
from games.pyramid.solver import best_clear

STRICT = RULES["strict"]
HARD = ["--rules", "one-pass", "--node-budget", "10"]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def answered(**question: object) -> dict[str, object]:
    return json.loads(json.dumps(solved(json.dumps(question).encode())))  # type: ignore[no-any-return]


def test_solve_prints_the_best_and_a_log_that_replays(capsys: pytest.CaptureFixture[str]) -> None:
    cleared, proven, log = said(capsys, "solve", "22", "--rules", "strict")
    assert (cleared, proven) == ("cleared: 28", "proven:  true")
    assert replay(Deal.from_number(22), STRICT, log.split()[1:]).cleared == 28


def test_solve_takes_a_code_a_number_or_a_deck(capsys: pytest.CaptureFixture[str]) -> None:
    deal = Deal.from_number(22)
    asked = [(str(deal.code),), ("22",), ("--deck", deal.deck)]
    first, *others = [said(capsys, "solve", *deal_arguments) for deal_arguments in asked]
    assert others == [first, first]


def test_solve_tells_when_the_budget_ran_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "solve", "52", *HARD)[1] == "proven:  false"


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve"],
        ["solve", "0"],
        ["solve", "--deck", "AC"],
        ["solve", "1", "--ndjson"],
        ["solve", "1", "--rules", "none"],
        ["solve", "1", "--node-budget", "-1"],
        ["explain"],
        ["explain", "PYR1"],
    ],
)
def test_what_cannot_be_understood_exits_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2


def test_solve_ndjson_answers_line_by_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = b'{"rules": "one-pass", "number": 52}\nnothing\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    best, error = map(json.loads, said(capsys, "solve", "--ndjson", "--node-budget", "10"))
    assert (best["proven"], error) == (False, {"error": {"code": "malformed_json"}})


@pytest.mark.parametrize("name", ["code", "number", "deck"])
def test_a_solved_line_holds_the_best_and_its_log(name: str) -> None:
    deal = Deal.from_number(22)
    best = best_clear(deal, STRICT)
    question = {"code": deal.code, "number": 22, "deck": deal.deck}[name]
    answer = answered(rules="strict", **{name: question})
    assert answer == {"cleared": best.cleared, "proven": True, "log": list(best.log)}


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"number": 1}, "unknown_rules"),
        ({"rules": "strict"}, "missing_deal"),
        ({"rules": "strict", "number": 0}, "bad_number"),
        ({"rules": "strict", "number": 1, "deck": Deal.from_number(2).deck}, "conflicting_deals"),
    ],
)
def test_a_line_that_cannot_be_solved_says_why(question: dict[str, object], code: str) -> None:
    assert answered(**question) == {"error": {"code": code}}


def test_explain_tells_the_deal_the_best_and_its_moves(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "explain", "22", "--rules", "strict")
    moves = told[told.index("Strict: 28 of 28 can be cleared, and no play clears more.") + 2 :]
    assert told[0] == Deal.from_number(22).code
    assert [line.split()[1] for line in moves] == list(best_clear(Deal.from_number(22), STRICT).log)
    assert moves[-1].endswith("28 cleared")


def test_explain_tells_when_the_budget_ran_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert any("whether more can is open" in line for line in said(capsys, "explain", "52", *HARD))
