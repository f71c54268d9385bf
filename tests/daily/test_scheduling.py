"""Making days: always there, never twice, never the same."""

from datetime import timedelta
from random import Random

import pytest
from pytest_django import Settings

from daily.models import Challenge
from daily.scheduling import challenge_on, schedule_ahead
from games.pyramid import Deal
from games.pyramid.commitment import commitment
from tests.cast import DAY, NOON

pytestmark = pytest.mark.django_db


def test_today_and_the_next_seven_days_are_made() -> None:
    assert schedule_ahead(NOON) == 8
    dates = list(Challenge.objects.order_by("date").values_list("date", flat=True))
    assert dates == [DAY + timedelta(days=ahead) for ahead in range(8)]


def test_made_days_are_left_as_they_are() -> None:
    schedule_ahead(NOON)
    before = list(Challenge.objects.values_list("date", "deck", "salt"))
    assert schedule_ahead(NOON) == 0
    assert list(Challenge.objects.values_list("date", "deck", "salt")) == before


def test_a_gap_is_filled() -> None:
    schedule_ahead(NOON)
    Challenge.objects.filter(date=DAY + timedelta(days=3)).delete()
    assert schedule_ahead(NOON) == 1


def test_every_day_has_its_own_deal_and_salt() -> None:
    schedule_ahead(NOON)
    days = Challenge.objects.all()
    assert len({day.deck for day in days}) == len({day.salt for day in days}) == len(days)


def test_the_commitment_pins_the_stored_deal() -> None:
    schedule_ahead(NOON, rng=Random(1))
    for day in Challenge.objects.all():
        assert day.commitment == commitment(day=day.date, rules=day.rules, salt=day.salt, deck=day.deck)
        assert Deal.from_code(day.code).deck == day.deck
        assert len(day.salt) == 32


def test_rules_follow_the_weekday(settings: Settings) -> None:
    slugs = ["endless", "pyramide", "three-pass", "cover-pairs", "open-stock", "one-pass", "strict"]
    settings.DAILY_RULES_BY_WEEKDAY = slugs
    schedule_ahead(NOON)
    for day in Challenge.objects.all():
        assert day.rules == slugs[day.date.weekday()]


def test_a_reader_of_a_missing_day_makes_it() -> None:
    assert challenge_on(DAY, NOON).date == DAY
    assert Challenge.objects.count() == 8


@pytest.mark.parametrize("days", [-1, 8, -400, 9000])
def test_past_and_far_days_are_not_made_up(days: int) -> None:
    with pytest.raises(Challenge.DoesNotExist):
        challenge_on(DAY + timedelta(days=days), NOON)


def test_a_challenge_is_named_by_its_date_alone() -> None:
    challenge = challenge_on(DAY, NOON)
    assert str(challenge) == "2026-11-30"
    assert challenge.deck not in repr(challenge)
