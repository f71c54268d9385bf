"""What the day's tables answer by themselves."""

from daily.models import Challenge
from games.pyramid import Deal
from tests.cast import FrozenClock


def test_a_deal_is_hidden_until_its_day_is_settled(challenge: Challenge, clock: FrozenClock) -> None:
    deal = Deal.from_code(challenge.code)
    assert Challenge.objects.hiding(deal).get() == challenge
    assert not Challenge.objects.hiding(Deal.from_number(1)).exists()
    Challenge.objects.update(settled_at=clock.moment)
    assert not Challenge.objects.hiding(deal).exists()


def test_a_deal_given_as_cards_hides_the_code_that_deals_them(challenge: Challenge) -> None:
    Challenge.objects.create(
        date="2026-12-24",
        rules="endless",
        rules_version=1,
        deck=Deal.from_number(7).deck,
        salt="",
        commitment="",
    )
    assert Challenge.objects.hiding(Deal.from_number(7)).exists()
