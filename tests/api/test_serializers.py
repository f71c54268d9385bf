"""Strict fields: nothing is coerced, nothing unknown passes, and errors point at the place."""

from typing import Any

import pytest
from rest_framework.exceptions import ValidationError

from api.errors import problem
from api.serializers import MAX_LOG_MOVES, MoveLogField, StrictSerializer, StringField


class Thing(StrictSerializer):
    name = StringField(max_length=10, required=False)
    log = MoveLogField(required=False)


def errors_of(data: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(ValidationError) as refusal:
        Thing(data=data).is_valid(raise_exception=True)
    document = problem(refusal.value)
    assert document["code"] == "invalid"
    return [(error["pointer"], error["code"]) for error in document["errors"]]


def test_what_is_right_passes_unchanged() -> None:
    data = {"name": " ann ", "log": ["KD", "", "TC3S"]}
    thing = Thing(data=data)
    assert thing.is_valid()
    assert thing.validated_data == data


@pytest.mark.parametrize("value", [1, 1.5, True, None, [], {}, ["a"]])
def test_only_a_string_is_a_string(value: Any) -> None:
    assert errors_of({"name": value})[0][0] == "/name"


def test_unknown_fields_are_named() -> None:
    assert errors_of({"name": "x", "lgo": [], "a/b~c": 1}) == [("/a~1b~0c", "unknown"), ("/lgo", "unknown")]


def test_at_most_twenty_errors_are_told() -> None:
    assert len(errors_of({f"x{number}": 1 for number in range(500)})) == 20


@pytest.mark.parametrize("value", ["KD", {}, None, 3, True])
def test_a_log_is_a_list(value: Any) -> None:
    assert errors_of({"log": value})[0][0] == "/log"


@pytest.mark.parametrize("value", [1, None, True, ["D"], {"move": "D"}, 1.0])
def test_the_first_move_that_is_no_string_is_pointed_at(value: Any) -> None:
    assert errors_of({"log": ["D"] * 12 + [value, 7]}) == [("/log/12", "not_a_string")]


def test_a_log_has_an_end() -> None:
    assert Thing(data={"log": ["D"] * MAX_LOG_MOVES}).is_valid()
    assert errors_of({"log": ["D"] * (MAX_LOG_MOVES + 1)}) == [("/log", "too_many")]
    assert errors_of({"log": ["D" * 66_000]}) == [("/log", "too_large")]
