"""What ``bench/stampede.py`` finds wrong with the answers."""

import json

import pytest

from bench.stampede import NOTHING, Start, disagreements


def start(token: str, status: int = 201, *, attempt: str = "", deck: str = "deck") -> Start:
    """The answer to a start: by default an attempt of the player's own."""
    return Start(token, status, 0.1, json.dumps({"id": attempt or f"of {token}", "deck": deck}).encode())


FIRST = [start("a"), start("b")]
SECOND = [start("b", 200), start("a", 200)]


def test_one_attempt_each_and_the_same_again_is_good() -> None:
    assert not list(disagreements(FIRST, SECOND))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([start("a"), start("b", 503)], SECOND),
        ([start("a"), start("b", 200)], SECOND),
        (FIRST, [start("a", 200), start("b", 201)]),
        ([start("a"), start("b", deck="another")], SECOND),
        (FIRST, [start("a", 200, attempt="another"), start("b", 200)]),
        ([start("a", attempt="one"), start("b", attempt="one")], [start("a", 200), start("b", 200)]),
        ([start("a"), Start("b", NOTHING, 0.1)], SECOND),
    ],
)
def test_anything_else_is_not(first: list[Start], second: list[Start]) -> None:
    assert list(disagreements(first, second))
