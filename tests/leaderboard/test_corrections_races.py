"""Corrections that meet submissions and each other, on a real PostgreSQL with real threads."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.db.models import Sum

from daily.models import Challenge, Run, Unranked
from leaderboard import standings
from leaderboard.boards import boards_of, day_board
from leaderboard.corrections import reinstate_run, void_day, void_run
from leaderboard.models import Settlement, Standing, Tally
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player, record, started
from tests.leaderboard.test_settling import end_day
from tests.threads import Aside, at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
BOARD = day_board(DAY)
WHY = "A test."


def assert_books_balance() -> None:
    """Standings and tallies are the sums of the runs that count, change for change."""
    for board in Standing.objects.values_list("board", flat=True).distinct():
        runs = [run for run in Run.objects.counting() if board in boards_of(run.challenge_id)]
        standing = Standing.objects.filter(board=board)
        sums = standing.aggregate(
            cleared=Sum("cleared"), ms=Sum("elapsed_ms"), days=Sum("days"), n=Sum("version")
        )
        assert sums["cleared"] == sum(run.cleared for run in runs)
        assert sums["ms"] == sum(run.elapsed_ms for run in runs)
        assert sums["days"] == Tally.objects.filter(board=board).aggregate(n=Sum("runs"))["n"] == len(runs)
        assert sums["n"] == Tally.objects.filter(board=board).aggregate(n=Sum("changes"))["n"]


def test_voiding_a_run_and_submitting_do_not_lock_each_other_out(
    challenge: Challenge, ann: Player, bob: Player, aside: Aside
) -> None:
    run = record(ann, challenge, cleared=0, elapsed_ms=1)
    attempt = started(bob)
    submit = partial(submit_run, player=bob, attempt_id=attempt.pk, log=["D"])
    submission = aside.start_and_hold_uncommitted(submit)
    voiding = aside.start(partial(void_run, run_id=run.pk, reason=WHY, by=None))
    aside.wait_until_waiting()  # the one for the other's tally, in a transaction that holds the day
    aside.go.set()
    assert submission.result() == (Run.objects.get(player=bob), True)
    assert voiding.result() == run
    assert [row.entry.player for row in standings.page_after(BOARD, None, 10).rows] == ["bob"]
    assert_books_balance()


def test_voiding_a_run_does_not_lock_out_who_copied_it(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock, aside: Aside
) -> None:
    log = ["D"] * 20
    run, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=log)
    clock.advance(minutes=1)
    submit = partial(submit_run, player=bob, attempt_id=started(bob).pk, log=log)
    submission = aside.start_and_hold_uncommitted(submit)
    voiding = aside.start(partial(void_run, run_id=run.pk, reason=WHY, by=None))
    aside.wait_until_waiting()  # and now the commit looks whether the copied run is still there
    aside.go.set()
    assert submission.result() == (Run.objects.get(player=bob), True)
    assert voiding.result() == run


def test_voiding_a_run_keeps_no_submission_waiting(
    challenge: Challenge, ann: Player, bob: Player, aside: Aside
) -> None:
    run, attempt = record(ann, challenge, cleared=5, elapsed_ms=1), started(bob)
    voiding = aside.start_and_hold(
        partial(void_run, run_id=run.pk, reason=WHY, by=None), "leaderboard.ledger.discount"
    )
    submission = aside.start(partial(submit_run, player=bob, attempt_id=attempt.pk, log=["D"]))
    assert submission.result(timeout=5) == (Run.objects.get(player=bob), True)
    aside.go.set()
    assert voiding.result() == run
    assert_books_balance()


def test_submissions_and_corrections_at_once_all_happen(challenge: Challenge, clock: FrozenClock) -> None:
    before = make_challenge(DAY - timedelta(days=1))
    players = [make_player(f"player {number}") for number in range(6)]
    runs = [record(player, before, cleared=0, elapsed_ms=1) for player in players]
    attempts = [started(player) for player in players]
    for run in runs[3:]:
        void_run(run_id=run.pk, reason=WHY, by=None)
    calls: list[Callable[[], object]] = [
        partial(submit_run, player=attempt.player, attempt_id=attempt.pk, log=["D"]) for attempt in attempts
    ]
    calls += [partial(void_run, run_id=run.pk, reason=WHY, by=None) for run in runs[:3]]
    calls += [partial(reinstate_run, run_id=run.pk, reason=WHY, by=None) for run in runs[3:]]
    at_once(calls)
    assert Run.objects.counting().count() == 9
    assert_books_balance()


def test_a_correction_made_twice_at_once_is_made_once(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    run = record(ann, challenge, cleared=5, elapsed_ms=1)
    end_day(challenge, clock)
    settle_due(clock.now())
    answers = at_once([partial(void_run, run_id=run.pk, reason=WHY, by=None)] * 4)
    assert sum(isinstance(answer, Run) for answer in answers) == 1
    assert Settlement.objects.count() == 2
    assert_books_balance()


def test_corrections_of_a_settled_day_at_once_are_a_revision_each(
    challenge: Challenge, clock: FrozenClock
) -> None:
    runs = [
        record(make_player(f"player {number}"), challenge, cleared=9, elapsed_ms=1) for number in range(4)
    ]
    end_day(challenge, clock)
    settle_due(clock.now())
    at_once([partial(void_run, run_id=run.pk, reason=WHY, by=None) for run in runs])
    assert sorted(Settlement.objects.values_list("revision", "field_size")) == [
        (1, 4), (2, 3), (3, 2), (4, 1), (5, 0)
    ]  # fmt: skip
    assert_books_balance()


def test_voiding_a_day_waits_for_a_submission_that_is_being_recorded(
    challenge: Challenge, ann: Player, aside: Aside
) -> None:
    attempt = started(ann)
    submit = partial(submit_run, player=ann, attempt_id=attempt.pk, log=["D"])
    submission = aside.start_and_hold_uncommitted(submit)
    voiding = aside.start(partial(void_day, challenge=challenge, reason=WHY, by=None))
    aside.wait_until_waiting()
    aside.go.set()
    assert submission.result() == (Run.objects.get(), True)
    assert voiding.result() is None
    assert Run.objects.get().unranked_reason == Unranked.DAY_VOIDED
    assert standings.page_after(BOARD, None, 10).field_size == 0
    assert_books_balance()


def test_a_submission_that_meets_the_voiding_of_its_day_is_unranked(
    challenge: Challenge, ann: Player, aside: Aside
) -> None:
    attempt = started(ann)
    submit = partial(submit_run, player=ann, attempt_id=attempt.pk, log=["D"])
    submission = aside.start_and_hold(submit, "leaderboard.services.daily.judge")
    void_day(challenge=challenge, reason=WHY, by=None)
    aside.go.set()
    assert submission.result() == (Run.objects.get(), True)
    assert Run.objects.get().unranked_reason == Unranked.DAY_VOIDED
    assert standings.page_after(BOARD, None, 10).field_size == 0


def test_a_day_voided_under_many_submissions_is_empty(challenge: Challenge, clock: FrozenClock) -> None:
    attempts = [started(make_player(f"player {number}")) for number in range(10)]
    calls: list[Callable[[], object]] = [
        partial(submit_run, player=attempt.player, attempt_id=attempt.pk, log=["D"]) for attempt in attempts
    ]
    calls.insert(5, partial(void_day, challenge=challenge, reason=WHY, by=None))
    at_once(calls)
    assert Run.objects.filter(unranked_reason=Unranked.DAY_VOIDED).count() == 10
    assert standings.page_after("all-time", None, 10).field_size == 0
    assert_books_balance()


def test_days_of_one_week_are_voided_at_once(challenge: Challenge, clock: FrozenClock, aside: Aside) -> None:
    """The two meet half-way: a third holds both up at the player in the middle of the week's board."""
    other, third = (make_challenge(DAY + timedelta(days=ahead)) for ahead in (1, 2))
    players = [make_player(f"player {number:02}") for number in range(12)]
    for day, order in ((challenge, players), (other, players[::-1])):
        for player in order:
            record(player, day, cleared=7, elapsed_ms=1)
    run = record(players[6], third, cleared=7, elapsed_ms=1)
    voiding = aside.start_and_hold(
        partial(void_run, run_id=run.pk, reason=WHY, by=None), "leaderboard.ledger.discount"
    )
    days = [aside.start(partial(void_day, challenge=day, reason=WHY, by=None)) for day in (challenge, other)]
    aside.wait_until_waiting(2)
    aside.go.set()
    assert voiding.result() == run
    assert [day.result() for day in days] == [None, None]
    assert standings.page_after("all-time", None, 10).field_size == 0
    assert_books_balance()
