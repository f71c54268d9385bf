"""Streaks: played days in a row, by challenge date, passing over what is not the player's doing."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from pytest_django import DjangoAssertNumQueries

from daily.models import Attempt, Challenge, Run, Unranked
from leaderboard.corrections import reinstate_run, void_day, void_run
from leaderboard.settling import finish_overdue
from leaderboard.streaks import Streaks, streaks, streaks_of
from players.models import Player
from tests.cast import DAY, NOON, FrozenClock, make_challenge, make_player, record, started

ONE_DAY = timedelta(1)
COUNTING = {"submitted", "from checkpoint", "unranked"}
PASSED_OVER = {"no challenge", "voided", "voided but played"}
KINDS = sorted(COUNTING | PASSED_OVER | {"nothing", "voided run", "abandoned"})


def brute_force(kinds: Sequence[str]) -> Streaks:
    """What the days up to today make of streaks: every stretch of days is looked at."""
    last = len(kinds) - 1
    relevant = [
        kind
        for place, kind in enumerate(kinds)
        if kind not in PASSED_OVER and (kind in COUNTING or place != last)
    ]
    stretches = [relevant[i:j] for i in range(len(relevant) + 1) for j in range(i, len(relevant) + 1)]
    whole = [stretch for stretch in stretches if COUNTING.issuperset(stretch)]
    ends = [relevant[i:] for i in range(len(relevant) + 1)]
    return Streaks(
        current=max(len(end) for end in ends if COUNTING.issuperset(end)),
        longest=max(len(stretch) for stretch in whole),
    )


@given(st.lists(st.sampled_from(["submitted", "nothing", "voided"]), max_size=20))
def test_streaks_agree_with_looking_at_every_stretch_of_days(kinds: list[str]) -> None:
    days = {date(2027, 12, 25) + n * ONE_DAY: kind for n, kind in enumerate([*kinds, "voided"])}
    played = {day for day, kind in days.items() if kind == "submitted"}
    missed = {day for day, kind in days.items() if kind == "nothing"}
    assert streaks(played, missed) == brute_force(list(days.values()))


class StoredDays(TestCase):
    """A player's days in the database."""

    @settings(max_examples=20)
    @given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=9))
    def test_streaks_of_a_player_agree_with_looking_at_every_stretch(self, kinds: list[str]) -> None:
        ann, bob = make_player("ann"), make_player("bob")
        for n, kind in enumerate(reversed(kinds)):
            live_through(ann, bob, DAY - n * ONE_DAY, kind)
        assert streaks_of(ann, NOON) == brute_force(kinds)


def live_through(player: Player, rival: Player, day: date, kind: str) -> None:
    """Let the player have this kind of a day, on which the rival plays if there is anything to play."""
    if kind == "no challenge":
        return
    challenge = make_challenge(day)
    record(rival, challenge, cleared=1, elapsed_ms=1)
    if kind == "abandoned":
        begin(player, challenge)
    if kind in COUNTING | {"voided run", "voided but played"}:
        record(player, challenge, cleared=7, elapsed_ms=1000)
    runs = Run.objects.filter(player=player, challenge=challenge)
    match kind:
        case "from checkpoint":
            runs.update(is_from_checkpoint=True)
        case "unranked":
            runs.update(unranked_reason=Unranked.NO_ACCOUNT)
        case "voided run":
            runs.update(voided_at=NOON)
        case "voided" | "voided but played":
            Challenge.objects.filter(date=day).update(voided_at=NOON)


def begin(player: Player, challenge: Challenge) -> Attempt:
    """An attempt begun with the day, with an hour to go."""
    opens_at = challenge.opens_at
    deadline_at = opens_at + timedelta(hours=1)
    return Attempt.objects.create(
        challenge=challenge, player=player, started_at=opens_at, deadline_at=deadline_at
    )


def play(player: Player, *days: date) -> list[Run]:
    return [record(player, make_challenge(day), cleared=5, elapsed_ms=9) for day in days]


def test_who_never_played_has_no_streak(challenge: Challenge, ann: Player) -> None:
    assert streaks_of(ann, NOON) == (0, 0)


def test_today_played_counts(challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=0, elapsed_ms=9)
    assert streaks_of(ann, NOON) == (1, 1)


def test_a_streak_lives_until_today_is_over(challenge: Challenge, ann: Player) -> None:
    play(ann, DAY - 2 * ONE_DAY, DAY - ONE_DAY)
    assert streaks_of(ann, challenge.closes_at - timedelta(microseconds=1)) == (2, 2)
    assert streaks_of(ann, challenge.closes_at) == (0, 2)


def test_a_missed_day_ends_the_current_streak_and_leaves_the_longest(
    challenge: Challenge, ann: Player
) -> None:
    play(ann, *(DAY - n * ONE_DAY for n in (2, 3, 4)))
    make_challenge(DAY - ONE_DAY)
    record(ann, challenge, cleared=5, elapsed_ms=9)
    assert streaks_of(ann, NOON) == (1, 3)


