"""What an admin does about coming days, what is refused, and what the audit trail keeps of it."""

from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from daily.deals import choose_rules, look_at, make_day, read_deal, replace_deal
from daily.models import AuditEntry, Challenge, Look, Policy, Unranked
from daily.scheduling import solved_challenge
from daily.services import start_attempt
from games.pyramid import BadDeal, Deal, Rules, replay
from games.pyramid.commitment import commitment
from leaderboard.services import submit_run
from players.models import Player
from tests.cast import FrozenClock, make_challenge

pytestmark = pytest.mark.django_db

TODAY = date(2926, 11, 30)
"""So far ahead that the database, whose own clock no test moves, takes every day for a coming one."""
TOMORROW = TODAY + timedelta(days=1)
ENDLESS, THREE_PASS = Rules.named("endless"), Rules.named("three-pass")
SECRETS = ("deck", "code", "salt", "best_line_text")


@pytest.fixture(autouse=True)
def far_ahead(clock: FrozenClock) -> None:
    clock.moment = clock.moment.replace(year=TODAY.year)


@pytest.fixture(autouse=True)
def easy_to_please(db: None) -> None:
    Policy.objects.update(min_best_clear=0, min_difficulty=0, max_difficulty=1)


@pytest.fixture
def keeper() -> Player:
    return Player.objects.create(name="keeper", is_staff=True, is_guest=False)


def is_whole(challenge: Challenge) -> bool:
    """Whether commitment, best line and figures belong to the stored deal and rules."""
    pinned = commitment(day=challenge.date, rules=challenge.rules, salt=challenge.salt, deck=challenge.deck)
    cleared = replay(challenge.deal, challenge.ruleset, challenge.best_line).cleared
    return challenge.commitment == pinned and challenge.best_clear == cleared and bool(challenge.difficulty)


def values(day: date) -> dict[str, Any]:
    return dict(Challenge.objects.values().get(date=day))


@pytest.mark.parametrize(
    "text",
    [
        "12345",
        " 12345\n",
        Deal.from_number(12345).code,
        str(Deal.from_number(12345).code).lower().replace("-", ""),
        Deal.from_number(12345).deck,
        Deal.from_number(12345).deck.lower().replace(" ", "\n  "),
    ],
)
def test_a_deal_is_read_from_a_code_a_number_or_its_cards(text: str) -> None:
    assert read_deal(text) == Deal.from_number(12345)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "malformed_deck"),
        ("0", "bad_number"),
        ("9" * 5000, "bad_number"),
        ("٣", "malformed_deck"),
        ("PYR1-0000-0000-0000-0000", "bad_check_symbol"),
        ("PYR1-000", "malformed_code"),
        ("AC 2C 3C", "wrong_card_count"),
        ("AC " * 52, "duplicate_card"),
        ("hearts", "malformed_deck"),
    ],
)
def test_what_is_no_deal_is_refused_with_a_reason(text: str, code: str) -> None:
    with pytest.raises(BadDeal) as refused:
        read_deal(text)
    assert refused.value.code == code


def test_a_missing_day_is_made_by_its_policy(keeper: Player) -> None:
    Policy.objects.filter(weekday=TOMORROW.weekday()).update(rules="three-pass")
    made = make_day(day=TOMORROW, by=keeper)
    assert made.rules == "three-pass"
    assert is_whole(Challenge.objects.get(date=TOMORROW))
    assert not Look.objects.exists()


def test_a_missing_day_is_made_with_the_rules_and_the_deal_given(keeper: Player) -> None:
    make_day(day=TOMORROW, by=keeper, rules=THREE_PASS, deal=Deal.from_number(7))
    stored = Challenge.objects.get(date=TOMORROW)
    assert (stored.rules, stored.code) == ("three-pass", Deal.from_number(7).code)
    assert is_whole(stored)


def test_today_may_still_be_made(keeper: Player) -> None:
    assert make_day(day=TODAY, by=keeper).date == TODAY


def test_a_day_that_is_over_is_not_made(keeper: Player) -> None:
    with pytest.raises(ValidationError, match="over"):
        make_day(day=TODAY - timedelta(days=1), by=keeper)


