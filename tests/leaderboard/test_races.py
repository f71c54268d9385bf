"""Many at once, on a real PostgreSQL with real threads: one attempt, one run, one answer."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connection
from rest_framework.exceptions import APIException

from daily.models import Attempt, Challenge, Run
from daily.services import start_attempt
from leaderboard import standings
from leaderboard.boards import boards_of, day_board
from leaderboard.models import Standing, Tally
from leaderboard.services import submit_run
from players.models import Player
from tests.cast import DAY, greedy_log, make_player, started

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
THREADS = 16


def at_once[T](calls: list[Callable[[], T]]) -> list[T | APIException]:
    """Run the calls in as many threads, all let go at the same moment; a refusal is a result."""
    gate = Barrier(len(calls))

    def call(work: Callable[[], T]) -> T | APIException:
        try:
            gate.wait()
            return work()
        except APIException as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(call, calls))


def accepted[T](calls: list[Callable[[], T]]) -> list[T]:
    """What the calls give when run at once and none is refused."""
    answers = at_once(calls)
    assert not [answer for answer in answers if isinstance(answer, APIException)]
    return [answer for answer in answers if not isinstance(answer, APIException)]


def test_parallel_starts_make_one_attempt(challenge: Challenge, ann: Player) -> None:
    answers = accepted([partial(start_attempt, player=ann)] * THREADS)
    assert len({attempt.pk for attempt, _ in answers}) == Attempt.objects.count() == 1
    assert sum(is_new for _, is_new in answers) == 1


def test_parallel_first_starts_of_a_missing_day_make_one_day(clock: object, db: None) -> None:
    players = [make_player(f"player {number}") for number in range(THREADS)]
    answers = accepted([partial(start_attempt, player=player) for player in players])
    assert len({attempt.challenge.commitment for attempt, _ in answers}) == 1
    assert Attempt.objects.count() == THREADS


def test_parallel_submits_of_one_log_make_one_run_with_one_answer(challenge: Challenge, ann: Player) -> None:
    attempt, log = started(ann), greedy_log(challenge, 4)
    answers = accepted([partial(submit_run, player=ann, attempt_id=attempt.pk, log=log)] * THREADS)
    assert sum(is_new for _, is_new in answers) == 1
    assert len({(run.elapsed_ms, run.rank, run.beaten, run.field_size) for run, _ in answers}) == 1
    assert_counted_once(ann, Run.objects.get())


def test_parallel_submits_of_different_logs_let_one_win(challenge: Challenge, ann: Player) -> None:
    attempt = started(ann)
    logs = [["D"] * number for number in range(THREADS)]
    answers = at_once([partial(submit_run, player=ann, attempt_id=attempt.pk, log=log) for log in logs])
    refusals = [answer for answer in answers if isinstance(answer, APIException)]
    assert {refusal.default_code for refusal in refusals} == {"already_submitted"}
    assert len(refusals) == THREADS - 1
    assert_counted_once(ann, Run.objects.get())


def test_parallel_submits_of_a_field_are_all_counted(challenge: Challenge, db: None) -> None:
    players = [make_player(f"player {number}") for number in range(THREADS)]
    attempts = [started(player) for player in players]
    accepted([partial(submit_run, player=each.player, attempt_id=each.pk, log=["D"]) for each in attempts])
    page = standings.page_after(day_board(DAY), None, 100)
    assert page.field_size == len(page.rows) == THREADS
    for board in boards_of(DAY):
        assert Tally.objects.get(board=board).runs == THREADS


def assert_counted_once(player: Player, run: Run) -> None:
    for board in boards_of(run.challenge_id):
        standing = Standing.objects.get(board=board, player=player)
        assert (standing.cleared, standing.elapsed_ms, standing.days) == (run.cleared, run.elapsed_ms, 1)
        assert Tally.objects.get(board=board).runs == 1
