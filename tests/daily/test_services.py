"""Starting and judging: one attempt, one clock, one answer."""

from datetime import timedelta
from uuid import uuid4

import pytest

from daily.errors import AlreadySubmitted, DeadlinePassed, IllegalLog, NotOpen
from daily.models import Attempt, Challenge, Run
from daily.services import keep_checkpoint, start_attempt
from leaderboard.services import submit_run
from players.models import Player
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, started


def test_starting_gives_an_hour_from_the_moment_of_asking(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt, is_new = start_attempt(player=ann)
    assert is_new
    assert attempt.challenge == challenge
    assert attempt.started_at == clock.moment
    assert attempt.deadline_at == clock.moment + timedelta(minutes=60)


def test_starting_again_gives_the_same_attempt(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    first, _ = start_attempt(player=ann)
    clock.advance(minutes=5)
    again, is_new = start_attempt(player=ann, day=DAY)
    assert not is_new
    assert (again.pk, again.started_at, again.deadline_at) == (first.pk, first.started_at, first.deadline_at)


def test_each_player_has_an_own_attempt(challenge: Challenge, ann: Player, bob: Player) -> None:
    assert started(ann).pk != started(bob).pk


@pytest.mark.parametrize("late", [timedelta(), timedelta(hours=5)])
def test_no_attempt_starts_once_the_day_is_over(
    challenge: Challenge, ann: Player, clock: FrozenClock, late: timedelta
) -> None:
    clock.moment = challenge.closes_at + late
    with pytest.raises(NotOpen):
        start_attempt(player=ann, day=DAY)
    assert not Attempt.objects.exists()


def test_the_last_moment_of_the_day_still_starts(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    clock.moment = challenge.closes_at - timedelta(microseconds=1)
    assert start_attempt(player=ann)[1]


def test_an_attempt_is_given_back_after_midnight(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    clock.moment = challenge.closes_at - timedelta(minutes=1)
    first = started(ann)
    clock.advance(minutes=2)
    assert start_attempt(player=ann, day=DAY) == (first, False)


def test_a_coming_day_does_not_start(challenge: Challenge, ann: Player) -> None:
    with pytest.raises(NotOpen):
        start_attempt(player=ann, day=DAY + timedelta(days=1))


def test_a_day_that_is_not_scheduled_does_not_exist(challenge: Challenge, ann: Player) -> None:
    with pytest.raises(Challenge.DoesNotExist):
        start_attempt(player=ann, day=DAY + timedelta(days=300))


def test_the_first_player_of_a_missing_day_makes_it(db: None, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    assert attempt.challenge.date == DAY
    assert len(attempt.challenge.deck.split()) == 52


def test_a_legal_log_becomes_a_run(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    clock.advance(seconds=192, milliseconds=345)
    log = greedy_log(challenge, 10)
    run, is_new = submit_run(player=ann, attempt_id=attempt.pk, log=log)
    assert is_new
    assert run.cleared >= 10
    assert run.elapsed_ms == 192_345
    assert run.log == log
    assert run.submitted_at == clock.moment
    assert (run.rank, run.beaten, run.field_size) == (1, 0, 1)


def test_an_empty_log_is_a_run_that_cleared_nothing(challenge: Challenge, ann: Player) -> None:
    run, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=[])
    assert (run.cleared, run.won, run.moves, run.log) == (0, False, 0, [])


def test_the_same_log_again_is_the_same_run(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt, log = started(ann), greedy_log(challenge, 4)
    first, _ = submit_run(player=ann, attempt_id=attempt.pk, log=log)
    clock.advance(hours=3)
    again, is_new = submit_run(player=ann, attempt_id=attempt.pk, log=log)
    assert not is_new
    assert (again.pk, again.submitted_at, again.elapsed_ms) == (
        first.pk,
        first.submitted_at,
        first.elapsed_ms,
    )


def test_another_log_is_refused_and_changes_nothing(challenge: Challenge, ann: Player) -> None:
    attempt, log = started(ann), greedy_log(challenge, 4)
    submit_run(player=ann, attempt_id=attempt.pk, log=log)
    with pytest.raises(AlreadySubmitted):
        submit_run(player=ann, attempt_id=attempt.pk, log=[*log, "D"])
    assert Run.objects.get().log == log


def test_an_illegal_log_is_refused_and_the_attempt_stays_open(challenge: Challenge, ann: Player) -> None:
    attempt = started(ann)
    with pytest.raises(IllegalLog) as refused:
        submit_run(player=ann, attempt_id=attempt.pk, log=["D", "R"])
    assert refused.value.extra == {"move_index": 1, "move": "R", "reason": "stock_not_empty"}
    assert not Run.objects.exists()
    assert submit_run(player=ann, attempt_id=attempt.pk, log=["D"])[1]


def test_the_deadline_itself_is_in_time(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    clock.moment = attempt.deadline_at
    run, _ = submit_run(player=ann, attempt_id=attempt.pk, log=[])
    assert run.elapsed_ms == 3_600_000


def test_after_the_deadline_nothing_is_accepted(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    clock.moment = attempt.deadline_at + timedelta(microseconds=1)
    with pytest.raises(DeadlinePassed):
        submit_run(player=ann, attempt_id=attempt.pk, log=[])


def test_a_submission_after_midnight_counts_for_the_day_it_started(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    clock.moment = challenge.closes_at - timedelta(seconds=1)
    attempt = started(ann)
    clock.advance(minutes=59)
    run, _ = submit_run(player=ann, attempt_id=attempt.pk, log=[])
    assert run.challenge_id == DAY


def test_a_clock_that_steps_back_makes_no_negative_time(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    clock.advance(minutes=-5)
    assert submit_run(player=ann, attempt_id=attempt.pk, log=[])[0].elapsed_ms == 0


def test_a_clock_that_steps_back_forgets_no_time_that_a_checkpoint_took(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    clock.advance(minutes=3)
    keep_checkpoint(player=ann, attempt_id=attempt.pk, log=["D"])
    clock.advance(minutes=-5)
    assert submit_run(player=ann, attempt_id=attempt.pk, log=["D"])[0].elapsed_ms == 180_000


def test_nobody_submits_for_another(challenge: Challenge, ann: Player, bob: Player) -> None:
    attempt = started(ann)
    with pytest.raises(Attempt.DoesNotExist):
        submit_run(player=bob, attempt_id=attempt.pk, log=[])


def test_an_unknown_attempt_does_not_exist(challenge: Challenge, ann: Player) -> None:
    with pytest.raises(Attempt.DoesNotExist):
        submit_run(player=ann, attempt_id=uuid4(), log=[])


def test_the_time_bonus_of_cover_pairs_is_for_a_win_only(ann: Player, clock: FrozenClock, db: None) -> None:
    challenge = make_challenge(DAY, rules="cover-pairs")
    attempt = started(ann)
    clock.advance(seconds=100)
    log = greedy_log(challenge, 6)
    run, _ = submit_run(player=ann, attempt_id=attempt.pk, log=log)
    assert not run.won
    assert run.points < 900
