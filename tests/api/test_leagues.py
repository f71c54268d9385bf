"""Private leagues: founding, joining, leaving, and boards among members."""

from typing import Any

import pytest

from daily.models import Challenge
from leaderboard.models import League
from players.models import Player
from tests.api.conftest import CheckedClient, client_of
from tests.api.test_leaderboard import names_of, walk
from tests.cast import make_player, record

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

LEAGUES = "/api/v1/leagues/"


@pytest.fixture
def code(as_ann: CheckedClient) -> str:
    """The code of ann's league."""
    return str(as_ann.post(LEAGUES, {"name": "Sunday Solvers"}).json()["code"])


@pytest.fixture
def address(code: str) -> str:
    """The address of ann's league."""
    return f"{LEAGUES}{code}/"


def members_of(client: CheckedClient, address: str) -> list[str]:
    return [member["player"] for member in client.get(f"{address}members/").json()["results"]]


def test_who_founds_a_league_is_its_first_member(as_ann: CheckedClient) -> None:
    response = as_ann.post(LEAGUES, {"name": "Sunday  Solvers"})
    assert response.status_code == 201
    league = response.json()
    assert (league["name"], league["owner"], league["is_owner"], league["members"]) == (
        "Sunday Solvers",
        "ann",
        True,
        1,
    )
    assert as_ann.get(LEAGUES).json() == {"results": [league]}
    assert as_ann.get(f"{LEAGUES}{league['code']}/").json() == league
    assert members_of(as_ann, f"{LEAGUES}{league['code']}/") == ["ann"]


def test_a_league_needs_a_name(as_ann: CheckedClient) -> None:
    assert as_ann.post(LEAGUES, {"name": "x"}).json()["errors"][0]["code"] == "too_short"
    assert as_ann.post(LEAGUES, {}).json()["code"] == "invalid"


def test_a_code_lets_others_in_however_it_is_written(
    as_bob: CheckedClient, as_ann: CheckedClient, code: str
) -> None:
    response = as_bob.post(f"{LEAGUES}{code.lower().replace('-', '')}/members/")
    assert response.status_code == 201
    league = response.json()
    assert (league["code"], league["members"], league["is_owner"]) == (code, 2, False)
    assert as_bob.post(f"{LEAGUES}{code}/members/").status_code == 200
    assert members_of(as_ann, f"{LEAGUES}{code}/") == ["bob", "ann"]


def test_only_members_see_that_a_league_exists(
    as_bob: CheckedClient, api: CheckedClient, address: str, challenge: Challenge
) -> None:
    unknown = as_bob.get(f"{LEAGUES}00000-00000/").json()
    for answer in (
        as_bob.get(address),
        as_bob.get(f"{address}members/"),
        as_bob.patch(address, {"name": "Mine now"}),
        as_bob.delete(address),
        as_bob.delete(f"{address}members/me/"),
        as_bob.delete(f"{address}members/ann/"),
        as_bob.post(f"{address}owner/", {"player": "bob"}),
        as_bob.post(f"{address}code/"),
    ):
        assert (answer.status_code, answer.json()) == (404, unknown)
    assert as_bob.get(LEAGUES).json() == {"results": []}
    assert api.get(address).status_code == 401


@pytest.mark.parametrize("code", ["x", "00000-0000", "0" * 5000, "%F0%9F%83%8F", "0000000000'--"])
def test_what_is_no_code_finds_no_league(as_bob: CheckedClient, code: str) -> None:
    assert as_bob.post(f"{LEAGUES}{code}/members/").json()["code"] == "no_such_league"


def test_joining_counts_like_joining_the_game(as_bob: CheckedClient, address: str) -> None:
    assert as_bob.post(f"{address}members/").headers["RateLimit-Policy"].startswith('"join";')
    assert as_bob.get(f"{address}members/").headers["RateLimit-Policy"].startswith('"read";')


def test_a_member_leaves_by_either_name(as_bob: CheckedClient, as_ann: CheckedClient, address: str) -> None:
    for name in ("me", "Bob"):
        as_bob.post(f"{address}members/")
        assert as_bob.delete(f"{address}members/{name}/").status_code == 204
    assert members_of(as_ann, address) == ["ann"]


def test_an_owner_stays(as_ann: CheckedClient, address: str) -> None:
    for name in ("me", "ann"):
        response = as_ann.delete(f"{address}members/{name}/")
        assert (response.status_code, response.json()["code"]) == (409, "owner_stays")


def test_who_was_sent_away_comes_back_with_a_new_code_only(
    as_ann: CheckedClient, as_bob: CheckedClient, address: str
) -> None:
    as_bob.post(f"{address}members/")
    assert as_ann.delete(f"{address}members/bob/").status_code == 204
    refused = as_bob.post(f"{address}members/")
    assert (refused.status_code, refused.json()["code"]) == (403, "expelled")
    league = as_ann.post(f"{address}code/").json()
    assert as_ann.get(address).json()["code"] == "no_such_league"
    assert as_bob.post(f"{LEAGUES}{league['code']}/members/").status_code == 201


