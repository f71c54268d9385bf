"""The steady load of ``bench/soak.py``: every call of it has to be one that the service grants."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from unittest import mock

import pytest

from bench.client import Answer
from bench.traffic import NOTHING, PAUSE_S, Call, Seen, Traffic, Visit, browser, look_around, make, program
from daily.models import Challenge, Run
from tests.bench.in_process import InProcess, in_process
from tests.cast import FrozenClock, make_player, record

pytestmark = pytest.mark.django_db


def statuses_of(visit: Visit, clock: FrozenClock) -> list[int]:
    """How each call of a visit is answered."""
    statuses, call = [], next(visit)
    while True:
        answer: Answer = make(in_process(), call)
        statuses.append(answer.status)
        clock.advance(seconds=PAUSE_S)
        try:
            call = visit.send(answer)
        except StopIteration:
            return statuses


@pytest.mark.parametrize(
    ("visit", "statuses"),
    [
        (program, [201, 201, 200, 200, 200, 200, 201, *[200] * 7]),
        (browser, [200, 204, 201, 200, 200, 200, 200, 201, *[200] * 7]),
    ],
)
def test_who_plays_ends_with_a_run_and_sees_it_everywhere(
    visit: Callable[[Random], Visit], statuses: list[int], challenge: Challenge, clock: FrozenClock
) -> None:
    assert statuses_of(visit(Random(1)), clock) == statuses
    assert Run.objects.get().moves >= 20


def test_who_looks_around_sees_everything_and_nothing_new_twice(
    challenge: Challenge, clock: FrozenClock
) -> None:
    assert statuses_of(look_around(), clock) == [200, 304, 200, 304, *[200] * 12]


def test_a_long_board_is_turned_over(challenge: Challenge, clock: FrozenClock) -> None:
    for number in range(11):
        record(make_player(f"ann {number}"), challenge, cleared=number, elapsed_ms=1000)
    assert statuses_of(look_around(), clock) == [200, 304, 200, 304, *[200] * 14]


class Stopwatch:
    """Time that passes when somebody sleeps."""

    def __init__(self) -> None:
        self.moment = 0.0

    def monotonic(self) -> float:
        return self.moment

    def sleep(self, seconds: float) -> None:
        self.moment += seconds


@pytest.fixture
def stopwatch() -> Iterator[Stopwatch]:
    """The time of the load."""
    with mock.patch("bench.traffic.time", Stopwatch()) as time:
        yield time


def test_the_load_has_its_rate_and_its_visitors(
    challenge: Challenge, clock: FrozenClock, stopwatch: Stopwatch
) -> None:
    seen = Traffic(10, Random(1)).run(in_process(), 2)
    assert [each.is_good for each in seen] == [True] * 20
    assert stopwatch.moment == pytest.approx(1.9)
    assert {each.call.path for each in seen} == {"/api/v1/players/", "/play/", "/api/v1/challenges/today/"}


class Away(InProcess):
    """A service that does not answer, and takes a second for it."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        super().__init__()
        self._stopwatch = stopwatch

    def ask(self, *_: object, **__: object) -> Answer:
        self._stopwatch.sleep(1)
        raise ConnectionRefusedError


def test_what_is_not_answered_is_noted_and_what_is_late_left_out(stopwatch: Stopwatch) -> None:
    away: Any = Away(stopwatch)
    seen = Traffic(10, Random(1)).run(away, 5)
    assert [(each.status, each.seconds) for each in seen] == [(NOTHING, 1)] * 5


def test_a_refusal_is_not_what_one_came_for() -> None:
    assert not Seen(Call("GET", "/"), 404, 0).is_good
