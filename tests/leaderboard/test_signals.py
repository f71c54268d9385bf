"""What is noticed about a run, and that nothing comes of it by itself."""

from datetime import timedelta
from random import Random

import pytest
from pytest_django import DjangoAssertNumQueries

from daily.models import Challenge, Run
from leaderboard import standings
from leaderboard.boards import day_board
from leaderboard.bots import fill_today
from leaderboard.corrections import dismiss_signals, reinstate_run, void_run
from leaderboard.models import Signal
from leaderboard.services import submit_run
from players.models import Player
from tests.cast import DAY, FrozenClock, greedy_log, make_player, record, started

BOARD = day_board(DAY)
KINDS = Signal.Kind


def play(player: Player, log: list[str], clock: FrozenClock, **span: float) -> Run:
    """The run of a player who takes so long for this log."""
    attempt = started(player)
    clock.advance(**span)
    return submit_run(player=player, attempt_id=attempt.pk, log=log)[0]


def kinds(run: Run) -> list[str]:
    return list(run.signals.order_by("kind").values_list("kind", flat=True))


def under_review(limit: int = 50) -> list[str]:
    return [row.entry.player for row in standings.page_after(BOARD, None, limit).rows if row.under_review]


@pytest.mark.parametrize(("milliseconds", "is_noticed"), [(1249, True), (1250, False), (0, True)])
def test_more_than_8_moves_a_second_are_noticed(
    challenge: Challenge, ann: Player, clock: FrozenClock, milliseconds: int, is_noticed: bool
) -> None:
    run = play(ann, ["D"] * 10, clock, milliseconds=milliseconds)
    assert kinds(run) == ([KINDS.TOO_FAST] if is_noticed else [])


def test_moves_that_were_undone_took_time_too(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    assert kinds(play(ann, ["D", "U"] * 5, clock, seconds=1)) == [KINDS.TOO_FAST]


def test_an_empty_log_is_never_too_fast(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    assert kinds(play(ann, [], clock)) == []


@pytest.mark.parametrize(
    ("cleared", "elapsed_ms", "is_noticed"), [(28, 14_999, 1), (28, 15_000, 0), (27, 9, 0)]
)
def test_a_full_clear_in_under_15_seconds_is_noticed(
    challenge: Challenge, ann: Player, cleared: int, elapsed_ms: int, is_noticed: int
) -> None:
    run = record(ann, challenge, cleared=cleared, elapsed_ms=elapsed_ms)
    assert kinds(run) == [KINDS.QUICK_CLEAR] * is_noticed


def test_the_log_of_an_earlier_finisher_is_noticed_with_whose_it_is(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    log = greedy_log(challenge, 14)
    original = play(ann, log, clock, minutes=5)
    clock.advance(microseconds=1)
    copy = play(bob, log, clock, minutes=5)
    assert kinds(original) == []
    assert Signal.objects.get().other == original
    assert kinds(copy) == [KINDS.SAME_LOG]


def test_a_copy_with_detours_and_turned_pairs_is_noticed(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    log = greedy_log(challenge, 14)
    play(ann, log, clock, minutes=5)
    clock.advance(minutes=1)
    turned = [move[2:] + move[:2] if len(move) == 4 else move for move in log]
    assert kinds(play(bob, ["D", "U", *turned], clock, minutes=5)) == [KINDS.SAME_LOG]


def test_who_had_started_by_then_may_have_found_the_same(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    log = greedy_log(challenge, 14)
    attempt = started(bob)
    play(ann, log, clock, minutes=5)
    clock.advance(minutes=5)
    run, _ = submit_run(player=bob, attempt_id=attempt.pk, log=log)
    assert kinds(run) == []


@pytest.mark.parametrize(("moves", "is_noticed"), [(19, 0), (20, 1)])
def test_short_logs_may_be_the_same(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock, moves: int, is_noticed: int
) -> None:
    log = ["D"] * moves
    play(ann, log, clock, minutes=5)
    clock.advance(minutes=1)
    assert kinds(play(bob, log, clock, minutes=5)) == [KINDS.SAME_LOG] * is_noticed


def test_a_detour_makes_no_log_long(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    log = ["D"] * 19 + ["U", "D"]
    play(ann, log, clock, minutes=5)
    clock.advance(minutes=1)
    assert kinds(play(bob, log, clock, minutes=5)) == []


def test_what_was_noticed_punishes_nobody(challenge: Challenge, ann: Player, bob: Player) -> None:
    record(bob, challenge, cleared=28, elapsed_ms=60_000)
    run = record(ann, challenge, cleared=28, elapsed_ms=9_000)
    assert run.counts
    assert [row.entry.player for row in standings.page_after(BOARD, None, 5).rows] == ["ann", "bob"]


def test_the_bots_of_a_first_look_are_not_suspicious(challenge: Challenge, clock: FrozenClock) -> None:
    fill_today(40, Random(20261130))
    assert not Signal.objects.exists()


# --- Under review


def test_a_noticed_run_near_the_top_is_under_review_until_an_admin_decides(
    challenge: Challenge, ann: Player, bob: Player
) -> None:
    dismissed = record(ann, challenge, cleared=28, elapsed_ms=9_000)
    voided = record(bob, challenge, cleared=28, elapsed_ms=9_500)
    assert under_review() == ["ann", "bob"]
    dismiss_signals(run_id=dismissed.pk, reason="I know her.", by=None)
    assert under_review() == ["bob"]
    void_run(run_id=voided.pk, reason="A program.", by=None)
    reinstate_run(run_id=voided.pk, reason="It was not.", by=None)
    assert under_review() == []


def test_only_the_top_10_are_under_review(challenge: Challenge) -> None:
    for number in range(12):
        record(make_player(f"p{number:02}"), challenge, cleared=28, elapsed_ms=1_000 + number)
    assert under_review() == [f"p{number:02}" for number in range(10)]


def test_sums_of_longer_periods_are_not_under_review(challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=28, elapsed_ms=9_000)
    assert not standings.page_after("all-time", None, 5).rows[0].under_review


def test_telling_what_is_under_review_takes_no_query_of_its_own(
    challenge: Challenge, ann: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    record(ann, challenge, cleared=28, elapsed_ms=9_000)
    page = standings.page_after(BOARD, None, 5)
    with django_assert_num_queries(0):
        assert page.rows[0].under_review


def test_one_run_has_a_signal_of_each_kind(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    log = greedy_log(challenge, 14)
    play(ann, log, clock, minutes=5)
    clock.moment += timedelta(minutes=1)
    assert kinds(play(bob, log, clock, seconds=1)) == [KINDS.SAME_LOG, KINDS.TOO_FAST]
