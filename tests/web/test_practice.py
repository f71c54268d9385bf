"""The practice page: what the server adds to what the browser does by itself."""

import json
import re
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from daily.models import Challenge
from games.pyramid.rules import RULES
from leaderboard.corrections import void_day
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock

pytestmark = pytest.mark.django_db


def told(client: Client, query: str = "") -> dict[str, Any]:
    """What the page says to its script."""
    response = client.get(f"/practice/{query}")
    assert response.status_code == 200
    found = re.search(r'<script id="practice"[^>]*>(.*?)</script>', response.content.decode())
    assert found
    answer: dict[str, Any] = json.loads(found[1])
    return answer


def settle(clock: FrozenClock) -> None:
    clock.advance(days=2)
    settle_due(clock.moment)


def test_every_rule_set_can_be_chosen(client: Client) -> None:
    page = client.get("/practice/").content.decode()
    assert told(client)["rules"] == [asdict(rules) for rules in RULES.values()]
    assert all(f'<option value="{slug}">' in page for slug in RULES)


def test_a_look_leaves_no_cookie(client: Client) -> None:
    response = client.get("/practice/")
    assert not response.cookies
    assert response.headers["Cache-Control"] == "private, no-cache"


def test_the_deal_of_a_settled_day_can_be_practised(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    settle(clock)
    assert told(client, f"?day={DAY}")["day"] == {
        "date": str(DAY),
        "rules": challenge.rules,
        "deck": challenge.deck,
        "code": challenge.code,
        "best": challenge.best_clear,
    }


def test_the_deal_of_a_voided_day_can_be_practised_once_it_is_settled(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    void_day(challenge=challenge, by=ann, reason="The deal was known.")
    assert told(client, f"?day={DAY}")["day"] is None
    settle(clock)
    assert told(client, f"?day={DAY}")["day"]["deck"] == challenge.deck


def test_a_day_that_is_due_is_settled_by_asking_for_it(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(days=2)
    assert told(client, f"?day={DAY}")["day"]["deck"] == challenge.deck


@pytest.mark.parametrize(
    ("day", "why"),
    [
        (DAY, "That day is being played. Its deal can be practised once the day is settled."),
        (DAY + timedelta(days=1), "That day is still to come, and so is its deal."),
        (DAY - timedelta(days=300), "There was no deal that day."),
        (DAY + timedelta(days=300), "There is no deal for that day yet."),
        ("yesterday", "That is no day; one is written like 2026-11-30."),
        ("2026-02-30", "That is no day; one is written like 2026-11-30."),
    ],
)
def test_any_other_day_is_refused_with_the_reason(
    client: Client, challenge: Challenge, day: object, why: str
) -> None:
    answer = told(client, f"?day={day}")
    assert (answer["day"], answer["refusal"]) == (None, why)
    assert f"<p>{why}</p>" in client.get(f"/practice/?day={day}").content.decode()


def test_a_day_whose_last_games_are_just_ending_is_refused(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(hours=12, minutes=30)
    assert told(client, f"?day={DAY}")["refusal"].startswith("The last games of that day are just ending.")


def test_a_day_that_is_not_settled_tells_nothing_of_its_deal(client: Client, challenge: Challenge) -> None:
    page = client.get(f"/practice/?day={DAY}").content.decode()
    assert challenge.code not in page
    assert challenge.deck[:30] not in page


def test_without_a_script_the_page_says_so(client: Client) -> None:
    assert "Playing needs JavaScript" in client.get("/practice/").content.decode()
