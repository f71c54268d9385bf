"""The leaderboard of a day: pages, neighbours, oneself."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from api import caching, pagination
from daily.models import Challenge, Run
from leaderboard.corrections import void_run
from players.models import Player
from tests.api.conftest import CheckedClient, forget_kept_answers
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, make_player, record

TODAY, BOARD = "/api/v1/challenges/today/", "/api/v1/challenges/today/leaderboard/"
NAMES = ["cora", "dora", "edda", "fred", "gina", "hugo", "ines"]


@pytest.fixture
def field(challenge: Challenge, ann: Player, bob: Player) -> None:
    """Ann leads; Bob and three more are equal behind her; the rest did worse."""
    record(ann, challenge, cleared=28, elapsed_ms=151_200)
    record(bob, challenge, cleared=20, elapsed_ms=60_000)
    for number, name in enumerate(NAMES):
        cleared, elapsed_ms = (20, 60_000) if number < 3 else (10, 60_000 + number)
        record(make_player(name), challenge, cleared=cleared, elapsed_ms=elapsed_ms)


def names_of(page: dict[str, Any]) -> list[str]:
    return [row["player"] for row in page["results"]]


def walk(api: CheckedClient, url: str | None, way: str = "next") -> list[str]:
    """The names on all pages from here, in the order of the board."""
    names: list[str] = []
    while url:
        page = api.get(url).json()
        names = names + names_of(page) if way == "next" else names_of(page) + names
        url = page[way]
    return names


def test_an_empty_board_is_empty(api: CheckedClient, challenge: Challenge) -> None:
    assert api.get(BOARD).json() == {
        "challenge": "2026-11-30",
        "field_size": 0,
        "distribution": [0] * 29,
        "results": [],
        "next": None,
        "previous": None,
        "me": None,
    }


@pytest.mark.usefixtures("field")
def test_the_board_is_told_best_first_with_shared_ranks(api: CheckedClient) -> None:
    board = api.get(BOARD).json()
    assert board["field_size"] == 9
    assert [row["rank"] for row in board["results"]] == [1, 2, 2, 2, 2, 6, 7, 8, 9]
    assert (board["distribution"][28], board["distribution"][20], board["distribution"][10]) == (1, 4, 4)
    first = board["results"][0]
    assert (first["player"], first["cleared"], first["elapsed_ms"], first["won"]) == (
        "ann",
        28,
        151_200,
        True,
    )
    assert first["under_review"] is False
    assert api.get(f"/api/v1/runs/{first['run']}/").json()["player"] == "ann"


@pytest.mark.usefixtures("field")
def test_pages_join_up_inside_ties_in_both_directions(api: CheckedClient) -> None:
    everybody = names_of(api.get(BOARD).json())
    for limit in (1, 2, 3, 9):
        assert walk(api, f"{BOARD}?limit={limit}") == everybody
    last = api.get(f"{BOARD}?limit=2").json()
    while last["next"]:
        last = api.get(last["next"]).json()
    assert walk(api, last["previous"], "previous") + names_of(last) == everybody


@pytest.mark.usefixtures("field")
def test_a_page_neither_repeats_nor_skips_when_somebody_overtakes(
    api: CheckedClient, challenge: Challenge
) -> None:
    first = api.get(f"{BOARD}?limit=3").json()
    record(make_player("zoe"), challenge, cleared=28, elapsed_ms=100_000)
    rest = walk(api, first["next"])
    assert len(first["results"]) + len(rest) == 9
    assert not set(names_of(first)) & set(rest)


@pytest.mark.usefixtures("field")
def test_links_repeat_the_neighbours(api: CheckedClient) -> None:
    response = api.get(f"{BOARD}?limit=3")
    assert response.headers["Link"] == f'<{response.json()["next"]}>; rel="next"'


@pytest.mark.usefixtures("field")
def test_around_somebody_is_their_neighbourhood(api: CheckedClient) -> None:
    everybody = names_of(api.get(BOARD).json())
    page = api.get(f"{BOARD}?around=Fred&limit=3").json()
    place = everybody.index("fred")
    assert names_of(page) == everybody[place - 1 : place + 2]
    assert walk(api, page["next"]) == everybody[place + 2 :]
    assert walk(api, page["previous"], "previous") == everybody[: place - 1]


@pytest.mark.usefixtures("field")
def test_around_me_is_for_somebody(as_ann: CheckedClient, api: CheckedClient) -> None:
    assert names_of(as_ann.get(f"{BOARD}?around=me&limit=1").json()) == ["ann"]
    assert api.get(f"{BOARD}?around=me").status_code == 401


@pytest.mark.usefixtures("field")
def test_the_caller_sees_where_they_stand(as_bob: CheckedClient, api: CheckedClient) -> None:
    assert as_bob.get(f"{BOARD}?limit=1").json()["me"] == {
        "rank": 2,
        "field_size": 9,
        "percentile": 50.0,
        "cleared": 20,
        "elapsed_ms": 60_000,
        "run": str(Run.objects.get(player__name="bob").pk),
    }
    assert api.get(BOARD).json()["me"] is None


def test_who_did_not_play_is_not_on_the_board(
    as_ann: CheckedClient, bob: Player, challenge: Challenge
) -> None:
    assert as_ann.get(BOARD).json()["me"] is None
    for who in ("me", "bob"):
        assert as_ann.get(f"{BOARD}?around={who}").json()["code"] == "not_ranked"
    assert as_ann.get(f"{BOARD}?around=stranger").json()["code"] == "not_found"


def test_a_coming_day_has_no_board(api: CheckedClient, challenge: Challenge) -> None:
    make_challenge(DAY + timedelta(days=1))
    assert api.get("/api/v1/challenges/2026-12-01/leaderboard/").status_code == 404


@pytest.mark.usefixtures("field")
def test_a_cursor_belongs_to_its_day(api: CheckedClient) -> None:
    make_challenge(DAY - timedelta(days=1))
    url = api.get(f"{BOARD}?limit=2").json()["next"]
    problem = api.get(url.replace("today", "2026-11-29")).json()
    assert problem["code"] == "bad_cursor"


def test_a_run_that_came_too_quickly_is_under_review(
    api: CheckedClient, challenge: Challenge, as_ann: CheckedClient
) -> None:
    attempt_id = as_ann.post("/api/v1/challenges/today/attempts/").json()["id"]
    as_ann.post(f"/api/v1/attempts/{attempt_id}/run/", {"log": greedy_log(challenge, 4)})
    assert api.get(BOARD).json()["results"][0]["under_review"] is True


@pytest.mark.usefixtures("field")
def test_polling_is_answered_with_304_until_something_happens(
    api: CheckedClient, challenge: Challenge
) -> None:
    etag = api.get(BOARD).headers["ETag"]
    assert api.get(BOARD, HTTP_IF_NONE_MATCH=etag).status_code == 304
    record(make_player("zoe"), challenge, cleared=1, elapsed_ms=100_000)
    forget_kept_answers()
    assert api.get(BOARD, HTTP_IF_NONE_MATCH=etag).status_code == 200


@pytest.mark.usefixtures("field")
def test_the_personal_board_is_not_the_public_one(as_bob: CheckedClient, api: CheckedClient) -> None:
    mine, public = as_bob.get(BOARD), api.get(BOARD)
    assert mine.headers["ETag"] != public.headers["ETag"]
    assert public.headers["Cache-Control"] == "public, no-cache"
    assert mine.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.usefixtures("field")
def test_what_many_ask_for_is_made_once(
    api: CheckedClient, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    first = api.get(BOARD)
    with django_assert_max_num_queries(3):
        second = api.get(BOARD)
    assert (second.content, second["ETag"], second["Cache-Control"]) == (
        first.content,
        first["ETag"],
        "public, no-cache",
    )


@pytest.mark.usefixtures("field")
def test_a_new_run_shows_at_once_to_who_has_a_name(
    api: CheckedClient, as_bob: CheckedClient, challenge: Challenge
) -> None:
    assert api.get(BOARD).json()["field_size"] == as_bob.get(BOARD).json()["field_size"] == 9
    record(make_player("zara"), challenge, cleared=28, elapsed_ms=1)
    assert names_of(as_bob.get(BOARD).json())[0] == "zara"


@pytest.mark.usefixtures("field")
def test_a_kept_board_shows_what_changed_a_second_later(
    api: CheckedClient, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = api.get(BOARD)
    void_run(run_id=ann.runs.get().pk, by=ann, reason="A test.")
    assert names_of(api.get(BOARD).json())[0] == names_of(before.json())[0] == "ann"
    later = time.time() + caching.KEPT_S
    monkeypatch.setattr("django.core.cache.backends.locmem.time.time", lambda: later)
    after = api.get(BOARD, HTTP_IF_NONE_MATCH=before.headers["ETag"])
    assert "ann" not in names_of(after.json())


@pytest.mark.usefixtures("field")
def test_a_board_is_kept_for_a_second_whatever_the_clock_is_set_to(
    api: CheckedClient, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert names_of(api.get(BOARD).json())[0] == "ann"
    void_run(run_id=ann.runs.get().pk, by=ann, reason="A test.")
    an_hour_back, a_second_later = time.time() - 3600, time.monotonic() + caching.KEPT_S
    monkeypatch.setattr("django.core.cache.backends.locmem.time.time", lambda: an_hour_back)
    monkeypatch.setattr("time.monotonic", lambda: a_second_later)
    assert names_of(api.get(BOARD).json())[0] != "ann"


@pytest.mark.usefixtures("challenge")
def test_a_board_is_not_kept_across_midnight(api: CheckedClient, clock: FrozenClock) -> None:
    clock.moment = datetime(2026, 11, 30, 23, 59, 59, 999_000, tzinfo=UTC)
    assert api.get(BOARD).json()["challenge"] == api.get(TODAY).json()["date"] == "2026-11-30"
    clock.advance(seconds=0.001)
    assert api.get(BOARD).json()["challenge"] == api.get(TODAY).json()["date"] == "2026-12-01"


@pytest.mark.usefixtures("challenge")
@pytest.mark.parametrize("address", [BOARD, TODAY, "/api/v1/leaderboards/month/current/"])
def test_what_is_told_as_midnight_strikes_is_not_kept_as_the_next_days(
    api: CheckedClient, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    moments = iter([datetime(2026, 11, 30, 23, 59, 59, 999_999, tzinfo=UTC)])
    clock.moment = datetime(2026, 12, 1, tzinfo=UTC)
    monkeypatch.setattr("daily.clock.about_now", lambda: next(moments, clock.moment))
    api.get(address)
    assert b'"2026-12-01"' in api.get(address).content


@pytest.mark.usefixtures("field")
def test_a_kept_board_is_nobodys_own(as_bob: CheckedClient, api: CheckedClient) -> None:
    assert api.get(BOARD).json()["me"] is None
    assert as_bob.get(BOARD).json()["me"]["rank"] == 2
    assert api.get(BOARD).json()["me"] is None


@pytest.mark.usefixtures("field")
def test_a_kept_board_links_to_the_host_that_was_asked(
    api: CheckedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagination, "DEFAULT_LIMIT", 2)
    for host in ("localhost", "127.0.0.1"):
        assert api.get(BOARD, HTTP_HOST=host).json()["next"].startswith(f"http://{host}/")
