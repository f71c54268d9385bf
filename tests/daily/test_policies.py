"""What a weekday's deals shall be like: the defaults, what is refused, what a deal lacks."""

from importlib import import_module
from random import Random

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError

from daily.choosing import PATIENT, SolvedDeal, choose_deal
from daily.models import AuditEntry, Policy
from daily.policies import change_policy, check_policy, policy_for
from games.pyramid import Deal, Rules
from games.pyramid.solver import Best
from players.models import Player
from tests.cast import DAY, NOON

pytestmark = pytest.mark.django_db

ENDLESS = Rules.named("endless")


def solved(cleared: int, difficulty: float, *, proven: bool = True) -> SolvedDeal:
    """A deal with these figures, whatever its cards."""
    made = SolvedDeal(Deal.from_number(1), ENDLESS, Best(cleared, (), proven))
    made.__dict__["difficulty"] = difficulty
    return made


def test_every_weekday_has_a_policy_from_the_start() -> None:
    assert list(Policy.objects.values_list("weekday", flat=True)) == list(range(7))
    for policy in Policy.objects.all():
        check_policy(policy)
        assert (policy.rules, policy.min_best_clear) == ("endless", 28)


def test_the_week_gets_harder_from_monday_to_sunday() -> None:
    ranges = list(Policy.objects.order_by("weekday").values_list("min_difficulty", "max_difficulty"))
    assert ranges == sorted(ranges, reverse=True)
    assert len(set(ranges)) == 7


def test_making_the_policies_again_leaves_those_there_are() -> None:
    Policy.objects.filter(weekday=2).update(rules="strict")
    Policy.objects.filter(weekday=3).delete()
    import_module("daily.migrations.0004_policies").make_policies(apps, None)
    assert Policy.objects.get(weekday=2).rules == "strict"
    assert Policy.objects.count() == 7


@pytest.mark.parametrize("weekday", range(7))
def test_a_deal_for_every_default_policy_is_found_within_the_budget(weekday: int) -> None:
    policy = Policy.objects.get(weekday=weekday)
    assert choose_deal(policy, Random(weekday), PATIENT).relaxed(policy) == ""


def test_a_day_follows_the_policy_of_its_weekday() -> None:
    Policy.objects.filter(weekday=0).update(rules="strict")
    assert policy_for(DAY).rules == "strict"


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("rules", {"rules": "klondike"}),
        ("min_best_clear", {"min_best_clear": 29}),
        ("max_difficulty", {"min_difficulty": 0.6, "max_difficulty": 0.5}),
        ("max_difficulty", {"min_difficulty": 0.5, "max_difficulty": 0.5}),
        ("max_difficulty", {"max_difficulty": 1.01}),
        ("max_difficulty", {"min_difficulty": -0.1}),
        ("max_difficulty", {"min_difficulty": float("nan")}),
    ],
)
def test_a_policy_that_no_deal_can_meet_is_refused(ann: Player, field: str, wrong: dict[str, object]) -> None:
    policy = Policy.objects.get(weekday=0)
    for name, value in wrong.items():
        setattr(policy, name, value)
    with pytest.raises(ValidationError) as refused:
        change_policy(policy=policy, by=ann, now=NOON)
    assert set(refused.value.message_dict) == {field}
    assert not AuditEntry.objects.exists()


def test_a_change_is_stored_and_told_in_the_audit_trail(ann: Player) -> None:
    policy = Policy.objects.get(weekday=6)
    policy.rules, policy.min_best_clear = "one-pass", 20
    change_policy(policy=policy, by=ann, now=NOON)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.at) == ("change_policy", ann, NOON)
    assert entry.detail["weekday"] == "Sunday"
    assert (entry.detail["before"]["rules"], entry.detail["after"]["rules"]) == ("endless", "one-pass")
    assert (entry.detail["before"]["min_best_clear"], entry.detail["after"]["min_best_clear"]) == (28, 20)
    assert Policy.objects.get(weekday=6).rules == "one-pass"


WANTED = Policy(weekday=0, min_best_clear=26, min_difficulty=0.5, max_difficulty=0.6)


@pytest.mark.parametrize("figures", [(26, 0.5), (28, 0.6), (27, 0.55)])
def test_a_deal_within_the_limits_fits(figures: tuple[int, float]) -> None:
    assert solved(*figures).fits(WANTED)
    assert not solved(*figures).relaxed(WANTED)


@pytest.mark.parametrize(
    ("nearer", "other"),
    [
        ((26, 0.9), (25, 0.55)),
        ((25, 0.9), (24, 0.55)),
        ((28, 0.61), (28, 0.62)),
        ((28, 0.49), (28, 0.48)),
        ((28, 0.61), (28, 0.48)),
        ((26, 0.55), (28, 0.61)),
    ],
)
def test_what_can_be_cleared_goes_before_difficulty(
    nearer: tuple[int, float], other: tuple[int, float]
) -> None:
    assert solved(*nearer).is_nearer(solved(*other), WANTED)
    assert not solved(*other).is_nearer(solved(*nearer), WANTED)


def test_what_is_relaxed_is_told_in_sentences_that_fit_the_column() -> None:
    told = solved(25, 0.7123, proven=False).relaxed(WANTED)
    assert told == (
        "The policy asks for a best of at least 26; it is 25 as far as known."
        " The policy asks for a difficulty of 0.5 to 0.6; it is 0.712."
    )
    longest = Policy(min_best_clear=28, min_difficulty=0.1234567, max_difficulty=0.2345678)
    assert len(solved(10, 0.7123, proven=False).relaxed(longest)) <= 200