def test_voiding_a_day_joins_what_is_around_it(challenge: Challenge, ann: Player) -> None:
    play(ann, DAY - 2 * ONE_DAY)
    between = make_challenge(DAY - ONE_DAY)
    record(ann, challenge, cleared=5, elapsed_ms=9)
    assert streaks_of(ann, NOON) == (1, 1)
    void_day(challenge=between, reason="the deal was seen", by=None)
    assert streaks_of(ann, NOON) == (2, 2)


def test_voiding_a_played_day_takes_it_out_and_breaks_nothing(challenge: Challenge, ann: Player) -> None:
    play(ann, *(DAY - n * ONE_DAY for n in (1, 2, 3)))
    void_day(challenge=Challenge.objects.get(date=DAY - 2 * ONE_DAY), reason="the deal was seen", by=None)
    assert streaks_of(ann, NOON) == (2, 2)


def test_a_date_that_never_had_a_challenge_breaks_nothing(challenge: Challenge, ann: Player) -> None:
    play(ann, DAY - 4 * ONE_DAY, DAY - ONE_DAY)
    assert streaks_of(ann, NOON) == (2, 2)


def test_a_voided_run_leaves_a_missed_day_and_reinstating_mends_it(challenge: Challenge, ann: Player) -> None:
    runs = play(ann, *(DAY - n * ONE_DAY for n in (1, 2, 3)))
    void_run(run_id=runs[1].pk, reason="played by a program", by=None)
    assert streaks_of(ann, NOON) == (1, 1)
    reinstate_run(run_id=runs[1].pk, reason="it was not", by=None)
    assert streaks_of(ann, NOON) == (3, 3)


def test_an_attempt_that_still_runs_after_midnight_breaks_nothing_yet(
    challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    play(ann, DAY - ONE_DAY)
    clock.moment = challenge.closes_at - timedelta(minutes=5)
    deadline_at = started(ann).deadline_at
    assert streaks_of(ann, challenge.closes_at) == (1, 1)
    assert streaks_of(ann, deadline_at + timedelta(seconds=60)) == (1, 1)
    assert streaks_of(ann, deadline_at + timedelta(seconds=61)) == (0, 1)


def test_a_kept_attempt_breaks_nothing_until_it_is_finished_and_counts_then(
    challenge: Challenge, ann: Player
) -> None:
    play(ann, DAY - ONE_DAY)
    attempt = begin(ann, challenge)
    Attempt.objects.filter(pk=attempt.pk).update(checkpoint_at=attempt.started_at)
    later = challenge.closes_at + timedelta(hours=3)
    assert streaks_of(ann, later) == (1, 1)
    finish_overdue(later)
    assert streaks_of(ann, later) == (2, 2)


def test_a_kept_attempt_that_came_to_nothing_by_the_end_of_its_day_leaves_a_missed_day(
    challenge: Challenge, ann: Player
) -> None:
    play(ann, DAY - ONE_DAY)
    attempt = begin(ann, challenge)
    Attempt.objects.filter(pk=attempt.pk).update(checkpoint_at=attempt.started_at)
    later = challenge.closes_at + timedelta(hours=3)
    Challenge.objects.filter(pk=challenge.pk).update(settled_at=later)
    assert streaks_of(ann, later) == (0, 1)


def test_what_others_have_begun_is_not_waited_for(challenge: Challenge, ann: Player, bob: Player) -> None:
    play(ann, DAY - 2 * ONE_DAY)
    attempt = begin(bob, make_challenge(DAY - ONE_DAY))
    Attempt.objects.filter(pk=attempt.pk).update(checkpoint_at=attempt.started_at)
    assert streaks_of(ann, NOON) == (0, 1)


@pytest.mark.parametrize("middle", [date(2028, 2, 29), date(2026, 12, 31), date(2024, 12, 30)])
def test_leap_days_and_year_ends_are_days_like_others(
    db: None, clock: object, ann: Player, middle: date
) -> None:
    play(ann, middle - ONE_DAY, middle, middle + ONE_DAY)
    assert streaks_of(ann, datetime.combine(middle + 2 * ONE_DAY, time(), UTC)) == (3, 3)


def test_coming_days_do_not_count_as_missed(challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=5, elapsed_ms=9)
    make_challenge(DAY + ONE_DAY)
    make_challenge(DAY + 2 * ONE_DAY)
    assert streaks_of(ann, NOON) == (1, 1)


def test_streaks_cost_two_queries(
    challenge: Challenge, ann: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play(ann, *(DAY - n * ONE_DAY for n in (1, 2, 3)))
    with django_assert_num_queries(2):
        streaks_of(ann, NOON)