def test_only_the_owner_rules(
    as_bob: CheckedClient, as_ann: CheckedClient, address: str, ann: Player
) -> None:
    as_bob.post(f"{address}members/")
    for answer in (
        as_bob.patch(address, {"name": "Mine now"}),
        as_bob.delete(address),
        as_bob.delete(f"{address}members/ann/"),
        as_bob.post(f"{address}owner/", {"player": "bob"}),
        as_bob.post(f"{address}code/"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "not_owner")
    assert as_ann.get(address).json()["name"] == "Sunday Solvers"


def test_a_league_can_be_renamed(as_ann: CheckedClient, address: str) -> None:
    assert as_ann.patch(address, {"name": "Monday Moaners 🎉"}).json()["name"] == "Monday Moaners 🎉"
    assert as_ann.patch(address, {"name": "\u202e"}).json()["code"] == "bad_name"
    assert as_ann.get(address).json()["name"] == "Monday Moaners 🎉"


def test_a_league_is_passed_on_to_a_member(
    as_ann: CheckedClient, as_bob: CheckedClient, address: str
) -> None:
    outsider = as_ann.post(f"{address}owner/", {"player": "bob"}).json()
    assert outsider["code"] == "no_such_member"
    as_bob.post(f"{address}members/")
    league = as_ann.post(f"{address}owner/", {"player": "bob"}).json()
    assert (league["owner"], league["is_owner"]) == ("bob", False)
    assert as_bob.get(address).json()["is_owner"] is True
    assert as_ann.delete(f"{address}members/me/").status_code == 204


def test_a_closed_league_is_gone_for_everybody(
    as_ann: CheckedClient, as_bob: CheckedClient, address: str
) -> None:
    as_bob.post(f"{address}members/")
    assert as_ann.delete(address).status_code == 204
    assert as_bob.get(address).status_code == as_ann.get(address).status_code == 404
    assert as_bob.post(f"{address}members/").json()["code"] == "no_such_league"
    assert League.objects.get().closed_at


def test_members_come_in_pages(as_ann: CheckedClient, address: str) -> None:
    for letter in "cde":
        client_of(make_player(f"{letter}ora")).post(f"{address}members/")
    first = as_ann.get(f"{address}members/?limit=3").json()
    second = as_ann.get(first["next"]).json()
    names = [member["player"] for page in (first, second) for member in page["results"]]
    assert names == ["eora", "dora", "cora", "ann"]
    assert second["results"][0]["is_owner"] is True
    assert as_ann.get(second["previous"]).json()["results"] == first["results"]


def test_one_can_be_in_twenty_leagues(as_ann: CheckedClient) -> None:
    for number in range(20):
        as_ann.post(LEAGUES, {"name": f"League {number}"})
    response = as_ann.post(LEAGUES, {"name": "One more"})
    assert (response.status_code, response.json()["code"]) == (409, "too_many_leagues")


BOARDS = [
    "/api/v1/challenges/today/leaderboard/",
    "/api/v1/leaderboards/week/current/",
    "/api/v1/leaderboards/month/current/",
    "/api/v1/leaderboards/all-time/",
]


@pytest.fixture
def among_members(
    address: str, ann: Player, as_bob: CheckedClient, bob: Player, challenge: Challenge
) -> None:
    """Ann, bob and cora are members and equal two by two; a stranger is better than all."""
    cora = make_player("cora")
    for client in (as_bob, client_of(cora)):
        client.post(f"{address}members/")
    record(make_player("stranger"), challenge, cleared=28, elapsed_ms=1)
    for player, cleared in ((ann, 20), (bob, 20), (cora, 9)):
        record(player, challenge, cleared=cleared, elapsed_ms=60_000)


@pytest.mark.usefixtures("among_members")
@pytest.mark.parametrize("board", BOARDS)
def test_a_leagues_board_ranks_its_members_among_themselves(
    as_ann: CheckedClient, code: str, board: str
) -> None:
    found: dict[str, Any] = as_ann.get(f"{board}?league={code}").json()
    assert [(row["rank"], row["player"]) for row in found["results"]] == [
        (1, "ann"),
        (1, "bob"),
        (3, "cora"),
    ]
    assert (found["field_size"], sum(found["distribution"]), found["distribution"][28]) == (3, 3, 0)
    assert (found["me"]["rank"], found["me"]["field_size"], found["me"]["percentile"]) == (1, 3, 50.0)


@pytest.mark.usefixtures("among_members")
@pytest.mark.parametrize("board", BOARDS)
def test_pages_of_a_leagues_board_stay_in_the_league(as_ann: CheckedClient, code: str, board: str) -> None:
    assert walk(as_ann, f"{board}?league={code}&limit=1") == ["ann", "bob", "cora"]
    page = as_ann.get(f"{board}?league={code}&around=cora&limit=1").json()
    assert names_of(page) == ["cora"]
    assert walk(as_ann, page["previous"], "previous") == ["ann", "bob"]
    assert as_ann.get(f"{board}?league={code}&around=stranger").json()["code"] == "not_ranked"


@pytest.mark.usefixtures("among_members")
@pytest.mark.parametrize("board", BOARDS)
def test_a_leagues_board_is_for_its_members(
    api: CheckedClient, as_bob: CheckedClient, code: str, board: str
) -> None:
    stranger = client_of(Player.objects.get(name="stranger"))
    assert stranger.get(f"{board}?league={code}").json()["code"] == "no_such_league"
    assert stranger.get(f"{board}?league=").json()["code"] == "no_such_league"
    assert api.get(f"{board}?league={code}").json()["code"] == "not_authenticated"
    answer = as_bob.get(f"{board}?league={code}")
    assert answer.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.usefixtures("among_members")
def test_a_cursor_of_a_leagues_board_belongs_to_the_league(as_ann: CheckedClient, code: str) -> None:
    cursor = as_ann.get(f"{BOARDS[0]}?league={code}&limit=1").json()["next"]
    assert as_ann.get(cursor.replace("league=", "l=")).json()["code"] == "bad_cursor"
    other = as_ann.post(LEAGUES, {"name": "Another one"}).json()["code"]
    assert as_ann.get(cursor.replace(code, other)).json()["code"] == "bad_cursor"
