"""The archive."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from daily.models import Challenge
from leaderboard.corrections import void_day, void_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player, record

ARCHIVE = "/days/"


def page(client: Client, month: str = "") -> str:
    response = client.get(f"{ARCHIVE}?month={month}" if month else ARCHIVE)
    assert response.status_code == 200
    return response.content.decode()


def told_of(text: str, day: object) -> str:
    """What the calendar says of a day, in words."""
    items = re.findall(r"<li class=\"on-.*?</li>", text, re.DOTALL)
    found = next(item for item in items if f'"/days/{day}/"' in item)
    return " ".join(re.sub("<[^>]*>", "", found).split())


def settled(day: Challenge, clock: FrozenClock) -> None:
    moment = clock.moment
    clock.moment = day.closes_at + timedelta(hours=2)
    settle_due(clock.moment)
    clock.moment = moment


def test_the_present_month_is_shown_first(client: Client, challenge: Challenge) -> None:
    text = page(client)
    assert "<h1>November 2026</h1>" in text
    assert 'aria-current="date"' in text


def test_each_day_tells_its_state_rules_field_and_best(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player, bob: Player
) -> None:
    past = make_challenge(DAY - timedelta(days=9), rules="strict")
    record(ann, past, cleared=12, elapsed_ms=1)
    record(bob, past, cleared=19, elapsed_ms=1)
    settled(past, clock)
    text = page(client)
    assert told_of(text, past) == "Sat 21 November 2026 final Strict 2 ranked, best 19"
    assert told_of(text, DAY) == "Mon 30 November 2026 open today Endless 0 ranked"


def test_a_day_that_is_over_and_not_settled_is_closing(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(hours=12, minutes=10)
    assert "closing" in told_of(page(client, "2026-11"), DAY)


def test_a_void_day_says_so(client: Client, challenge: Challenge) -> None:
    void_day(challenge=challenge, reason="sold", by=None)
    assert "void" in told_of(page(client), DAY)


def test_a_coming_day_tells_nothing_but_that_it_comes(client: Client, challenge: Challenge) -> None:
    coming = make_challenge(DAY + timedelta(days=2), rules="strict")
    text = page(client, "2026-12")
    assert told_of(text, coming) == "Wed 2 December 2026 coming"
    for secret in (coming.salt, coming.code, coming.deck, "Strict"):
        assert secret not in text


def test_my_own_results_are_shown_to_me(
    client: Client, challenge: Challenge, ann: Player, bob: Player
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=65_300)
    assert "You:" not in page(client)
    client.force_login(ann)
    assert "You: 20 in 1:05.3" in told_of(page(client), DAY)
    client.force_login(bob)
    assert "You:" not in page(client)


def test_my_void_run_is_told_as_such(client: Client, challenge: Challenge, ann: Player) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=65_300)
    void_run(run_id=run.pk, reason="a program", by=None)
    client.force_login(ann)
    assert "You: void" in told_of(page(client), DAY)


def test_months_are_linked_as_far_as_there_are_days(client: Client, challenge: Challenge) -> None:
    make_challenge(DAY - timedelta(days=70))
    make_challenge(DAY + timedelta(days=1))
    text = page(client)
    assert 'rel="prev" href="?month=2026-10"' in text
    assert 'rel="next" href="?month=2026-12"' in text
    assert 'rel="next"' not in page(client, "2026-12")
    assert 'rel="prev"' not in page(client, "2026-09")


def test_a_month_in_between_without_a_day_says_so(client: Client, challenge: Challenge) -> None:
    make_challenge(DAY - timedelta(days=70))
    assert "There was no deal in this month" in page(client, "2026-10")


def test_before_there_is_any_day_the_present_month_is_empty(
    client: Client, db: None, clock: FrozenClock
) -> None:
    assert "There was no deal in this month" in page(client)


@pytest.mark.parametrize(
    "month", ["2020-01", "2099-12", "2026-13", "2026-00", "2026", "x", "2026-11-30", "'", "%3Cscript%3E"]
)
def test_a_month_that_there_is_not_is_not_found(client: Client, challenge: Challenge, month: str) -> None:
    assert client.get(f"{ARCHIVE}?month={month}").status_code == 404


def test_a_month_costs_as_much_with_many_days_as_with_few(
    client: Client, challenge: Challenge, ann: Player, settings: Settings
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    for ago in range(1, 29):
        record(
            make_player(f"player{ago}"), make_challenge(DAY - timedelta(days=ago)), cleared=9, elapsed_ms=1
        )
    with CaptureQueriesContext(connection) as captured:
        page(client)
    assert len(captured) == 2
    client.force_login(ann)
    with CaptureQueriesContext(connection) as captured:
        page(client)
    assert len(captured) == 5


def test_a_month_that_says_nothing_new_is_not_sent_again(client: Client, challenge: Challenge) -> None:
    etag = client.get(ARCHIVE).headers["ETag"]
    assert client.get(ARCHIVE, headers={"if-none-match": etag}).status_code == 304
