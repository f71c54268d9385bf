"""The pages of players."""

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from daily.models import Attempt, Challenge, Run, Unranked
from leaderboard.corrections import void_day, void_run
from leaderboard.profiles import latest_results
from leaderboard.settling import settle_due
from players.deletion import anonymise
from players.models import Player
from tests.cast import DAY, NOON, FrozenClock, make_challenge, make_player, record
from web.views import profiles


def page(client: Client, address: str = "/players/ann/") -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def figure(text: str, name: str) -> str:
    found = re.search(rf"<dt>{name}</dt><dd>(.*?)</dd>", text)
    assert found, name
    return " ".join(re.sub("<[^>]*>", "", found[1]).split())


def days(text: str) -> list[str]:
    return re.findall(r'<td class="who"><a href="/days/([\d-]+)/"', text)


@pytest.fixture
def long_ago(clock: FrozenClock, ann: Player, monkeypatch: pytest.MonkeyPatch) -> list[Challenge]:
    """Twelve days that Ann played, the oldest first, all settled but today; pages are of five."""
    monkeypatch.setattr(profiles, "ROWS", 5)
    monkeypatch.setattr(profiles, "CHARTED_RUNS", 9)
    days = [make_challenge(DAY - timedelta(days=ago)) for ago in range(11, -1, -1)]
    for number, day in enumerate(days):
        record(ann, day, cleared=number % 10, elapsed_ms=60_000)
    settle_due(clock.moment)
    return days


def test_the_figures_of_a_player(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player, bob: Player
) -> None:
    yesterday = make_challenge(DAY - timedelta(days=1))
    Challenge.objects.update(best_clear=28)
    record(bob, yesterday, cleared=28, elapsed_ms=1)
    record(ann, yesterday, cleared=14, elapsed_ms=60_000)
    record(ann, challenge, cleared=28, elapsed_ms=125_300)
    settle_due(clock.moment)
    text = page(client)
    told = {
        "Streak": "2 days",
        "Longest streak": "2 days",
        "Days played": "2",
        "Won": "1 of 2",
        "Cleared on average": "21.0 of 28",
        "Most cleared": "28",
        "Fastest full clear": "2:05.3",
        "Share of the best": "50 % on average",
        "Best rank": "2",
        "First places": "0",
        "Top tens": "1",
    }
    assert {name: figure(text, name) for name in told} == told


def test_who_has_not_played_has_a_page_without_charts(client: Client, ann: Player) -> None:
    text = page(client)
    assert "No runs yet" in text
    assert "<svg class=\"chart" not in text  # fmt: skip
    assert figure(text, "Cleared on average") == figure(text, "Best rank") == "\N{EN DASH}"


def test_who_has_not_played_is_asked_to_on_the_own_page(client: Client, ann: Player) -> None:
    client.force_login(ann)
    assert "You have not finished a day yet" in page(client)


