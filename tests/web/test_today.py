"""The first page: the day at a glance."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from daily.models import Challenge, Unranked
from daily.services import keep_checkpoint
from leaderboard.corrections import void_day
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player, record, started
from tests.web.test_play import client_of

MOST_QUERIES = 16
"""For a player who has played, with the session and the player, without a worker that finishes attempts."""


def page(client: Client) -> str:
    response = client.get("/")
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def yesterday(challenge: Challenge, clock: FrozenClock) -> Challenge:
    """The day before, played by six, not settled yet."""
    before = make_challenge(DAY - timedelta(days=1))
    for number in range(6):
        record(make_player(f"rival {chr(97 + number)}"), before, cleared=20 + number, elapsed_ms=65_400)
    return before


def test_a_stranger_learns_the_game_and_can_play(client: Client, challenge: Challenge) -> None:
    text = page(client)
    assert "pairs of uncovered cards that make 13" in text
    assert 'aria-label="9 of spades"' in text
    assert 'href="/play/">Play today&#x27;s deal' in text or 'href="/play/">Play today\'s deal' in text
    assert "The day closes" in text


def test_looking_leaves_no_cookie(client: Client, challenge: Challenge) -> None:
    assert not client.get("/").cookies


def test_the_time_left_is_by_the_servers_clock(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(hours=2, minutes=30)
    text = page(client)
    assert 'data-until="2026-12-01T00:00:00+00:00" data-now="2026-11-30T14:30:00+00:00"' in text
    assert ">9 h 30 min<" in text


def test_how_the_field_is_doing(client: Client, challenge: Challenge, ann: Player, bob: Player) -> None:
    assert "Nobody has started yet" in page(client)
    submit_run(player=ann, attempt_id=started(ann).pk, log=["D"])
    started(bob)
    text = page(client)
    assert "<strong>2</strong> started, <strong>1</strong> finished" in text
    assert "chart-bars" in text


def test_the_best_five_of_the_last_day(client: Client, yesterday: Challenge) -> None:
    text = page(client)
    assert "Best of 29 November" in text
    places = [text.index(f"rival {letter}</bdi>") for letter in "fedcb"]
    assert places == sorted(places)
    assert "rival a</bdi>" not in text
    assert "25/28" in text
    assert 'href="/days/2026-11-29/"' in text


def test_a_last_day_that_is_due_is_settled_by_who_looks(client: Client, yesterday: Challenge) -> None:
    assert "The final board" in page(client)
    yesterday.refresh_from_db()
    assert yesterday.is_settled


def test_a_voided_day_is_passed_over_for_the_one_before(
    client: Client, yesterday: Challenge, ann: Player, clock: FrozenClock
) -> None:
    record(ann, make_challenge(DAY - timedelta(days=2)), cleared=7, elapsed_ms=1_000)
    void_day(challenge=yesterday, reason="Bad.", by=ann)
    assert "Best of 28 November" in page(client)


def test_who_plays_is_led_back(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    started(ann)
    clock.advance(minutes=48)
    text = page(client_of(ann))
    assert "Your clock is running" in text
    assert ">12 min<" in text


def test_who_has_played_sees_result_rank_and_streak(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    record(ann, make_challenge(DAY - timedelta(days=1)), cleared=3, elapsed_ms=5_000)
    record(bob, challenge, cleared=28, elapsed_ms=5_000)
    attempt = started(ann)
    clock.advance(seconds=61.5)
    run, _ = submit_run(player=ann, attempt_id=attempt.pk, log=["D"])
    text = page(client_of(ann))
    assert "You cleared 0 of 28." in text
    assert "1:01.5 · rank 2 of 2" in text
    assert f'href="/runs/{run.pk}/"' in text
    assert "<dd>2 <small>days</small></dd>" in text
    assert "The next deal is out" in text
    assert "(yours)" in text


def test_an_unranked_result_says_what_it_would_be(challenge: Challenge, ann: Player) -> None:
    run, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=["D"])
    run.unranked_reason = Unranked.LOOKED
    run.save()
    text = page(client_of(ann))
    assert "not ranked; would be rank" in text
    assert "(yours)" not in text


def test_out_of_time_leads_to_what_comes_of_it(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    keep_checkpoint(player=ann, attempt_id=started(ann).pk, log=["D"])
    clock.advance(minutes=60, seconds=20)
    assert "Your result is being made of your last moves." in page(client_of(ann))


def test_a_withdrawn_deal_says_so(
    client: Client, challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    void_day(challenge=challenge, reason="Bad <cards>.", by=ann)
    assert "withdrawn: Bad &lt;cards&gt;." in page(client)


def test_names_are_shown_harmlessly(client: Client, yesterday: Challenge) -> None:
    Player.objects.filter(name="rival f").update(name="<script>alert(1)</script>")
    text = page(client)
    assert "<script>alert" not in text
    assert "<bdi>&lt;script&gt;" in text


def test_it_is_cheap(yesterday: Challenge, ann: Player) -> None:
    settle_due(yesterday.closes_at + timedelta(hours=2))
    submit_run(player=ann, attempt_id=started(ann).pk, log=["D"])
    client = client_of(ann)
    page(client)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page(client)
    assert len(queries) <= MOST_QUERIES, "\n".join(query["sql"][:200] for query in queries)
