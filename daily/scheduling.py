"""Making days: which deal is dealt when, days ahead and by whoever notices first that one is missing."""

from datetime import date, datetime, timedelta
from random import Random, SystemRandom

from django.conf import settings

from daily.models import Challenge
from games.pyramid import Deal, Rules
from games.pyramid.commitment import commitment


def schedule_ahead(now: datetime, *, rng: Random | None = None) -> int:
    """Make every missing challenge from today to ``DAYS_AHEAD`` days ahead; how many were missing.

    Run late, twice or in parallel, the days are the same: the first one to store a date's deal made it.
    """
    wanted = {now.date() + timedelta(days=ahead) for ahead in range(settings.DAYS_AHEAD + 1)}
    made = Challenge.objects.filter(date__in=wanted).values_list("date", flat=True)
    missing = sorted(wanted.difference(made))
    draw = rng or SystemRandom()
    Challenge.objects.bulk_create([draw_challenge(day, draw) for day in missing], ignore_conflicts=True)
    return len(missing)


def draw_challenge(day: date, rng: Random) -> Challenge:
    """An unsaved challenge for ``day``, its deal and salt drawn from ``rng``."""
    rules = Rules.named(settings.DAILY_RULES_BY_WEEKDAY[day.weekday()])
    deal = Deal.random(rng)
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


def challenge_on(day: date, now: datetime) -> Challenge:
    """The challenge of ``day``, made now if it is one of today's and the coming days' and missing.

    Raises Challenge.DoesNotExist.
    """
    try:
        return Challenge.objects.get(date=day)
    except Challenge.DoesNotExist:
        schedule_ahead(now)
        return Challenge.objects.get(date=day)
