"""Joining, and players as everybody sees them."""

from datetime import timedelta

import pytest
from django.core.cache import cache

from daily.models import Challenge
from leaderboard.corrections import void_run
from leaderboard.settling import settle_due
from players.models import Player
from players.services import rename
from tests.api.conftest import CheckedClient, client_of
from tests.api.test_challenges import settle
from tests.cast import DAY, FrozenClock, make_challenge, record

pytestmark = pytest.mark.django_db


def test_a_guest_gets_a_name_and_a_token_that_works(api: CheckedClient) -> None:
    response = api.post("/api/v1/players/", {"name": "Ann"})
    assert response.status_code == 201
    joined = response.json()
    assert joined["player"]["name"] == "Ann"
    assert joined["player"]["is_guest"] is True
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {joined['token']}")
    assert joined["player"].items() <= api.get("/api/v1/me/").json().items()


def test_without_a_name_or_even_a_body_the_guest_gets_a_friendly_name(api: CheckedClient) -> None:
    names = {api.post("/api/v1/players/").json()["player"]["name"] for _ in range(2)}
    assert len(names) == 2
    assert all(len(name) >= 3 for name in names)


def test_a_token_is_never_cached(api: CheckedClient) -> None:
    assert api.post("/api/v1/players/").headers["Cache-Control"] == "private, no-store"


def test_a_taken_name_is_refused_however_it_is_written(api: CheckedClient, ann: Player) -> None:
    response = api.post("/api/v1/players/", {"name": "ANN"})
    assert response.status_code == 409
    assert response.json()["code"] == "name_taken"


def test_a_bad_name_is_refused_with_the_rule_it_breaks(api: CheckedClient) -> None:
    problem = api.post("/api/v1/players/", {"name": "x"}).json()
    assert problem["code"] == "bad_name"
    assert problem["errors"][0]["pointer"] == "/name"
    assert problem["errors"][0]["code"] == "too_short"


def test_a_new_player_has_an_empty_profile(api: CheckedClient, ann: Player, clock: FrozenClock) -> None:
    profile = api.get("/api/v1/players/Ann/").json()
    assert (profile["name"], profile["is_guest"], profile["is_bot"], profile["country"]) == (
        "ann",
        True,
        False,
        None,
    )
    assert profile["streaks"] == {"current": 0, "longest": 0}
    assert (profile["days_played"], profile["runs"], profile["distribution"]) == (0, 0, [0] * 29)
    assert (profile["average_cleared"], profile["average_share"], profile["best_rank"]) == (None, None, None)


def test_a_profile_sums_up_what_was_played(
    api: CheckedClient, ann: Player, bob: Player, challenge: Challenge, clock: FrozenClock
) -> None:
    record(ann, make_challenge(DAY - timedelta(days=1)), cleared=28, elapsed_ms=90_000)
    record(ann, challenge, cleared=14, elapsed_ms=60_000)
    record(bob, challenge, cleared=20, elapsed_ms=60_000)
    settle(challenge, clock)
    settle_due(clock.moment)
    profile = api.get("/api/v1/players/ann/").json()
    assert (profile["days_played"], profile["runs"], profile["wins"]) == (2, 2, 1)
    assert (profile["average_cleared"], profile["most_cleared"]) == (21, 28)
    assert profile["fastest_clear_ms"] == 90_000
    assert profile["streaks"]["longest"] == 2
    assert (profile["distribution"][14], profile["distribution"][28]) == (1, 1)
    assert (profile["average_share"], profile["best_share"]) == (0.5, 0.5)  # the other day has no known best
    assert (profile["best_rank"], profile["first_places"], profile["top_tens"]) == (1, 1, 2)


def test_a_profile_is_public_and_asked_for_again(api: CheckedClient, ann: Player, clock: FrozenClock) -> None:
    response = api.get("/api/v1/players/ann/")
    assert response.headers["Cache-Control"] == "public, no-cache"
    assert api.get("/api/v1/players/ann/", HTTP_IF_NONE_MATCH=response.headers["ETag"]).status_code == 304


@pytest.mark.parametrize("name", ["nobody-here", "a" * 2000, "%F0%9F%83%8F", "..", "%20", "a%2Fb"])
def test_nobody_is_a_404(api: CheckedClient, name: str) -> None:
    for path in (f"/api/v1/players/{name}/", f"/api/v1/players/{name}/runs/"):
        assert api.get(path).json()["code"] == "not_found"


def test_me_is_a_name_for_the_caller(api: CheckedClient, as_ann: CheckedClient, challenge: Challenge) -> None:
    assert as_ann.get("/api/v1/players/me/").json()["name"] == "ann"
    assert as_ann.get("/api/v1/players/me/runs/").json()["results"] == []
    assert api.get("/api/v1/players/me/").json()["code"] == "not_authenticated"


