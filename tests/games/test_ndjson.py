import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.pyramid import Deal
from games.pyramid.ndjson import dealt, replayed
from tests.games.cast import EASY, EASY_PYRAMID

DATA = Path(__file__).parents[1] / "data"
CODE = "PYR1-0000-0000-0000-0017"


def question(**fields: object) -> dict[str, object]:
    return {"rules": "endless", "number": 1, "log": [], **fields}


def asked(fields: object) -> dict[str, Any]:
    return replayed(json.dumps(fields).encode())


def test_every_replay_vector_is_answered_as_it_expects() -> None:
    lines = (DATA / "replay.jsonl").read_bytes().splitlines()
    assert [replayed(line) for line in lines] == [json.loads(line)["expect"] for line in lines]


def test_every_deal_vector_is_answered_with_its_code_and_deck() -> None:
    lines = (DATA / "deals.jsonl").read_bytes().splitlines()
    expected = [{name: json.loads(line)[name] for name in ("code", "deck")} for line in lines]
    assert [dealt(line) for line in lines] == expected


def test_a_deal_may_be_asked_for_by_code_by_number_or_by_deck() -> None:
    deck = Deal.from_number(1).deck
    answers = [asked({"rules": "endless", name: value, "log": ["D"]}) for name, value in
               [("code", CODE.lower()), ("number", 1), ("deck", deck)]]  # fmt: skip
    assert answers == [answers[0]] * 3
    assert answers[0]["waste"] == 1


def test_a_won_run_is_answered_with_every_figure() -> None:
    assert asked({"rules": "pyramide", "deck": EASY.deck, "log": EASY_PYRAMID}) == {
        "cleared": 28, "won": True, "stuck": False, "moves": 16, "points": 280, "pass": 1,
        "stock": 23, "waste": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("move", "told"), [("kd", "kd"), ("\ud800", "\ud800"), (5, 5), (None, None), (True, True), (["D"], None)]
)
def test_a_move_that_is_none_is_malformed_at_its_index(move: object, told: object) -> None:
    assert asked(question(log=["D", move])) == {"error": {"index": 1, "move": told, "code": "malformed"}}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "malformed_json"),
        (b"\n", "malformed_json"),
        (b"{", "malformed_json"),
        (b"\xff\xfe{}", "malformed_json"),
        (b"\xef\xbb\xbf{}", "malformed_json"),
        (b'{"number": NaN}', "malformed_json"),
        (b'{"number": -Infinity}', "malformed_json"),
        (b'{"number": 1e999}', "malformed_json"),
        (b'{"number": ' + b"9" * 10_000 + b"}", "malformed_json"),
        (b'{"number": 1, "number": 2}', "malformed_json"),
        (b'{"log": [{"a": 1, "a": 2}]}', "malformed_json"),
        (b"[" * 200_000, "malformed_json"),
        (b'{"log":' * 200_000, "malformed_json"),
        (b"{} {}", "malformed_json"),
        (b"[]", "malformed_line"),
        (b'"D"', "malformed_line"),
        (b"null", "malformed_line"),
        (b"{}", "missing_deal"),
    ],
    ids=count(),
)
def test_a_line_that_asks_nothing_gets_an_error_for_an_answer(line: bytes, code: str) -> None:
    assert replayed(line) == {"error": {"index": None, "move": None, "code": code}}
    assert dealt(line) == {"error": {"code": code}}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        (question(rules="nope"), "unknown_rules"),
        (question(rules="\ud800"), "unknown_rules"),
        (question(rules=None), "unknown_rules"),
        (question(rules=["endless"]), "unknown_rules"),
        ({"number": 1, "log": []}, "unknown_rules"),
        (question(log=None), "malformed_log"),
        (question(log="D"), "malformed_log"),
        (question(log={"0": "D"}), "malformed_log"),
        ({"number": 1, "rules": "endless"}, "malformed_log"),
        (question(number="1"), "bad_number"),
        (question(number=1.0), "bad_number"),
        (question(number=True), "bad_number"),
        (question(number=None), "bad_number"),
        (question(number=2**53), "bad_number"),
        (question(code="PYR1-0000-0000-0000-0018"), "bad_check_symbol"),
        (question(code=["x"]), "malformed_code"),
        (question(deck="AC AC"), "wrong_card_count"),
        (question(deck=EASY.deck.replace("KS", "KC")), "duplicate_card"),
        (question(deck=EASY.deck.split()), "malformed_deck"),
        (question(deck=EASY.deck), "conflicting_deals"),
    ],
    ids=count(),
)
def test_a_bad_field_is_told_by_its_code_without_an_index(fields: dict[str, object], code: str) -> None:
    assert asked(fields) == {"error": {"index": None, "move": None, "code": code}}


texts = st.sampled_from(
    ["", "D", "KD", "endless", "PYR1-0000-0000-0000-0017", EASY.deck, "\x00", "\ud800", "\u0661"]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda values: st.lists(values) | st.dictionaries(texts, values),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["rules", "code", "number", "deck", "log"]), json_values))
def test_whatever_a_line_holds_its_answer_can_be_written(fields: dict[str, object]) -> None:
    for answer in (replayed, dealt):
        assert json.loads(json.dumps(answer(json.dumps(fields).encode()), allow_nan=False))


@given(st.binary())
def test_whatever_bytes_a_line_has_there_is_an_answer(line: bytes) -> None:
    assert "error" in replayed(line)