def test_a_day_is_not_made_twice(keeper: Player) -> None:
    make_challenge(TOMORROW)
    before = values(TOMORROW)
    with pytest.raises(ValidationError, match="already"):
        make_day(day=TOMORROW, by=keeper)
    assert values(TOMORROW) == before
    assert not AuditEntry.objects.exists()


def test_a_replaced_deal_is_new_in_everything(keeper: Player) -> None:
    make_day(day=TOMORROW, by=keeper, rng=Random(1))
    before = values(TOMORROW)
    replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS)
    stored = Challenge.objects.get(date=TOMORROW)
    assert all(getattr(stored, field) != before[field] for field in (*SECRETS, "commitment"))
    assert is_whole(stored)


def test_a_random_replacement_is_what_the_policy_asks_for(keeper: Player) -> None:
    make_challenge(TOMORROW)
    Policy.objects.update(min_best_clear=28, min_difficulty=0.5, max_difficulty=0.9)
    replaced = replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS)
    assert replaced.best_clear == 28
    assert not replaced.relaxed


def test_a_deal_without_a_code_takes_the_place_of_one_with(keeper: Player) -> None:
    make_challenge(TOMORROW)
    deck = Deal.from_number(99).deck
    replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS, deal=Deal.from_deck(deck))
    stored = Challenge.objects.get(date=TOMORROW)
    assert (stored.deck, stored.code) == (deck, "")
    assert is_whole(stored)


def test_a_given_deal_that_is_not_what_the_policy_asks_for_says_so(keeper: Player) -> None:
    Policy.objects.update(min_best_clear=28)
    made = make_day(day=TOMORROW, by=keeper, deal=Deal.from_number(12345))
    assert made.relaxed == "The policy asks for a best of at least 28; it is 26."


@pytest.mark.parametrize("is_coded", [True, False])
def test_other_rules_keep_the_deal_under_a_new_promise(keeper: Player, is_coded: bool) -> None:
    make_challenge(TOMORROW)
    if not is_coded:
        Challenge.objects.update(code="")
    before = values(TOMORROW)
    choose_rules(day=TOMORROW, by=keeper, rules=THREE_PASS)
    stored = Challenge.objects.get(date=TOMORROW)
    assert (stored.deck, stored.code, stored.rules) == (before["deck"], before["code"], "three-pass")
    assert stored.commitment != before["commitment"]
    assert stored.salt != before["salt"]
    assert is_whole(stored)
    assert not Look.objects.exists()


@pytest.mark.parametrize("day", [TODAY, TODAY - timedelta(days=1)])
def test_a_day_that_has_opened_is_not_changed(keeper: Player, day: date) -> None:
    make_challenge(day)
    before = values(day)
    with pytest.raises(ValidationError, match="has opened"):
        replace_deal(day=day, by=keeper, rules=ENDLESS)
    with pytest.raises(ValidationError, match="has opened"):
        choose_rules(day=day, by=keeper, rules=THREE_PASS)
    assert values(day) == before
    assert not AuditEntry.objects.exists()


def test_a_day_that_opens_during_the_search_is_not_changed(
    keeper: Player, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_challenge(TOMORROW)
    before = values(TOMORROW)

    def slowly(*given: Any) -> Challenge:
        clock.advance(days=1)
        return solved_challenge(*given)

    monkeypatch.setattr("daily.deals.solved_challenge", slowly)
    with pytest.raises(ValidationError, match="has opened"):
        replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS)
    assert values(TOMORROW) == before


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(
    keeper: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_challenge(TOMORROW)

    def while_another_changes_it(*given: Any) -> Challenge:
        Challenge.objects.update(commitment="f" * 64)
        return solved_challenge(*given)

    monkeypatch.setattr("daily.deals.solved_challenge", while_another_changes_it)
    with pytest.raises(ValidationError, match="Somebody else"):
        replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS)


def test_a_missing_day_has_no_deal_to_replace(keeper: Player) -> None:
    with pytest.raises(Challenge.DoesNotExist):
        replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS)


def trail() -> list[tuple[str, date | None, dict[str, Any]]]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", "day", "detail"))


