"""The days with their figures, as the API and the pages show them."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries, Settings

from daily.models import Challenge
from leaderboard.corrections import void_run
from leaderboard.days import Day, neighbours_of, read_day, tallies_of, with_figures
from leaderboard.settling import settle
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player, record, started


def days() -> list[Day]:
    """All days, newest first."""
    return list(with_figures(Challenge.objects.all()))


def test_a_day_nobody_played_counts_to_nothing(challenge: Challenge) -> None:
    [day] = days()
    assert (day.attempt_count, day.run_count, tallies_of(day).distribution) == (0, 0, [0] * 29)


def test_attempts_runs_and_results_are_counted_day_by_day(
    challenge: Challenge, ann: Player, bob: Player
) -> None:
    other = make_challenge(DAY - timedelta(days=1))
    record(ann, other, cleared=9, elapsed_ms=1)
    record(ann, challenge, cleared=20, elapsed_ms=1)
    record(make_player("carl"), challenge, cleared=28, elapsed_ms=1)
    started(bob)
    today, before = days()
    assert (today.attempt_count, today.run_count) == (3, 2)
    assert {cleared: n for cleared, n in enumerate(tallies_of(today).distribution) if n} == {20: 1, 28: 1}
    assert (before.attempt_count, before.run_count, tallies_of(before).distribution[9]) == (1, 1, 1)


def test_a_voided_run_is_a_run_without_a_result(challenge: Challenge, ann: Player) -> None:
    void_run(
        run_id=record(ann, challenge, cleared=20, elapsed_ms=1).pk, reason="played by a program", by=None
    )
    [day] = days()
    assert (day.run_count, sum(tallies_of(day).distribution)) == (1, 0)


def test_a_settled_day_keeps_its_counts_and_shows_its_corrections(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=1)
    started(bob)
    clock.advance(days=2)
    settle(DAY, clock.moment)
    void_run(run_id=run.pk, reason="played by a program", by=None)
    [day] = days()
    assert (day.attempt_count, day.run_count, sum(tallies_of(day).distribution)) == (2, 1, 0)


def test_an_attempt_is_counted_once_however_often_it_is_started(challenge: Challenge, ann: Player) -> None:
    started(ann)
    started(ann)
    [day] = days()
    assert (day.attempt_count, day.run_count) == (1, 0)


def test_counting_is_undone_with_what_is_counted(challenge: Challenge, ann: Player) -> None:
    with suppress(ZeroDivisionError), transaction.atomic():
        record(ann, challenge, cleared=20, elapsed_ms=1)
        raise ZeroDivisionError
    [day] = days()
    assert (day.attempt_count, day.run_count) == (0, 0)


def test_many_players_are_counted_in_several_rows_and_summed(challenge: Challenge) -> None:
    for number in range(20):
        record(make_player(f"player {number}"), challenge, cleared=number, elapsed_ms=1)
    [day] = days()
    assert (day.attempt_count, day.run_count) == (20, 20)
    assert challenge.turnouts.count() == 16


def test_the_first_reader_of_a_day_makes_it(db: None, clock: FrozenClock) -> None:
    assert read_day(DAY, clock.moment).attempt_count == 0
    with pytest.raises(Challenge.DoesNotExist):
        read_day(DAY - timedelta(days=1), clock.moment)


def test_the_first_reader_of_a_finished_day_finds_it_settled(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    day = read_day(DAY, clock.moment + timedelta(days=2))
    assert not day.is_settled  # the reader's clock was wrong
    clock.advance(days=2)
    day = read_day(DAY, clock.moment)
    assert (day.is_settled, day.attempt_count, tallies_of(day).distribution[20]) == (True, 1, 1)


def test_reading_days_costs_one_query(
    challenge: Challenge,
    clock: FrozenClock,
    settings: Settings,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    make_challenge(DAY - timedelta(days=1))
    with django_assert_num_queries(1):
        read_day(DAY, clock.moment)
    with django_assert_num_queries(1):
        assert [sum(tallies_of(day).distribution) for day in days()] == [0, 0]


def test_the_days_beside_a_day_are_those_with_a_challenge(challenge: Challenge) -> None:
    before, after = make_challenge(DAY - timedelta(days=3)), make_challenge(DAY + timedelta(days=2))
    assert neighbours_of(DAY) == (before.date, after.date)
    assert neighbours_of(before.date) == (None, DAY)
    assert neighbours_of(after.date) == (DAY, None)
