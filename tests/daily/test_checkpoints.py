"""Keeping the log so far: judged like a submission, worth what was kept last, good for going on elsewhere."""

from datetime import timedelta

import pytest
from django.conf import settings

from daily.errors import AlreadySubmitted, DeadlinePassed, IllegalLog, TooSoon
from daily.models import Attempt, Challenge
from daily.services import keep_checkpoint, start_attempt
from leaderboard.services import submit_run
from players.models import Player
from tests.cast import FrozenClock, greedy_log, started


def kept(player: Player, attempt: Attempt, log: list[str]) -> Attempt:
    return keep_checkpoint(player=player, attempt_id=attempt.pk, log=log)


def rest(clock: FrozenClock) -> None:
    """Let the interval between two checkpoints pass."""
    clock.moment += settings.CHECKPOINT_INTERVAL


def test_starting_again_gives_back_what_was_kept(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt, log = started(ann), greedy_log(challenge, 4)
    assert attempt.checkpoint == []
    assert kept(ann, attempt, log).checkpoint == log
    clock.advance(minutes=20)
    again, is_new = start_attempt(player=ann)
    assert (again.checkpoint, again.started_at, is_new) == (log, attempt.started_at, False)


def test_the_last_checkpoint_is_the_one_that_counts(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    kept(ann, attempt, greedy_log(challenge, 4))
    rest(clock)
    kept(ann, attempt, ["D"])
    assert Attempt.objects.get().checkpoint == ["D"]
    assert Attempt.objects.get().checkpoint_at == clock.moment


def test_a_checkpoint_has_to_be_legal(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    kept(ann, attempt, ["D"])
    rest(clock)
    with pytest.raises(IllegalLog) as refused:
        kept(ann, attempt, ["D", "R"])
    assert refused.value.extra == {"move_index": 1, "move": "R", "reason": "stock_not_empty"}
    assert Attempt.objects.get().checkpoint == ["D"]


def test_a_checkpoint_right_after_another_is_told_how_long_to_wait(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    kept(ann, attempt, ["D"])
    clock.advance(seconds=1)
    with pytest.raises(TooSoon, match="available in 2 seconds"):
        kept(ann, attempt, ["D", "D"])
    assert Attempt.objects.get().checkpoint == ["D"]
    clock.advance(seconds=2)
    assert kept(ann, attempt, ["D", "D"]).checkpoint == ["D", "D"]


def test_what_is_kept_already_may_be_sent_again_at_once(challenge: Challenge, ann: Player) -> None:
    attempt = started(ann)
    first = kept(ann, attempt, ["D"])
    assert kept(ann, attempt, ["D"]).checkpoint_at == first.checkpoint_at


def test_an_empty_log_is_kept_too(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    kept(ann, attempt, [])
    assert Attempt.objects.get().checkpoint_at == clock.moment


def test_the_deadline_itself_is_in_time(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    clock.moment = attempt.deadline_at
    assert kept(ann, attempt, ["D"]).checkpoint == ["D"]


def test_after_the_deadline_nothing_is_kept(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    clock.moment = attempt.deadline_at + timedelta(microseconds=1)
    with pytest.raises(DeadlinePassed):
        kept(ann, attempt, ["D"])
    assert Attempt.objects.get().checkpoint_at is None


def test_after_the_submission_nothing_is_kept(challenge: Challenge, ann: Player) -> None:
    attempt = started(ann)
    submit_run(player=ann, attempt_id=attempt.pk, log=[])
    with pytest.raises(AlreadySubmitted):
        kept(ann, attempt, ["D"])


def test_nobody_keeps_anything_for_another(challenge: Challenge, ann: Player, bob: Player) -> None:
    attempt = started(ann)
    with pytest.raises(Attempt.DoesNotExist):
        kept(bob, attempt, ["D"])


def test_a_submission_may_differ_from_what_was_kept(challenge: Challenge, ann: Player) -> None:
    attempt, log = started(ann), greedy_log(challenge, 4)
    kept(ann, attempt, log)
    run, is_new = submit_run(player=ann, attempt_id=attempt.pk, log=["D"])
    assert (run.log, run.is_from_checkpoint, is_new) == (["D"], False, True)