def test_the_trail_tells_commitments_before_and_after(keeper: Player, clock: FrozenClock) -> None:
    made = make_day(day=TOMORROW, by=keeper)
    replaced = replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS, deal=Deal.from_number(5))
    chosen = choose_rules(day=TOMORROW, by=keeper, rules=THREE_PASS)
    assert [(action, day) for action, day, _ in trail()] == [
        ("make_day", TOMORROW),
        ("replace_deal", TOMORROW),
        ("choose_rules", TOMORROW),
    ]
    assert trail()[1][2] == {
        "is_deal_given": True,
        "before": {"rules": "endless", "commitment": made.commitment},
        "after": {"rules": "endless", "commitment": replaced.commitment},
    }
    assert trail()[2][2]["after"] == {"rules": "three-pass", "commitment": chosen.commitment}
    assert set(AuditEntry.objects.values_list("actor__name", "at")) == {("keeper", clock.moment)}


def test_the_trail_holds_no_deal(keeper: Player) -> None:
    secrets = set()
    make_day(day=TOMORROW, by=keeper)
    for act in (
        lambda: replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS, deal=Deal.from_number(5)),
        lambda: choose_rules(day=TOMORROW, by=keeper, rules=THREE_PASS),
        lambda: look_at(challenge=Challenge.objects.get(), player=keeper, now=AuditEntry.objects.all()[0].at),
    ):
        secrets |= {getattr(Challenge.objects.get(), field) for field in SECRETS}
        act()
    told = repr(list(AuditEntry.objects.values()))
    assert not [secret for secret in secrets if secret in told]


@pytest.mark.parametrize("verb", ["make", "replace"])
def test_who_gives_a_deal_by_hand_knows_it(keeper: Player, verb: str) -> None:
    if verb == "make":
        make_day(day=TOMORROW, by=keeper, deal=Deal.from_number(5))
    else:
        make_challenge(TOMORROW)
        replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS, deal=Deal.from_number(5))
    assert Look.objects.get().player == keeper


def test_the_first_look_is_kept_and_each_is_in_the_trail(keeper: Player, clock: FrozenClock) -> None:
    challenge = make_challenge(TOMORROW)
    first = clock.moment
    look_at(challenge=challenge, player=keeper, now=first)
    look_at(challenge=challenge, player=keeper, now=first + timedelta(hours=1))
    assert Look.objects.get().first_at == first
    assert [(action, day) for action, day, _ in trail()] == [("look_at_deal", TOMORROW)] * 2


def test_a_new_deal_does_not_forget_who_looked(keeper: Player, clock: FrozenClock) -> None:
    look_at(challenge=make_challenge(TOMORROW), player=keeper, now=clock.moment)
    replace_deal(day=TOMORROW, by=keeper, rules=ENDLESS)
    assert Look.objects.filter(challenge_id=TOMORROW, player=keeper).exists()


def test_who_looked_plays_unranked_on_that_day_only(keeper: Player, ann: Player, clock: FrozenClock) -> None:
    look_at(challenge=make_challenge(TOMORROW), player=keeper, now=clock.moment)
    make_challenge(TOMORROW + timedelta(days=1))
    reasons = []
    for player in (keeper, ann):
        clock.moment = clock.moment.replace(month=12, day=1)
        attempt, _ = start_attempt(player=player)
        reasons.append(submit_run(player=player, attempt_id=attempt.pk, log=[])[0].unranked_reason)
    clock.advance(days=1)
    attempt, _ = start_attempt(player=keeper)
    reasons.append(submit_run(player=keeper, attempt_id=attempt.pk, log=[])[0].unranked_reason)
    assert reasons == [Unranked.LOOKED, "", ""]


def test_a_look_whose_trail_cannot_be_written_is_not_kept(
    keeper: Player, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: Any, **_named: Any) -> None:
        raise OSError("full")

    challenge = make_challenge(TOMORROW)
    monkeypatch.setattr("daily.deals.note", fail)
    with pytest.raises(OSError, match="full"):
        look_at(challenge=challenge, player=keeper, now=clock.moment)
    assert not Look.objects.exists()


def test_who_looked_stays_barred_when_no_longer_staff(keeper: Player, clock: FrozenClock) -> None:
    look_at(challenge=make_challenge(TODAY), player=keeper, now=clock.moment)
    Player.objects.filter(pk=keeper.pk).update(is_staff=False)
    keeper.refresh_from_db()
    attempt, _ = start_attempt(player=keeper)
    run, _ = submit_run(player=keeper, attempt_id=attempt.pk, log=["D"])
    assert run.unranked_reason == Unranked.LOOKED
