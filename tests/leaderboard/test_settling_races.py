"""Submissions, checkpoints, deadlines and settling that meet, on a real PostgreSQL with real threads."""

from functools import partial

import pytest

from daily.errors import DeadlinePassed
from daily.models import Attempt, Challenge, Run
from daily.services import keep_checkpoint
from leaderboard import standings
from leaderboard.boards import day_board
from leaderboard.models import Settlement, Standing
from leaderboard.services import submit_run
from leaderboard.settling import ensure_settled, finish_overdue, settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, make_player, record, started
from tests.leaderboard.test_settling import digest_of, end_day, keep, pass_deadline
from tests.threads import Aside, at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
BOARD = day_board(DAY)
THREADS = 8


def test_parallel_settlings_settle_once(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    end_day(challenge, clock)
    answers = at_once([partial(settle_due, clock.now())] * THREADS)
    assert sorted(map(str, answers)) == sorted(map(str, [[DAY], *[[]] * (THREADS - 1)]))
    assert Settlement.objects.get().revision == 1


def test_parallel_deadline_tasks_make_one_run_each(challenge: Challenge, clock: FrozenClock) -> None:
    attempts = [started(make_player(f"player {number}")) for number in range(6)]
    for attempt in attempts:
        keep(attempt, ["D"])
    pass_deadline(attempts[-1], clock)
    made = at_once([partial(finish_overdue, clock.now())] * 4)
    assert sum(number for number in made if isinstance(number, int)) == Run.objects.count() == 6
    assert standings.page_after(BOARD, None, 10).field_size == 6


def test_a_submission_and_the_deadline_task_make_one_run(
    challenge: Challenge, ann: Player, clock: FrozenClock, aside: Aside
) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    submit = partial(submit_run, player=ann, attempt_id=attempt.pk, log=["D", "D"])
    submission = aside.start_and_hold_uncommitted(submit)
    pass_deadline(attempt, clock)
    task = aside.start(partial(finish_overdue, clock.now()))
    aside.wait_until_waiting()
    aside.go.set()
    assert submission.result() == (Run.objects.get(), True)
    assert task.result() == 0
    assert Run.objects.get().log == ["D", "D"]
    assert Standing.objects.get(board=BOARD).days == 1


def test_a_deadline_task_that_came_first_is_what_counts(
    challenge: Challenge, ann: Player, clock: FrozenClock, aside: Aside
) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    submit = partial(submit_run, player=ann, attempt_id=attempt.pk, log=["D", "D"])
    submission = aside.start_and_hold(submit, "leaderboard.services.daily.judge")
    pass_deadline(attempt, clock)
    assert finish_overdue(clock.now()) == 1
    aside.go.set()
    assert isinstance(submission.result(), DeadlinePassed)
    assert Run.objects.get().log == ["D"]


def test_a_checkpoint_that_meets_a_submission_harms_nothing(
    challenge: Challenge, ann: Player, clock: FrozenClock, aside: Aside
) -> None:
    attempt = started(ann)
    submit = partial(submit_run, player=ann, attempt_id=attempt.pk, log=["D", "D"])
    submission = aside.start_and_hold_uncommitted(submit)
    keep(attempt, ["D"])
    aside.go.set()
    assert submission.result() == (Run.objects.get(), True)
    assert Run.objects.get().log == ["D", "D"]
    pass_deadline(attempt, clock)
    assert finish_overdue(clock.now()) == 0


def test_checkpoints_from_two_devices_at_once_are_one(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    logs = [["D"] * number for number in range(THREADS)]
    answers = at_once([partial(keep_checkpoint, player=ann, attempt_id=attempt.pk, log=log) for log in logs])
    kept = [answer for answer in answers if isinstance(answer, Attempt)]
    assert len(kept) == 1
    assert Attempt.objects.get().checkpoint == kept[0].checkpoint


def test_settling_waits_for_a_submission_that_is_being_recorded(
    challenge: Challenge, ann: Player, clock: FrozenClock, aside: Aside
) -> None:
    attempt = started(ann)
    submit = partial(submit_run, player=ann, attempt_id=attempt.pk, log=["D"])
    submission = aside.start_and_hold_uncommitted(submit)
    end_day(challenge, clock)
    settlement = aside.start(partial(settle_due, clock.now()))
    aside.wait_until_waiting()
    aside.go.set()
    assert submission.result() == (Run.objects.get(), True)
    assert settlement.result() == [DAY]
    assert Settlement.objects.get().digest == digest_of(f"1|{attempt.pk}|0|0|D")


def test_a_submission_that_meets_the_settling_is_too_late(
    challenge: Challenge, ann: Player, clock: FrozenClock, aside: Aside
) -> None:
    attempt = started(ann)
    submit = partial(submit_run, player=ann, attempt_id=attempt.pk, log=["D"])
    submission = aside.start_and_hold(submit, "leaderboard.services.daily.judge")
    end_day(challenge, clock)
    settlement = Aside(aside.monkeypatch, aside.pool)
    settling_day = settlement.start_and_hold(partial(settle_due, clock.now()), "leaderboard.settling.freeze")
    aside.go.set()
    aside.wait_until_waiting()
    settlement.go.set()
    assert settling_day.result() == [DAY]
    assert isinstance(submission.result(), DeadlinePassed)
    assert Settlement.objects.get().digest == digest_of()


def test_who_reads_a_day_that_is_being_settled_does_not_wait(
    challenge: Challenge, ann: Player, clock: FrozenClock, aside: Aside
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    end_day(challenge, clock)
    settlement = aside.start_and_hold(partial(settle_due, clock.now()), "leaderboard.settling.freeze")
    ensure_settled(challenge, clock.now())
    assert not challenge.is_settled
    assert standings.page_after(BOARD, None, 10).field_size == 1
    aside.go.set()
    assert settlement.result() == [DAY]
    ensure_settled(challenge, clock.now())
    assert challenge.is_settled
