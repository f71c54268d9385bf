"""A run as its player and as others see it."""

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from daily.models import Challenge, Run, Unranked
from leaderboard.corrections import void_day, void_run
from leaderboard.models import Signal
from leaderboard.runs import SeenRun, find_run, read_run
from leaderboard.scoring import Place
from leaderboard.services import repair
from leaderboard.settling import settle
from players.models import Player
from tests.cast import DAY, NOON, FrozenClock, make_player, record


@pytest.fixture
def run(challenge: Challenge, ann: Player) -> Run:
    """Ann's run."""
    return record(ann, challenge, cleared=20, elapsed_ms=60_000)


def seen(run: Run, viewer: Player | None) -> SeenRun:
    return read_run(find_run(run.pk), viewer=viewer, now=NOON)


def test_a_player_may_know_all_about_their_run_and_others_once_the_day_is_settled(
    run: Run, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    assert [seen(run, viewer).is_revealed for viewer in (ann, bob, None)] == [True, False, False]
    clock.advance(days=2)
    settle(DAY, clock.moment)
    assert [seen(run, viewer).is_revealed for viewer in (ann, bob, None)] == [True, True, True]


def test_who_looks_at_a_run_of_a_day_that_is_over_settles_it(run: Run, clock: FrozenClock) -> None:
    clock.advance(days=2)
    assert read_run(find_run(run.pk), viewer=None, now=clock.moment).is_revealed


def test_a_run_is_worth_what_it_is_worth_by_now(run: Run, challenge: Challenge, bob: Player) -> None:
    assert seen(run, bob).place == Place(1, 0, 1)
    record(bob, challenge, cleared=28, elapsed_ms=1)
    assert seen(run, bob).place == Place(2, 0, 2)


def test_an_unranked_run_shows_where_it_would_stand(run: Run, challenge: Challenge, bob: Player) -> None:
    Run.objects.filter(pk=run.pk).update(unranked_reason=Unranked.NO_ACCOUNT)
    record(bob, challenge, cleared=28, elapsed_ms=1)
    place = seen(run, bob).place
    assert place
    assert place.rank == 2


def test_that_a_run_was_voided_is_told_to_all_and_why_to_its_player(
    run: Run, ann: Player, bob: Player
) -> None:
    void_run(run_id=run.pk, reason="Played twice.", by=None)
    own, others = seen(run, ann), seen(run, bob)
    assert own.run.voided_at == others.run.voided_at == NOON
    assert (own.void_reason, others.void_reason) == ("Played twice.", "")
    assert (own.place, others.place) == (None, None)


def test_a_run_of_a_voided_day_stands_nowhere(run: Run, challenge: Challenge, ann: Player) -> None:
    void_day(challenge=challenge, reason="Leaked.", by=None)
    assert seen(run, ann).place is None


def test_a_top_run_is_under_review_until_somebody_decides(
    run: Run, challenge: Challenge, bob: Player
) -> None:
    Signal.objects.create(run=run, kind=Signal.Kind.TOO_FAST, noticed_at=NOON)
    assert seen(run, bob).is_under_review
    Signal.objects.update(decided_at=NOON)
    assert not seen(run, bob).is_under_review


def test_only_top_runs_are_shown_to_be_under_review(run: Run, challenge: Challenge, bob: Player) -> None:
    Signal.objects.create(run=run, kind=Signal.Kind.TOO_FAST, noticed_at=NOON)
    for number in range(9):
        record(make_player(f"rival {chr(97 + number)}"), challenge, cleared=28, elapsed_ms=number)
    assert seen(run, bob).is_under_review
    record(make_player("rival z"), challenge, cleared=28, elapsed_ms=10)
    assert not seen(run, bob).is_under_review


def test_an_unranked_run_is_not_under_review(run: Run, bob: Player) -> None:
    Signal.objects.create(run=run, kind=Signal.Kind.TOO_FAST, noticed_at=NOON)
    Run.objects.filter(pk=run.pk).update(unranked_reason=Unranked.NO_ACCOUNT)
    assert not seen(run, bob).is_under_review


@pytest.mark.redis
def test_looking_at_a_run_costs_one_query(
    run: Run, bob: Player, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    repair("2026-11-30")
    with django_assert_num_queries(1):
        seen(run, bob)
