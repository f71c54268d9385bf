"""Making days: always there, never twice, never the same, and as the policy asks."""

from datetime import date, timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db.models import F
from pytest_django import DjangoAssertNumQueries

from daily import scheduling
from daily.choosing import HASTY, PATIENT, Effort, SolvedDeal, choose_deal
from daily.models import Challenge, Policy
from daily.scheduling import challenge_on, make_missing, schedule_ahead
from games.pyramid import RULES, Deal, Rules, replay
from games.pyramid.commitment import commitment
from tests.cast import DAY, NOON, FrozenClock, make_challenge

pytestmark = pytest.mark.django_db

FIGURES = ("date", "deck", "salt", "commitment", "best_clear", "best_line_text", "difficulty", "relaxed")


@pytest.fixture(autouse=True)
def easy_to_please() -> None:
    """Policies that the first deal fits, so that no test searches for long."""
    Policy.objects.update(min_best_clear=0, min_difficulty=0, max_difficulty=1)


def ask_for(**wishes: float) -> None:
    Policy.objects.filter(weekday=DAY.weekday()).update(**wishes)


def stored() -> list[tuple[object, ...]]:
    return list(Challenge.objects.order_by("date").values_list(*FIGURES))


def test_today_and_the_next_seven_days_are_made() -> None:
    assert schedule_ahead(NOON) == 8
    dates = list(Challenge.objects.order_by("date").values_list("date", flat=True))
    assert dates == [DAY + timedelta(days=ahead) for ahead in range(8)]


