"""The page on which the day is played, as the server writes it."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from daily.models import Attempt, Challenge, Look
from daily.services import keep_checkpoint
from leaderboard.corrections import void_day
from leaderboard.services import submit_run
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, started

PLAY = "/play/"


def page(client: Client) -> str:
    response = client.get(PLAY)
    assert response.status_code == 200
    return response.content.decode()


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def data(text: str) -> dict[str, object]:
    """What the page tells its script."""
    [found] = re.findall(r'<script id="daily" type="application/json">(.*?)</script>', text)
    return dict(json.loads(found))


def test_before_the_start_it_says_what_the_start_means(client: Client, challenge: Challenge) -> None:
    text = page(client)
    for said in ("The clock runs from Start", "One attempt counts.", "60 minutes", "Endless", "closes in"):
        assert said in text
    assert '/rules/endless/"' in text


def test_who_has_played_before_signs_in_and_comes_back(client: Client, challenge: Challenge) -> None:
    ways = re.findall(r'<a [^>]*href="([^"]*)\?next=/play/"', page(client))
    assert len(ways) == 2
    assert set(ways) == {"/account/login/"}


def test_it_never_holds_the_deal(client: Client, challenge: Challenge, ann: Player) -> None:
    started(ann)
    for text in (page(client), page(client_of(ann))):
        assert challenge.deck not in text
        assert "deck" not in data(text)


def test_its_script_gets_rules_and_addresses(client: Client, challenge: Challenge) -> None:
    told = data(page(client))
    assert told["attempts"] == "/api/v1/challenges/2026-11-30/attempts/"
    assert (told["isSignedIn"], told["state"]) == (False, "new")
    rules = told["rules"]
    assert isinstance(rules, dict)
    assert (rules["slug"], rules["passes"], rules["win"]) == ("endless", None, "pyramid")


def test_a_limit_on_undo_is_said_before(client: Client, db: None, clock: FrozenClock) -> None:
    make_challenge(DAY, "pyramide")
    assert "up to 100 moves" in page(client)


def test_it_hands_out_the_token_that_starting_takes(client: Client, challenge: Challenge) -> None:
    assert "csrftoken" in client.get(PLAY).cookies
    assert "sessionid" not in client.cookies


def test_a_running_attempt_goes_on_at_once(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    started(ann)
    clock.advance(minutes=20)
    text = page(client_of(ann))
    assert "Your clock is running" in text
    assert "40 min" in text
    assert data(text)["state"] == "playing"


def test_who_has_played_is_led_to_the_result(challenge: Challenge, ann: Player) -> None:
    run, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=["D"])
    response = client_of(ann).get(PLAY)
    assert (response.status_code, response.headers["Location"]) == (302, f"/runs/{run.pk}/")


def test_an_attempt_begun_before_midnight_goes_first(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    make_challenge(DAY + timedelta(days=1))
    clock.advance(hours=11, minutes=30)
    started(ann)
    clock.advance(minutes=45)
    text = page(client_of(ann))
    assert "the deal of 30 November, which you began before midnight" in text
    assert data(text)["attempts"] == "/api/v1/challenges/2026-11-30/attempts/"


def test_the_new_deal_comes_after_the_one_begun_before_midnight(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    make_challenge(DAY + timedelta(days=1))
    clock.advance(hours=11, minutes=30)
    attempt = started(ann)
    clock.advance(minutes=45)
    submit_run(player=ann, attempt_id=attempt.pk, log=["D"])
    assert data(page(client_of(ann)))["attempts"] == "/api/v1/challenges/2026-12-01/attempts/"


def test_out_of_time_the_result_is_on_its_way(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    keep_checkpoint(player=ann, attempt_id=started(ann).pk, log=["D"])
    clock.advance(minutes=60, seconds=20)
    text = page(client_of(ann))
    assert "Your result is being made" in text
    assert 'id="game"' not in text
    clock.advance(seconds=41)
    assert client_of(ann).get(PLAY).status_code == 302
    assert ann.runs.get().is_from_checkpoint


def test_out_of_time_with_nothing_kept_the_day_is_over(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    started(ann)
    clock.advance(minutes=61)
    text = page(client_of(ann))
    assert "counts as played, without a result" in text
    assert 'id="start"' not in text


@pytest.mark.parametrize(
    ("requirement", "said"), [("account", "an account are ranked"), ("verified", "a verified address")]
)
def test_what_ranking_requires_is_said_before_the_start(
    challenge: Challenge, ann: Player, settings: Settings, requirement: str, said: str
) -> None:
    settings.RANKED_REQUIRES = requirement
    if requirement == "verified":
        ann.is_guest = False
        ann.save()
    assert said in page(client_of(ann))
    ann.is_guest, ann.email_verified_at = False, timezone.now()
    ann.save()
    assert said not in page(client_of(ann))


def test_strangers_are_told_to_sign_up_where_only_accounts_are_ranked(
    client: Client, challenge: Challenge, settings: Settings
) -> None:
    settings.RANKED_REQUIRES = "account"
    assert "Sign up or sign in" in page(client)


def test_who_looked_at_the_deal_is_told_that_it_will_not_count(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    Look.objects.create(challenge=challenge, player=ann, first_at=clock.now())
    assert "your run will not be ranked" in page(client_of(ann))


def test_a_withdrawn_deal_says_so(
    client: Client, challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    void_day(challenge=challenge, reason="Two aces of <spades>.", by=ann)
    text = page(client)
    assert "withdrawn: Two aces of &lt;spades&gt;." in text
    assert "nothing counts today" in text


def test_without_scripts_it_leads_to_all_that_works_without(client: Client, challenge: Challenge) -> None:
    [found] = re.findall(r'<div id="no-script"(.*?)</div>', page(client), re.DOTALL)
    assert "Playing needs JavaScript" in found
    for address in re.findall(r'href="([^"]+)"', found):
        assert client.get(address).status_code == 200, address


def test_looking_starts_nothing(challenge: Challenge, ann: Player) -> None:
    page(client_of(ann))
    assert not Attempt.objects.exists()


def test_it_takes_no_post(client: Client, challenge: Challenge) -> None:
    assert client.post(PLAY).status_code == 405
