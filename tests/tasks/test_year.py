"""Some days of the simulated year, the special ones among them; `python -m bench.year` lives through all."""

from datetime import date
from random import Random

import pytest

from bench.year.living import live
from bench.year.timeline import OUTAGE
from bench.year.world import WITHOUT_WORKER

FIRST, DAYS, PLAYERS = date(2028, 2, 18), 41, 6
"""The leap day without a worker, the outage, and changes of the clocks in three of six zones."""


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_whatever_the_beat_does_every_day_is_dealt_once_and_settled_once() -> None:
    lived = live(first=FIRST, days=DAYS, players=PLAYERS, rng=Random(3))
    print(lived)  # noqa: T201  (shown with -s)
    assert lived.differences == []
    assert lived.figures["settlements"] == lived.figures["days"] == DAYS
    assert all(lived.figures.values())


def test_the_days_hold_what_is_special_about_them() -> None:
    days = {FIRST.fromordinal(FIRST.toordinal() + n) for n in range(DAYS)}
    assert {*WITHOUT_WORKER, date(2028, 2, 29), *(moment.date() for moment in OUTAGE)} <= days