def test_made_days_are_left_as_they_are(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    schedule_ahead(NOON)
    before = stored()
    with django_assert_num_queries(2):
        assert schedule_ahead(NOON) == 0
    assert stored() == before


def test_only_a_missing_day_is_made() -> None:
    for ahead in (0, 1, 2, 4, 5, 6, 7):
        make_challenge(DAY + timedelta(days=ahead))
    assert schedule_ahead(NOON) == 1
    assert Challenge.objects.filter(date=DAY + timedelta(days=3)).exists()


def test_losing_the_race_for_a_day_leaves_the_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose_the_race(policy: Policy, rng: Random, effort: Effort) -> SolvedDeal:
        make_challenge(DAY)
        return choose_deal(policy, rng, effort)

    monkeypatch.setattr("daily.scheduling.choose_deal", lose_the_race)
    assert not make_missing(DAY, PATIENT, Random(1))
    assert Challenge.objects.get().deck == Deal.random(Random(DAY.toordinal())).deck


def test_every_day_has_its_own_deal_and_salt() -> None:
    schedule_ahead(NOON)
    days = Challenge.objects.all()
    assert len({day.deck for day in days}) == len({day.salt for day in days}) == len(days)


def test_the_same_chance_makes_the_same_days() -> None:
    far_ahead = NOON.replace(year=2926)
    schedule_ahead(far_ahead, rng=Random(5))
    first = stored()
    Challenge.objects.all().delete()
    schedule_ahead(far_ahead, rng=Random(5))
    assert stored() == first


def test_the_commitment_pins_the_stored_deal() -> None:
    schedule_ahead(NOON, rng=Random(1))
    for day in Challenge.objects.all():
        assert day.commitment == commitment(day=day.date, rules=day.rules, salt=day.salt, deck=day.deck)
        assert Deal.from_code(day.code).deck == day.deck
        assert len(day.salt) == 32


def test_the_best_line_clears_what_it_claims() -> None:
    schedule_ahead(NOON, rng=Random(1))
    for day in Challenge.objects.all():
        assert day.best_clear == replay(day.deal, day.ruleset, day.best_line).cleared
        assert day.difficulty is not None
        assert 0 < day.difficulty <= 1


def test_rules_follow_the_weekday() -> None:
    for policy, slug in zip(Policy.objects.order_by("weekday"), RULES, strict=True):
        Policy.objects.filter(pk=policy.pk).update(rules=slug)
    schedule_ahead(NOON)
    for day in Challenge.objects.all():
        assert day.rules == list(RULES)[day.date.weekday()]


def test_the_deal_is_what_the_policy_asks_for() -> None:
    ask_for(min_best_clear=28, min_difficulty=0.5, max_difficulty=0.9)
    make_missing(DAY, PATIENT, Random(2))
    day = Challenge.objects.get()
    assert day.best_clear == 28
    assert day.difficulty is not None
    assert 0.5 <= day.difficulty <= 0.9
    assert not day.relaxed


def test_where_nothing_fits_the_nearest_is_taken_and_told() -> None:
    ask_for(min_best_clear=28, min_difficulty=0.1, max_difficulty=0.11)
    make_missing(DAY, Effort(draws=8, nodes=5000), Random(2))
    day = Challenge.objects.get()
    assert day.best_clear == 28
    assert day.relaxed == f"The policy asks for a difficulty of 0.1 to 0.11; it is {day.difficulty:.3f}."


def test_a_weekday_without_a_policy_gets_a_deal_that_can_be_cleared() -> None:
    Policy.objects.all().delete()
    make_missing(DAY, PATIENT, Random(3))
    assert Challenge.objects.get().best_clear == 28


def test_a_reader_of_a_missing_day_makes_that_day_alone() -> None:
    assert challenge_on(DAY, NOON).date == DAY
    assert Challenge.objects.count() == 1


@pytest.mark.parametrize("days", [-1, 8, -400, 9000])
def test_past_and_far_days_are_not_made_up(days: int) -> None:
    with pytest.raises(Challenge.DoesNotExist):
        challenge_on(DAY + timedelta(days=days), NOON)


def test_a_proof_that_was_cut_short_for_a_reader_is_completed_later() -> None:
    make_challenge(DAY, rules="three-pass")
    schedule_ahead(NOON)
    day = Challenge.objects.get(date=DAY)
    assert day.best_clear == replay(day.deal, day.ruleset, day.best_line).cleared
    assert day.difficulty


def test_a_settled_day_is_not_solved_again() -> None:
    yesterday = DAY - timedelta(days=1)
    make_challenge(yesterday)
    Challenge.objects.update(settled_at=NOON)
    schedule_ahead(NOON)
    assert Challenge.objects.get(date=yesterday).best_clear is None


def test_who_reads_waits_for_a_short_search_and_a_task_takes_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    efforts = []

    def note_effort(policy: Policy, rng: Random, effort: Effort) -> SolvedDeal:
        efforts.append(effort)
        return choose_deal(policy, rng, effort)

    monkeypatch.setattr("daily.scheduling.choose_deal", note_effort)
    challenge_on(DAY, NOON)
    schedule_ahead(NOON)
    assert efforts == [HASTY, *[PATIENT] * 7]
    assert HASTY.draws < PATIENT.draws
    assert HASTY.nodes < PATIENT.nodes


def test_figures_are_not_given_to_a_deal_that_was_replaced_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    make_challenge(date(2999, 12, 31))  # which has not opened by the database's clock either
    solve = SolvedDeal.of

    def replaced_meanwhile(deal: Deal, rules: Rules, effort: Effort) -> SolvedDeal:
        Challenge.objects.update(commitment=F("salt"))
        return solve(deal, rules, effort)

    monkeypatch.setattr(SolvedDeal, "of", replaced_meanwhile)
    scheduling.complete_figures()
    assert Challenge.objects.get().best_clear is None


def test_a_challenge_is_named_by_its_date_alone() -> None:
    challenge = challenge_on(DAY, NOON)
    assert str(challenge) == "2026-11-30"
    assert challenge.deck not in repr(challenge)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_the_command_tells_how_many_days_it_made(
    clock: FrozenClock, missing: int, capsys: pytest.CaptureFixture[str]
) -> None:
    for ahead in range(8 - missing):
        make_challenge(DAY + timedelta(days=ahead))
    call_command("schedule_ahead")
    assert capsys.readouterr().out == f"Missing challenges made: {missing}.\n"