def test_attempts_that_came_to_nothing_are_told(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    Attempt.objects.create(
        challenge=challenge, player=ann, started_at=NOON, deadline_at=NOON + timedelta(hours=1)
    )
    clock.advance(days=1)
    assert figure(page(client), "Days played") == "1, 1 not finished"


def test_charts_show_the_distribution_and_the_days(client: Client, long_ago: list[Challenge]) -> None:
    text = page(client)
    assert "Runs by how many cards they cleared. 0: 2, 1: 2, 2: 1," in text
    assert f"Cards cleared day by day. {DAY - timedelta(days=8)}: 3," in text


def test_one_run_alone_makes_no_line(client: Client, challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    assert "Day by day" not in page(client)


def test_the_latest_results_are_the_newest_runs_that_count_oldest_first(
    long_ago: list[Challenge], ann: Player
) -> None:
    void_run(run_id=Run.objects.get(challenge=DAY).pk, reason="a program", by=None)
    assert latest_results(ann, 2) == [
        (DAY - timedelta(days=2), 9),
        (DAY - timedelta(days=1), 0),
    ]


def test_runs_are_listed_newest_first_and_pages_walk_them_all(
    client: Client, long_ago: list[Challenge]
) -> None:
    newest = [str(day) for day in reversed(long_ago)]
    assert days(page(client)) == newest[:5]
    second = page(client, f"/players/ann/?after={newest[4]}")
    assert days(second) == newest[5:10]
    assert f'rel="next" href="?after={newest[9]}#runs-title"' in second
    assert f'rel="prev" href="?before={newest[5]}#runs-title"' in second
    assert days(page(client, f"/players/ann/?before={newest[5]}")) == newest[:5]
    assert 'rel="next"' not in page(client, f"/players/ann/?after={newest[9]}")


@pytest.mark.parametrize("day", ["x", "2026-02-30", "'", "9" * 400, "2026-W01-1-1"])
def test_a_forged_place_shows_the_newest(client: Client, challenge: Challenge, ann: Player, day: str) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    assert days(page(client, f"/players/ann/?after={day}&before={day}")) == [str(DAY)]


def test_a_place_past_the_oldest_leads_back(client: Client, challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    assert "Show the newest" in page(client, "/players/ann/?after=0001-01-01")


def test_replays_are_linked_once_their_day_is_settled(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=1)
    assert f"/runs/{run.pk}/" not in page(client)
    clock.advance(days=1)
    settle_due(clock.moment)
    assert f"/runs/{run.pk}/replay/" in page(client)


def test_only_i_see_how_an_unsettled_day_compares_with_the_best(
    client: Client, challenge: Challenge, ann: Player, bob: Player
) -> None:
    Challenge.objects.update(best_clear=27)
    run = record(ann, challenge, cleared=20, elapsed_ms=1)
    client.force_login(bob)
    assert "of 27" not in page(client)
    client.force_login(ann)
    text = page(client)
    assert "of 27" in text
    assert f'"/runs/{run.pk}/"' in text


def test_only_i_see_my_void_runs_and_why(
    client: Client, challenge: Challenge, ann: Player, bob: Player
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=1)
    void_run(run_id=run.pk, reason="a <b>program", by=None)
    client.force_login(bob)
    assert days(page(client)) == []
    client.force_login(ann)
    text = page(client)
    assert days(text) == [str(DAY)]
    assert "a &lt;b&gt;program" in text


def test_a_void_day_and_an_unranked_run_are_told_apart(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    yesterday = make_challenge(DAY - timedelta(days=1))
    record(ann, yesterday, cleared=20, elapsed_ms=1)
    record(ann, challenge, cleared=20, elapsed_ms=1)
    Run.objects.filter(challenge=DAY).update(unranked_reason=Unranked.NOT_VERIFIED)
    void_day(challenge=yesterday, reason="sold", by=None)
    text = page(client)
    assert "day void" in text
    assert "not ranked" in text
    assert "address is not verified" not in text
    client.force_login(ann)
    assert "address is not verified" in page(client)


def test_guests_bots_countries_and_the_first_day_are_told(client: Client, ann: Player) -> None:
    assert ">guest<" in page(client)
    Player.objects.filter(pk=ann.pk).update(is_bot=True, country="NL", created_at=NOON)
    text = page(client)
    assert ">bot<" in text
    assert ">NL<" in text
    assert "30 November 2026" in text


def test_nothing_of_an_account_is_told(client: Client, ann: Player) -> None:
    Player.objects.filter(pk=ann.pk).update(email="ann@example.org", is_guest=False)
    client.force_login(ann)
    assert "ann@example.org" not in page(client)


def test_a_deleted_player_stays_without_a_name(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    anonymise(player=ann, now=clock.moment)
    assert client.get("/players/ann/").status_code == 404
    text = page(client, f"/players/{quote(Player.objects.get(pk=ann.pk).name)}/")
    assert "has been deleted" in text
    assert days(text) == [str(DAY)]


@pytest.mark.parametrize("name", ["nobody", "%E2%80%8B", "x" * 3000, "../../etc", "%3Cscript%3E"])
def test_somebody_unknown_is_not_found(client: Client, ann: Player, name: str) -> None:
    assert client.get(f"/players/{name}/").status_code == 404


@pytest.mark.parametrize("spelled", ["ANN", "Ann", "\uff41nn", "a\u200bnn"])
def test_another_spelling_leads_to_the_one_address_with_its_query(
    client: Client, ann: Player, spelled: str
) -> None:
    response = client.get(f"/players/{quote(spelled)}/?after=2026-01-01")
    assert (response.status_code, response.headers["Location"]) == (302, "/players/ann/?after=2026-01-01")


def test_me_leads_to_my_own_page(client: Client, ann: Player) -> None:
    assert client.get("/players/me/").headers["Location"] == "/account/"
    client.force_login(ann)
    assert client.get("/players/me/").headers["Location"] == "/players/ann/"


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '" onmouseover="alert(1)',
        "\u202eevil\u202c",
        "שלום עולם",
        "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
        "a&b;c%20",
        "x?y#z",
        "ñandú 100%",
    ],
)
def test_weird_names_have_pages_that_show_them_harmlessly(
    client: Client, challenge: Challenge, name: str
) -> None:
    player = make_player("victim")
    Player.objects.filter(pk=player.pk).update(name=name)
    Player.objects.get(pk=player.pk).save()
    record(player, challenge, cleared=20, elapsed_ms=1)
    text = page(client, f"/players/{quote(name)}/")
    assert "<script>alert" not in text
    assert '" onmouseover' not in text
    assert len(re.findall(r"<h1><bdi>[^<]*</bdi></h1>", text)) == 1


def test_a_page_that_says_nothing_new_is_not_sent_again(client: Client, ann: Player) -> None:
    etag = client.get("/players/ann/").headers["ETag"]
    assert client.get("/players/ann/", headers={"if-none-match": etag}).status_code == 304


def test_a_long_history_costs_no_more_queries_than_a_short_one(
    client: Client, challenge: Challenge, ann: Player
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    numbers = []
    for ago in range(1, 30, 14):
        record(ann, make_challenge(DAY - timedelta(days=ago)), cleared=20, elapsed_ms=1)
        settle_due(NOON)
        with CaptureQueriesContext(connection) as captured:
            page(client)
        numbers.append(len(captured))
    assert len(set(numbers)) == 1