def test_a_history_tells_each_run_and_its_worth(
    api: CheckedClient, ann: Player, bob: Player, challenge: Challenge
) -> None:
    record(bob, challenge, cleared=20, elapsed_ms=60_000)
    run = record(ann, challenge, cleared=14, elapsed_ms=60_000)
    assert api.get("/api/v1/players/ann/runs/").json() == {
        "results": [
            {
                "run": str(run.pk),
                "challenge": "2026-11-30",
                "rules": "endless",
                "cleared": 14,
                "won": False,
                "moves": 0,
                "points": 0,
                "elapsed_ms": 60_000,
                "submitted_at": "2026-11-30T00:01:00.000000Z",
                "rank": 2,
                "field_size": 2,
                "best_clear": None,
                "unranked_reason": None,
                "voided_at": None,
                "void_reason": None,
            }
        ],
        "next": None,
        "previous": None,
    }


def test_how_an_open_day_compares_with_the_best_is_told_to_its_player_only(
    api: CheckedClient, as_ann: CheckedClient, ann: Player, challenge: Challenge
) -> None:
    Challenge.objects.update(best_clear=28)
    record(ann, challenge, cleared=14, elapsed_ms=60_000)
    bests = [
        client.get("/api/v1/players/ann/runs/").json()["results"][0]["best_clear"] for client in (as_ann, api)
    ]
    assert bests == [28, None]


def test_a_voided_run_is_in_the_history_for_its_player_only(
    api: CheckedClient, as_ann: CheckedClient, ann: Player, challenge: Challenge
) -> None:
    run = record(ann, challenge, cleared=14, elapsed_ms=60_000)
    void_run(run_id=run.pk, reason="Played by a program.", by=None)
    [own] = as_ann.get("/api/v1/players/ann/runs/").json()["results"]
    assert (own["void_reason"], own["rank"]) == ("Played by a program.", None)
    assert api.get("/api/v1/players/ann/runs/").json()["results"] == []


def test_a_history_comes_in_pages_both_ways(api: CheckedClient, ann: Player, challenge: Challenge) -> None:
    days = [DAY - timedelta(days=ago) for ago in range(5)]
    for day in days:
        dealt = challenge if day == DAY else make_challenge(day)
        record(ann, dealt, cleared=14, elapsed_ms=60_000)
    first = api.get("/api/v1/players/ann/runs/?limit=2").json()
    second = api.get(first["next"]).json()
    third = api.get(second["next"])
    pages = [first, second, third.json()]
    assert [run["challenge"] for page in pages for run in page["results"]] == list(map(str, days))
    assert (first["previous"], third.json()["next"]) == (None, None)
    assert api.get(third.json()["previous"]).json() == second
    assert third.headers["Link"].endswith('; rel="prev"')


def test_a_cursor_belongs_to_one_history(
    api: CheckedClient, ann: Player, bob: Player, challenge: Challenge
) -> None:
    for day in (challenge, make_challenge(DAY - timedelta(days=1))):
        record(ann, day, cleared=14, elapsed_ms=60_000)
    url = api.get("/api/v1/players/ann/runs/?limit=1").json()["next"]
    assert api.get(url.replace("/ann/", "/bob/")).json()["code"] == "bad_cursor"


def test_a_new_name_shows_as_soon_as_boards_are_made_anew(
    api: CheckedClient, ann: Player, challenge: Challenge
) -> None:
    run = record(ann, challenge, cleared=14, elapsed_ms=60_000)
    addresses = ["challenges/today/leaderboard/", "leaderboards/all-time/"]
    etags = [api.get(f"/api/v1/{address}").headers["ETag"] for address in addresses]
    rename(player=ann, name="Annabel")
    cache.clear()
    for address, etag in zip(addresses, etags, strict=True):
        board = api.get(f"/api/v1/{address}", HTTP_IF_NONE_MATCH=etag).json()
        assert [row["player"] for row in board["results"]] == ["Annabel"]
    assert api.get(f"/api/v1/runs/{run.pk}/").json()["player"] == "Annabel"
    assert api.get("/api/v1/players/annabel/").json()["name"] == "Annabel"
    assert api.get("/api/v1/players/ann/").status_code == 404


def test_a_player_who_left_is_nobody_and_their_place_stays(
    api: CheckedClient, as_ann: CheckedClient, ann: Player, challenge: Challenge
) -> None:
    record(ann, challenge, cleared=14, elapsed_ms=60_000)
    assert as_ann.delete("/api/v1/me/").status_code == 204
    [row] = api.get("/api/v1/challenges/today/leaderboard/").json()["results"]
    assert (row["rank"], row["cleared"]) == (1, 14)
    assert row["player"].startswith("Deleted player ")
    assert api.get("/api/v1/players/ann/").status_code == 404
    assert as_ann.get("/api/v1/me/").status_code == 401
    assert client_of(Player.objects.create(name="ann")).get("/api/v1/me/").json()["runs"] == 0
