"""Making days: which deal is dealt when, days ahead and by whoever notices first that one is missing."""

from datetime import date, datetime, timedelta
from random import Random, SystemRandom

from django.conf import settings

from daily.choosing import HASTY, PATIENT, Effort, SolvedDeal, choose_deal
from daily.models import Challenge, Policy
from daily.policies import policy_for
from games.pyramid import Deal, Rules
from games.pyramid.commitment import commitment
from players.prepared import Given, Prepared

SYSTEM_RANDOM = SystemRandom()
"""What deals are drawn from where nobody may guess them."""


def schedule_ahead(now: datetime, *, rng: Random = SYSTEM_RANDOM) -> int:
    """Make every missing challenge from today to ``DAYS_AHEAD`` days ahead; how many this call made.

    Run late, twice or in parallel, the days are the same: the first to store a date's deal made it. The proof
    of a best that was cut short for somebody who waited is completed here.
    """
    days = coming_days(now)
    made = set(Challenge.objects.filter(date__in=days).values_list("date", flat=True))
    fresh = [day for day in days if day not in made and make_missing(day, PATIENT, rng)]
    complete_figures()
    return len(fresh)


def coming_days(now: datetime) -> list[date]:
    """Today and the days that are made ahead."""
    return [now.date() + timedelta(days=ahead) for ahead in range(settings.DAYS_AHEAD + 1)]


def make_missing(day: date, effort: Effort, rng: Random) -> bool:
    """Make the challenge of ``day`` as its policy says, unless there is one; whether this call made it."""
    if Challenge.objects.filter(date=day).exists():
        return False
    policy = policy_for(day)
    return store_new(solved_challenge(day, choose_deal(policy, rng, effort), policy, rng))


def store_new(challenge: Challenge) -> bool:
    """Store a new challenge unless its day has one; whether it was stored."""
    Challenge.objects.bulk_create([challenge], ignore_conflicts=True)
    return Challenge.objects.filter(date=challenge.date, salt=challenge.salt).exists()


def solved_challenge(day: date, solved: SolvedDeal, policy: Policy, rng: Random) -> Challenge:
    """An unsaved challenge with this deal and its figures, under a fresh salt."""
    challenge = deal_challenge(day, solved.rules, solved.deal, rng)
    challenge.difficulty = solved.difficulty
    challenge.relaxed = solved.relaxed(policy)
    if solved.best.proven:
        challenge.best_clear = solved.best.cleared
        challenge.best_line_text = " ".join(solved.best.log)
    return challenge


def deal_challenge(day: date, rules: Rules, deal: Deal, rng: Random) -> Challenge:
    """An unsaved challenge with this deal, not solved, under a salt from ``rng``, committed to both."""
    salt = f"{rng.getrandbits(128):032x}"
    return Challenge(
        date=day,
        rules=rules.slug,
        rules_version=rules.version,
        deck=deal.deck,
        code=deal.code or "",
        salt=salt,
        commitment=commitment(day=day, rules=rules.slug, salt=salt, deck=deal.deck),
    )


def complete_figures() -> None:
    """Solve the deals of days that are not settled and have no proven best."""
    for challenge in Challenge.objects.filter(settled_at=None, best_clear=None):
        solved = SolvedDeal.of(challenge.deal, challenge.ruleset, PATIENT)
        if solved.best.proven:
            figures = {
                "best_clear": solved.best.cleared,
                "best_line_text": " ".join(solved.best.log),
                "difficulty": solved.difficulty,
            }
            Challenge.objects.filter(pk=challenge.pk, commitment=challenge.commitment).update(**figures)


CHALLENGES = Prepared(lambda: Challenge.objects.filter(date=Given("date", Challenge)))


def challenge_on(day: date, now: datetime) -> Challenge:
    """The challenge of ``day``, made now if it is one of today's and the coming days' and missing.

    Raises Challenge.DoesNotExist.
    """
    try:
        return CHALLENGES.get(date=day)
    except Challenge.DoesNotExist:
        if day not in coming_days(now):
            raise
        make_missing(day, HASTY, SYSTEM_RANDOM)
        return Challenge.objects.get(date=day)
