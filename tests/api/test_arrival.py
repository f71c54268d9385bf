"""When a submission counts as arrived: by the database's clock, when all of it is there, before any lock."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from io import BytesIO
from typing import Any, override

import pytest
from django.db import transaction

from daily import clock as database_clock
from daily.models import Attempt, Challenge
from leaderboard.boards import day_board
from leaderboard.models import Tally
from players.models import Player
from tests.api.conftest import CheckedClient, client_of
from tests.api.test_attempts import START
from tests.cast import FrozenClock, make_challenge, make_player, record, started
from tests.stepped_clock import step  # noqa: F401  (fixture)
from tests.threads import Aside, aside  # noqa: F401  (fixture)

FORGED: dict[str, Any] = {
    "HTTP_DATE": "Thu, 01 Jan 1970 00:00:00 GMT",
    "HTTP_IF_UNMODIFIED_SINCE": "Fri, 31 Dec 2100 00:00:00 GMT",
    "HTTP_X_REQUEST_START": "t=0",
    "HTTP_AGE": "86400",
    "QUERY_STRING": "now=1970-01-01T00:00:00Z&started_at=2100-01-01T00:00:00Z&elapsed_ms=1",
}
BODY = '{"log": []}'


def address_of(attempt: Attempt) -> str:
    """Where its log goes."""
    return f"/api/v1/attempts/{attempt.pk}/run/"


def submit_bytes(client: CheckedClient, attempt: Attempt, **environ: Any) -> Any:
    """Submit with whatever else a request may come with."""
    return client.generic("POST", address_of(attempt), BODY, content_type="application/json", **environ)


class SlowBody(BytesIO):
    """A body of which the rest arrives seconds after its head."""

    def __init__(self, clock: FrozenClock, **late: float) -> None:
        super().__init__(BODY.encode())
        self.clock, self.late = clock, late

    @override
    def read(self, size: int | None = -1) -> bytes:
        self.clock.advance(**self.late)
        self.late = {}
        return super().read(size)


def test_a_submission_is_timed_when_all_of_it_has_arrived(
    challenge: Challenge, ann: Player, as_ann: CheckedClient, clock: FrozenClock
) -> None:
    answer = submit_bytes(as_ann, started(ann), **{"wsgi.input": SlowBody(clock, seconds=3)})
    assert (answer.status_code, answer.json()["elapsed_ms"]) == (201, 3000)


def test_a_submission_of_which_the_rest_comes_after_the_deadline_is_late(
    challenge: Challenge, ann: Player, as_ann: CheckedClient, clock: FrozenClock
) -> None:
    answer = submit_bytes(as_ann, started(ann), **{"wsgi.input": SlowBody(clock, minutes=61)})
    assert (answer.status_code, answer.json()["code"]) == (409, "deadline_passed")


def test_times_that_a_request_comes_with_decide_nothing(
    challenge: Challenge, ann: Player, as_ann: CheckedClient, clock: FrozenClock
) -> None:
    attempt = as_ann.post(START, {}, **FORGED).json()
    assert attempt["started_at"] == attempt["server_time"] == "2026-11-30T12:00:00.000000Z"
    clock.advance(seconds=5)
    answer = submit_bytes(as_ann, Attempt.objects.get(), **FORGED)
    assert (answer.status_code, answer.json()["elapsed_ms"]) == (201, 5000)


@pytest.mark.parametrize("name", ["elapsed_ms", "started_at", "submitted_at", "now"])
def test_times_in_a_body_are_refused(
    challenge: Challenge, ann: Player, as_ann: CheckedClient, name: str
) -> None:
    assert as_ann.post(START, {name: 1}).status_code == 400
    assert as_ann.post(address_of(started(ann)), {"log": [], name: 1}).status_code == 400


@pytest.mark.parametrize("days", [-1, 1])
def test_the_clock_of_the_process_starts_and_times_nothing(
    ann: Player, as_ann: CheckedClient, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    today = database_clock.now().date()
    make_challenge(today)
    wrong = database_clock.about_now() + timedelta(days=days)
    monkeypatch.setattr(database_clock, "about_now", lambda: wrong)
    assert as_ann.post(START, {}).json()["challenge"] == str(today)
    run = as_ann.post(address_of(Attempt.objects.get()), {"log": []}).json()
    assert 0 <= run["elapsed_ms"] < 60_000


def lock_challenge(day: Any) -> None:
    Challenge.objects.select_for_update().get(date=day)


def lock_tally(day: Any) -> None:
    Tally.objects.select_for_update().get(board=day_board(day), cleared=0)


@pytest.mark.postgres
@pytest.mark.parametrize("lock", [lock_challenge, lock_tally])
def test_a_submission_that_a_lock_holds_across_the_deadline_arrived_before_it(
    step: Callable[..., None],  # noqa: F811
    aside: Aside,  # noqa: F811
    lock: Callable[[Any], None],
) -> None:
    challenge = make_challenge(database_clock.now().date())
    record(make_player("bob"), challenge, cleared=0, elapsed_ms=1)
    ann = make_player("ann")
    attempt, client = started(ann), client_of(ann)
    with transaction.atomic():
        lock(challenge.date)
        submission = aside.start(partial(client.post, address_of(attempt), {"log": []}))
        aside.wait_until_waiting()
        step(hours=2)
    answer: Any = submission.result()
    assert answer.status_code == 201
    assert 0 <= answer.json()["elapsed_ms"] < 3_600_000


@pytest.mark.postgres
def test_who_comes_after_the_step_is_late(step: Callable[..., None]) -> None:  # noqa: F811
    make_challenge(database_clock.now().date())
    ann = make_player("ann")
    attempt, client = started(ann), client_of(ann)
    step(hours=2)
    assert client.post(address_of(attempt), {"log": []}).json()["code"] == "deadline_passed"


@pytest.mark.postgres
def test_a_clock_of_the_database_that_is_set_back_makes_no_negative_time(
    step: Callable[..., None],  # noqa: F811
) -> None:
    make_challenge(database_clock.now().date())
    ann = make_player("ann")
    attempt, client = started(ann), client_of(ann)
    step(minutes=-10)
    assert client.post(address_of(attempt), {"log": []}).json()["elapsed_ms"] == 0
