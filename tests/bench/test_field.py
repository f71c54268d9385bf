"""A field of runs, made past the doors, has to be like one that came through them."""

from random import Random

import pytest
from django.core.management import call_command
from django.db.models import F, Max, Min, Sum

from bench.agreement import different_boards, is_index_whole
from bench.field import fill_board
from daily import clock
from daily.models import Attempt, Challenge, Run, Turnout
from leaderboard.boards import ALL_TIME, boards_of
from leaderboard.models import Standing
from leaderboard.queries import tallies
from tests.cast import make_challenge

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres, pytest.mark.redis]
NUMBER = 300


@pytest.fixture
def day() -> Challenge:
    """The day that is open by the server's clock."""
    return make_challenge(clock.now().date())


def results() -> list[tuple[int, int, int]]:
    """What each player came to."""
    return list(Run.objects.order_by("player_id").values_list("cleared", "elapsed_ms", "line_hash"))


def test_all_that_is_derived_from_runs_is_there(day: Challenge) -> None:
    fill_board(NUMBER, Random(1))
    runs = Run.objects.filter(player=F("attempt__player"), challenge=F("attempt__challenge"))
    assert runs.count() == Attempt.objects.count() == NUMBER
    assert Turnout.objects.aggregate(Sum("attempts"), Sum("runs")) == {
        "attempts__sum": NUMBER,
        "runs__sum": NUMBER,
    }
    for board in boards_of(day.date):
        assert Standing.objects.filter(board=board).count() == NUMBER
        assert sum(tallies(board).distribution) == NUMBER
    assert is_index_whole({day.date})
    assert not different_boards({day.date})


def test_the_results_are_random_and_the_same_again_by_their_seed(day: Challenge) -> None:
    fill_board(NUMBER, Random(1))
    once = results()
    spread = Run.objects.aggregate(Min("cleared"), Max("cleared"), Min("elapsed_ms"), Max("elapsed_ms"))
    assert (spread["cleared__min"], spread["cleared__max"]) == (0, 28)
    assert 20_000 <= spread["elapsed_ms__min"] < 60_000 < 3_500_000 < spread["elapsed_ms__max"] <= 3_600_000
    assert len(set(once)) == NUMBER
    call_command("flush", interactive=False, verbosity=0)
    make_challenge(day.date)
    fill_board(NUMBER, Random(1))
    assert results() == once


def test_no_runs_are_no_board(day: Challenge) -> None:
    fill_board(0, Random(1))
    assert not Standing.objects.filter(board=ALL_TIME).exists()
