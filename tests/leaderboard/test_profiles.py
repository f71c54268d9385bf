"""A profile tells what a player has done, and nothing that would help on an open day."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from daily.models import Attempt, Challenge, Run, Unranked
from leaderboard.corrections import reinstate_run, void_day, void_run
from leaderboard.profiles import Entry, history_after, history_before, profile
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, NOON, make_challenge, make_player, record

ONE_DAY = timedelta(1)
YESTERDAY, DAY_BEFORE = DAY - ONE_DAY, DAY - 2 * ONE_DAY


def play(
    player: Player, day: date, *, cleared: int, elapsed_ms: int = 60_000, best_clear: int | None = 28
) -> Run:
    """A run on a day that is made for it when it is missing."""
    if not Challenge.objects.filter(date=day).update(best_clear=best_clear):
        make_challenge(day)
        Challenge.objects.filter(date=day).update(best_clear=best_clear)
    return record(player, Challenge.objects.get(date=day), cleared=cleared, elapsed_ms=elapsed_ms)


def test_a_new_player_has_an_empty_profile(ann: Player) -> None:
    empty = profile(ann, NOON)
    assert (empty.runs, empty.days_played, empty.wins, empty.streaks) == (0, 0, 0, (0, 0))
    assert empty.distribution == [0] * 29
    assert (empty.average_cleared, empty.most_cleared, empty.fastest_clear_ms) == (None, None, None)
    assert (empty.average_share, empty.best_share, empty.best_rank) == (None, None, None)


def test_figures_are_taken_over_every_run(clock: object, ann: Player, bob: Player) -> None:
    play(ann, DAY_BEFORE, cleared=28, elapsed_ms=300_000)
    play(ann, YESTERDAY, cleared=28, elapsed_ms=200_000)
    play(ann, DAY, cleared=10, elapsed_ms=100_000)
    play(bob, DAY, cleared=3, elapsed_ms=1)
    found = profile(ann, NOON)
    assert (found.runs, found.days_played, found.wins, found.streaks) == (3, 3, 2, (3, 3))
    assert {cleared: n for cleared, n in enumerate(found.distribution) if n} == {10: 1, 28: 2}
    assert (found.average_cleared, found.most_cleared, found.fastest_clear_ms) == (22, 28, 200_000)


def test_the_fastest_clear_is_of_the_whole_pyramid(clock: object, ann: Player) -> None:
    play(ann, DAY, cleared=27, elapsed_ms=1)
    assert profile(ann, NOON).fastest_clear_ms is None


def test_shares_are_of_what_the_best_play_clears(clock: object, ann: Player) -> None:
    play(ann, DAY_BEFORE - ONE_DAY, cleared=7, best_clear=28)
    play(ann, DAY_BEFORE, cleared=15, best_clear=20)
    settle_due(NOON)
    assert profile(ann, NOON).average_share == pytest.approx(0.5)
    assert profile(ann, NOON).best_share == pytest.approx(0.75)


@pytest.mark.parametrize("best_clear", [None, 0])
def test_a_day_without_a_known_or_possible_clear_has_no_share(
    clock: object, ann: Player, best_clear: int | None
) -> None:
    play(ann, DAY_BEFORE - ONE_DAY, cleared=7, best_clear=28)
    play(ann, DAY_BEFORE, cleared=0, best_clear=best_clear)
    settle_due(NOON)
    assert (profile(ann, NOON).average_share, profile(ann, NOON).best_share) == (0.25, 0.25)


def test_shares_of_a_day_are_kept_back_until_it_is_settled(clock: object, ann: Player) -> None:
    play(ann, YESTERDAY, cleared=14, best_clear=28)
    play(ann, DAY, cleared=14, best_clear=28)
    assert (profile(ann, NOON).average_share, profile(ann, NOON).best_share) == (None, None)
    hints = set()
    for best_clear in (14, 20, 28):
        Challenge.objects.update(best_clear=best_clear)
        hints.add(repr(profile(ann, NOON)) + repr(history_after(ann, None, 9, is_own=False)))
    assert len(hints) == 1


@pytest.mark.parametrize("change", [{"is_from_checkpoint": True}, {"unranked_reason": Unranked.NO_ACCOUNT}])
def test_runs_from_checkpoints_and_unranked_ones_count(
    clock: object, ann: Player, change: dict[str, object]
) -> None:
    Run.objects.filter(pk=play(ann, DAY, cleared=9).pk).update(**change)
    assert (profile(ann, NOON).runs, profile(ann, NOON).average_cleared) == (1, 9)


def test_a_voided_run_leaves_every_figure_and_comes_back_when_reinstated(clock: object, ann: Player) -> None:
    play(ann, DAY_BEFORE - ONE_DAY, cleared=7)
    run = play(ann, DAY_BEFORE, cleared=28, elapsed_ms=5)
    settle_due(NOON)
    before = profile(ann, NOON)
    void_run(run_id=run.pk, reason="played by a program", by=None)
    without = profile(ann, NOON)
    assert (without.runs, without.wins, without.most_cleared, without.fastest_clear_ms) == (1, 0, 7, None)
    assert (without.best_share, without.first_places, without.streaks) == (0.25, 1, (0, 1))
    reinstate_run(run_id=run.pk, reason="it was not", by=None)
    assert profile(ann, NOON) == before


def test_a_voided_day_leaves_every_figure(clock: object, ann: Player) -> None:
    play(ann, DAY_BEFORE, cleared=28)
    settle_due(NOON)
    void_day(challenge=Challenge.objects.get(date=DAY_BEFORE), reason="the deal was seen", by=None)
    found = profile(ann, NOON)
    assert (found.runs, found.days_played, found.wins) == (0, 0, 0)
    assert (found.best_share, found.best_rank) == (None, None)


def test_final_ranks_of_settled_days_count(clock: object, ann: Player, bob: Player) -> None:
    for back, rival in ((2, 28), (3, 9), (4, 28)):
        play(ann, DAY - back * ONE_DAY, cleared=20)
        play(bob, DAY - back * ONE_DAY, cleared=rival)
    play(ann, DAY, cleared=20)
    settle_due(NOON)
    assert (profile(ann, NOON).best_rank, profile(ann, NOON).first_places, profile(ann, NOON).top_tens) == (
        1,
        1,
        3,
    )
    assert (profile(bob, NOON).best_rank, profile(bob, NOON).first_places) == (1, 2)


def test_an_eleventh_place_is_no_top_ten(clock: object, ann: Player) -> None:
    for number in range(10):
        play(make_player(f"player {number}"), DAY_BEFORE, cleared=20)
    play(ann, DAY_BEFORE, cleared=19)
    settle_due(NOON)
    assert (profile(ann, NOON).best_rank, profile(ann, NOON).top_tens) == (11, 0)


def test_an_attempt_that_came_to_nothing_is_a_day_played_without_a_run(
    challenge: Challenge, ann: Player
) -> None:
    deadline_at = challenge.opens_at + timedelta(hours=1)
    Attempt.objects.create(
        challenge=challenge, player=ann, started_at=challenge.opens_at, deadline_at=deadline_at
    )
    assert profile(ann, deadline_at).days_played == 0
    assert (profile(ann, NOON).days_played, profile(ann, NOON).runs, profile(ann, NOON).abandoned) == (
        1,
        0,
        1,
    )


def test_an_attempt_at_a_voided_day_counts_for_nothing(challenge: Challenge, ann: Player) -> None:
    deadline_at = challenge.opens_at + timedelta(hours=1)
    Attempt.objects.create(
        challenge=challenge, player=ann, started_at=challenge.opens_at, deadline_at=deadline_at
    )
    void_day(challenge=challenge, reason="the deal was seen", by=None)
    assert profile(ann, NOON).days_played == 0


def test_a_profile_costs_six_queries(
    clock: object, ann: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for back in range(4):
        play(ann, DAY - back * ONE_DAY, cleared=5)
    settle_due(NOON)
    with django_assert_num_queries(6):
        profile(ann, NOON)


def test_history_shows_final_ranks_where_settled_and_present_ones_elsewhere(
    clock: object, ann: Player, bob: Player
) -> None:
    for day in (DAY_BEFORE, DAY):
        play(ann, day, cleared=20)
    play(bob, DAY_BEFORE, cleared=21)
    settle_due(NOON)
    assert shown(history_after(ann, None, 9, is_own=False).entries) == [(DAY, 1, 1), (DAY_BEFORE, 2, 2)]
    play(bob, DAY, cleared=21)
    assert shown(history_after(ann, None, 9, is_own=False).entries) == [(DAY, 2, 2), (DAY_BEFORE, 2, 2)]


def shown(entries: list[Entry]) -> list[tuple[date, int | None, int | None]]:
    """Day, rank and field size of each entry."""
    return [(entry.run.challenge_id, entry.rank, entry.field_size) for entry in entries]


def test_history_follows_a_correction_of_a_settled_day(clock: object, ann: Player, bob: Player) -> None:
    play(ann, DAY_BEFORE, cleared=20)
    rival = play(bob, DAY_BEFORE, cleared=21)
    settle_due(NOON)
    void_run(run_id=rival.pk, reason="played by a program", by=None)
    assert shown(history_after(ann, None, 9, is_own=False).entries) == [(DAY_BEFORE, 1, 1)]


@pytest.mark.parametrize("day", [DAY, DAY_BEFORE])
def test_only_the_player_sees_a_voided_run_and_why(clock: object, ann: Player, day: date) -> None:
    run = play(ann, day, cleared=20)
    settle_due(NOON)
    void_run(run_id=run.pk, reason="played by a program", by=None)
    assert history_after(ann, None, 9, is_own=False).entries == []
    [entry] = history_after(ann, None, 9, is_own=True).entries
    assert (entry.run, entry.rank, entry.field_size) == (run, None, None)
    assert entry.run.void_reason == "played by a program"


def test_a_run_of_a_voided_day_stays_in_the_history_without_a_rank(clock: object, ann: Player) -> None:
    play(ann, DAY_BEFORE, cleared=20)
    settle_due(NOON)
    void_day(challenge=Challenge.objects.get(date=DAY_BEFORE), reason="the deal was seen", by=None)
    [entry] = history_after(ann, None, 9, is_own=False).entries
    assert (entry.rank, entry.field_size) == (None, None)
    assert entry.run.challenge.void_reason == "the deal was seen"


def test_what_was_possible_is_told_to_the_player_at_once_and_to_others_when_settled(
    clock: object, ann: Player
) -> None:
    play(ann, DAY_BEFORE, cleared=20, best_clear=21)
    play(ann, DAY, cleared=20, best_clear=22)
    settle_due(NOON)
    assert [entry.best_clear for entry in history_after(ann, None, 9, is_own=False).entries] == [None, 21]
    assert [entry.best_clear for entry in history_after(ann, None, 9, is_own=True).entries] == [22, 21]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 9])
def test_history_pages_meet_without_gap_or_overlap_both_ways(clock: object, ann: Player, limit: int) -> None:
    days = [DAY - back * ONE_DAY for back in range(5)]
    for day in days:
        play(ann, day, cleared=5)
    forward = list(pages_down(ann, limit))
    assert [day for page in forward for day in page] == days
    assert [len(page) for page in forward[:-1]] == [limit] * (len(forward) - 1)
    assert [day for page in list(pages_up(ann, limit))[::-1] for day in page] == days


def pages_down(player: Player, limit: int) -> Iterator[list[date]]:
    """The days of each page from the newest on, following ``next``."""
    page = history_after(player, None, limit, is_own=False)
    assert page.previous is None
    yield [entry.run.challenge_id for entry in page.entries]
    while page.next:
        page = history_after(player, page.next, limit, is_own=False)
        yield [entry.run.challenge_id for entry in page.entries]


def pages_up(player: Player, limit: int) -> Iterator[list[date]]:
    """The days of each page from the oldest on, following ``previous``."""
    page = history_before(player, date.min, limit, is_own=False)
    assert page.next is None
    yield [entry.run.challenge_id for entry in page.entries]
    while page.previous:
        page = history_before(player, page.previous, limit, is_own=False)
        yield [entry.run.challenge_id for entry in page.entries]


def test_a_new_run_moves_no_page(clock: object, ann: Player) -> None:
    for back in (1, 2, 3, 4):
        play(ann, DAY - back * ONE_DAY, cleared=5)
    first = history_after(ann, None, 2, is_own=False)
    play(ann, DAY, cleared=5)
    second = history_after(ann, first.next, 2, is_own=False)
    assert [back for back, _, _ in shown(second.entries)] == [DAY - 3 * ONE_DAY, DAY - 4 * ONE_DAY]


def test_an_empty_history_leads_nowhere(ann: Player) -> None:
    page = history_after(ann, None, 5, is_own=True)
    assert (page.entries, page.previous, page.next) == ([], None, None)


def test_a_history_page_costs_four_queries_and_two_for_each_unsettled_day(
    clock: object, settings: Settings, ann: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.REDIS_URL = ""
    for back in (0, 2, 3, 4, 5):
        play(ann, DAY - back * ONE_DAY, cleared=5)
    settle_due(NOON)
    with django_assert_num_queries(4 + 2):
        assert len(history_after(ann, None, 9, is_own=True).entries) == 5


def test_no_log_and_no_deal_is_read_for_a_history(challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=5, elapsed_ms=5)
    [entry] = history_after(ann, None, 1, is_own=True).entries
    assert "log_text" in entry.run.get_deferred_fields()
    assert {"deck", "code", "salt", "best_line_text"} <= entry.run.challenge.get_deferred_fields()
