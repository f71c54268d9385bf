"""What an admin does about coming days: make one by hand, replace its deal, choose its rules, look at it.

Each is in the audit trail, which holds commitments and never a deal. Who gave a deal by hand knows it, and is
barred from ranking on that day like somebody who looked.
"""

from datetime import date, datetime
from random import Random
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from daily import clock
from daily.audit import note
from daily.choosing import PATIENT, SolvedDeal, choose_deal
from daily.models import Challenge, Look, Run
from daily.policies import policy_for
from daily.scheduling import SYSTEM_RANDOM, solved_challenge, store_new
from games.pyramid import Deal, Rules
from players.models import Player

DEAL_FIELDS = (
    "rules",
    "rules_version",
    "deck",
    "code",
    "salt",
    "commitment",
    "best_clear",
    "best_line_text",
    "difficulty",
    "relaxed",
)
"""What a new deal or new rules change of a challenge."""
GUESSABLE = "PYR1-0000-000"
"""How the codes of the numbers below 2^40 begin, few enough to be tried one by one."""


def read_deal(text: str) -> Deal:
    """The deal given by code, by number or as 52 cards, in any case and spacing. Raises BadDeal."""
    words = text.upper().split()
    if len(words) == 1 and words[0].startswith("PYR"):
        return Deal.from_code(words[0])
    if len(words) == 1 and words[0].isascii() and words[0].isdigit():
        return Deal.from_number(int(words[0][:20]))
    return Deal.from_deck(" ".join(words))


def is_guessable(deal: Deal) -> bool:
    """Whether somebody who tries small numbers finds this deal among those to practise on, before its day."""
    return (deal.code or "").startswith(GUESSABLE)


def make_day(
    *,
    day: date,
    by: Player,
    rules: Rules | None = None,
    deal: Deal | None = None,
    rng: Random = SYSTEM_RANDOM,
) -> Challenge:
    """Make the challenge of a missing day, as its policy says in all that is not given.

    Raises ValidationError for a day that is over and for one that has a challenge.
    """
    if day < clock.now().date():
        raise ValidationError("That day is over; nobody could play it.", code="day_over")
    challenge = _solve(day, rules, deal, rng)
    with transaction.atomic():
        if not store_new(challenge):
            raise ValidationError("That day has a challenge already.", code="already_made")
        _note("make_day", challenge, by, clock.now(), deal, after=_public(challenge))
    return challenge


def replace_deal(
    *, day: date, by: Player, rules: Rules, deal: Deal | None = None, rng: Random = SYSTEM_RANDOM
) -> Challenge:
    """Give a coming day another deal to be played by ``rules``: this one, or a random one.

    Raises Challenge.DoesNotExist, and ValidationError once the day has opened.
    """
    challenge = _coming(day)
    return _exchange("replace_deal", challenge, _solve(day, rules, deal, rng), by, deal)


def choose_rules(*, day: date, by: Player, rules: Rules, rng: Random = SYSTEM_RANDOM) -> Challenge:
    """Let the deal of a coming day be played by other rules, which takes a new commitment.

    Raises Challenge.DoesNotExist, and ValidationError once the day has opened.
    """
    challenge = _coming(day)
    deal = Deal.from_code(challenge.code) if challenge.code else challenge.deal
    return _exchange("choose_rules", challenge, _solve(day, rules, deal, rng), by)


@transaction.atomic
def look_at(*, challenge: Challenge, player: Player, now: datetime) -> None:
    """Record that the player sees the deal, which bars from ranking that day. Each look is in the trail."""
    _bar(player, challenge, now)
    note("look_at_deal", by=player, at=now, day=challenge.date)


def knows_deal(*, challenge: Challenge, player: Player) -> bool:
    """Whether no log can help the player any more: the day is settled, or they have their run, or looked."""
    mine = {"challenge": challenge, "player": player}
    return challenge.is_settled or Run.objects.filter(**mine).exists() or Look.objects.filter(**mine).exists()


def _coming(day: date) -> Challenge:
    challenge = Challenge.objects.get(date=day)
    _refuse_opened(challenge, clock.now())
    return challenge


def _refuse_opened(challenge: Challenge, now: datetime) -> None:
    if challenge.has_opened(now):
        raise ValidationError("This day has opened; its deal and rules stay as they are.", code="has_opened")


def _solve(day: date, rules: Rules | None, deal: Deal | None, rng: Random) -> Challenge:
    policy = policy_for(day)
    if rules:
        policy.rules = rules.slug
    if deal:
        solved = SolvedDeal.of(deal, Rules.named(policy.rules), PATIENT)
    else:
        solved = choose_deal(policy, rng, PATIENT)
    return solved_challenge(day, solved, policy, rng)


@transaction.atomic
def _exchange(
    action: str, old: Challenge, new: Challenge, by: Player, given: Deal | None = None
) -> Challenge:
    """Store what was solved before the lock was taken, so that nobody waits for a search."""
    challenge, now = Challenge.objects.select_for_update().get(pk=old.pk), clock.now()
    _refuse_opened(challenge, now)
    if challenge.commitment != old.commitment:
        raise ValidationError("Somebody else has just changed this day.", code="changed_meanwhile")
    for field in DEAL_FIELDS:
        setattr(challenge, field, getattr(new, field))
    challenge.save(update_fields=DEAL_FIELDS)
    _note(action, challenge, by, now, given, before=_public(old), after=_public(challenge))
    return challenge


def _note(
    action: str, challenge: Challenge, by: Player, now: datetime, given: Deal | None, **change: Any
) -> None:
    note(action, by=by, at=now, day=challenge.date, is_deal_given=given is not None, **change)
    if given:
        _bar(by, challenge, now)


def _bar(player: Player, challenge: Challenge, now: datetime) -> None:
    Look.objects.bulk_create([Look(challenge=challenge, player=player, first_at=now)], ignore_conflicts=True)


def _public(challenge: Challenge) -> dict[str, str]:
    return {"rules": challenge.rules, "commitment": challenge.commitment}
