"""The pages of leagues."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from daily.models import Challenge
from leaderboard.leagues import create_league, join_league, kick_member, show_code
from leaderboard.models import League
from players import throttling
from players.models import Player
from players.throttling import Meter
from tests.cast import FrozenClock, make_player, record

LEAGUES = "/leagues/"


@pytest.fixture
def league(clock: FrozenClock, ann: Player, bob: Player) -> League:
    """Ann's, with Bob."""
    league = create_league(owner=ann, name="Friends & <i>foes</i>", now=clock.moment)
    join_league(player=bob, code=league.code, now=clock.moment)
    return league


@pytest.fixture
def address(league: League) -> str:
    return f"/leagues/{show_code(league.code)}/"


@pytest.fixture
def anns(client: Client, ann: Player) -> Client:
    client.force_login(ann)
    return client


@pytest.fixture
def bobs(bob: Player) -> Client:
    client = Client()
    client.force_login(bob)
    return client


@pytest.fixture
def strangers(db: None) -> Client:
    client = Client()
    client.force_login(make_player("stranger"))
    return client


def text_of(response: Any, status: int = 200) -> str:
    assert response.status_code == status
    text: str = response.content.decode()
    return text


def followed(client: Client, address: str, **data: str) -> str:
    """The page that one is led to after posting."""
    response = client.post(address, data)
    assert response.status_code == 302, response.content.decode()
    return text_of(client.get(response.headers["Location"]))


# The list


def test_my_leagues_are_listed_by_name_with_their_size(
    anns: Client, league: League, ann: Player, clock: FrozenClock
) -> None:
    create_league(owner=ann, name="Another", now=clock.moment)
    text = text_of(anns.get(LEAGUES))
    assert re.findall(r'<a href="/leagues/[^"]*/"><bdi>(.*?)</bdi>', text) == [
        "Another",
        "Friends &amp; &lt;i&gt;foes&lt;/i&gt;",
    ]
    assert "1 member<" in text
    assert "2 members<" in text


def test_who_is_in_none_is_told_so(anns: Client, clock: FrozenClock) -> None:
    assert "You are in no league yet" in text_of(anns.get(LEAGUES))


def test_who_is_not_signed_in_is_told_how_to_begin(client: Client, league: League) -> None:
    response = client.get(LEAGUES)
    text = text_of(response)
    assert 'href="/leagues/start/"' in text
    assert "Friends" not in text
    assert not response.cookies


# Beginning as somebody


@pytest.mark.parametrize("page", ["new/", "join/?code=7K3QZ-MX04B", "7K3QZ-MX04B/", "7K3QZ-MX04B/leave/"])
def test_who_is_not_signed_in_is_asked_to_be_somebody_and_led_back(
    client: Client, league: League, page: str
) -> None:
    wanted = f"{LEAGUES}{page}"
    response = client.get(wanted)
    assert response.status_code == 302
    start = text_of(client.get(response.headers["Location"]))
    assert f'name="next" value="{wanted}"' in start
    assert f"/login/?next={quote(wanted, safe='')}" in start


def test_a_guest_is_made_at_once_and_led_on(client: Client, league: League) -> None:
    wanted = f"/leagues/join/?code={show_code(league.code)}"
    response = client.post("/guests/", {"next": wanted}, headers={"accept": "text/html"})
    assert response.headers["Location"] == wanted
    assert "Join as" in text_of(client.get(wanted))


def test_nobody_is_led_elsewhere(client: Client, db: None) -> None:
    text = text_of(client.get("/leagues/start/?next=https://evil.example/")).partition("<main")[2]
    assert "evil.example" not in text
    assert 'name="next" value="/leagues/"' in text


def test_who_is_somebody_already_is_led_on(anns: Client) -> None:
    assert anns.get("/leagues/start/?next=/leagues/new/").headers["Location"] == "/leagues/new/"


# Founding


def test_founding_a_league_leads_to_it(anns: Client, clock: FrozenClock, ann: Player) -> None:
    text = followed(anns, "/leagues/new/", name="  The   Pharaohs ")
    assert "The league is there" in text
    league = League.objects.get()
    assert (league.name, league.owner) == ("The Pharaohs", ann)
    assert show_code(league.code) in text


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("", "This field is required"),
        ("x", "has at least 3 characters"),
        ("?!?", "at least one letter or digit"),
        ("x" * 41, "has at most 40 characters"),
        ("x" * 500, "at most 120 characters"),
        ("a\u202eb\u202c", "does not take U+202E"),
        ("a\0bc", "Null characters are not allowed"),
    ],
)
def test_a_bad_name_is_refused_beside_its_field(
    anns: Client, clock: FrozenClock, name: str, refusal: str
) -> None:
    text = text_of(anns.post("/leagues/new/", {"name": name}))
    assert refusal in text.replace("&#x27;", "'")
    assert not League.objects.exists()


def test_too_many_leagues_are_refused(anns: Client, ann: Player, clock: FrozenClock) -> None:
    for number in range(20):
        create_league(owner=ann, name=f"League {number}", now=clock.moment)
    text = text_of(anns.post("/leagues/new/", {"name": "One more"}))
    assert "A player is in at most 20 leagues" in text


def test_a_form_without_its_token_founds_nothing(ann: Player, clock: FrozenClock) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    assert client.post("/leagues/new/", {"name": "Friends"}).status_code == 403
    assert not League.objects.exists()


# Joining


def test_a_link_asks_before_one_joins(strangers: Client, league: League) -> None:
    text = text_of(strangers.get(f"/leagues/join/?code={show_code(league.code)}"))
    assert f'value="{show_code(league.code)}"' in text
    assert "Friends" not in text
    assert league.memberships.count() == 2


@pytest.mark.parametrize("write", [str, str.lower, show_code, lambda code: f" {code[:5]} {code[5:]} "])
def test_a_code_lets_in_however_it_is_written(
    strangers: Client, league: League, write: Callable[[str], str]
) -> None:
    text = followed(strangers, "/leagues/join/", code=write(league.code))
    assert "You are in." in text
    assert "Friends &amp; &lt;i&gt;foes" in text


def test_joining_twice_changes_nothing(bobs: Client, league: League) -> None:
    assert "in this league already" in followed(bobs, "/leagues/join/", code=league.code)
    assert league.memberships.count() == 2


@pytest.mark.parametrize("code", ["1", "AAAAAAAAAA", "<script>", "x" * 59])
def test_a_code_of_no_league_is_refused_in_the_form(strangers: Client, league: League, code: str) -> None:
    text = text_of(strangers.post("/leagues/join/", {"code": code}), 404)
    assert "No league answers to this code" in text
    assert "<script>" not in text.split("<main", 1)[1]


def test_no_code_at_all_is_asked_for(strangers: Client, league: League) -> None:
    assert "This field is required" in text_of(strangers.post("/leagues/join/", {}))
    assert "This field is required" not in text_of(strangers.get("/leagues/join/"))


def test_who_was_sent_away_is_refused(bobs: Client, league: League, ann: Player, bob: Player) -> None:
    kick_member(by=ann, code=league.code, member=bob)
    text = text_of(bobs.post("/leagues/join/", {"code": league.code}), 403)
    assert "The owner removed you from this league" in text


# The league


def test_members_see_each_other_the_owner_and_the_invitation(bobs: Client, address: str) -> None:
    text = text_of(bobs.get(address))
    code = address.split("/")[2]
    assert re.findall(r'<a class="name" href="/players/(\w+)/"', text) == ["ann", "bob"]
    assert f'value="http://testserver/leagues/join/?code={code}"' in text
    assert "Leave</a>" in text
    assert "Close the league" not in text
    assert "Remove" not in text


def test_the_owner_can_do_more(anns: Client, address: str) -> None:
    text = text_of(anns.get(address))
    assert f'href="{address}remove/?member=bob"' in text
    assert f'href="{address}owner/?member=bob"' in text
    assert "member=ann" not in text
    assert "Close the league" in text
    assert "Leave</a>" not in text


def test_todays_best_members_are_shown_and_all_boards_linked(
    anns: Client, challenge: Challenge, address: str, ann: Player, bob: Player
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    record(bob, challenge, cleared=21, elapsed_ms=1)
    record(make_player("outsider"), challenge, cleared=28, elapsed_ms=1)
    text = text_of(anns.get(address))
    assert re.findall(
        r'<td class="number rank">(\d+)</td><td class="who"><a href="/players/(\w+)/"', text
    ) == [
        ("1", "bob"),
        ("2", "ann"),
    ]
    code = address.split("/")[2]
    for board in (
        "/days/2026-11-30/",
        "/boards/week/2026-W49/",
        "/boards/month/2026-11/",
        "/boards/all-time/",
    ):
        assert f'href="{board}?league={code}"' in text


def test_a_stranger_with_the_address_is_asked_whether_to_join(
    strangers: Client, address: str, league: League
) -> None:
    response = strangers.get(address)
    assert response.headers["Location"] == f"/leagues/join/?code={show_code(league.code)}"


def test_a_stranger_cannot_tell_whether_there_is_a_league(strangers: Client, db: None) -> None:
    assert strangers.get("/leagues/AAAAA-AAAAA/").status_code == 302


@pytest.mark.parametrize("code", ["1", "AAAAA-AAAAAA", "<script>", "É" * 10])
def test_what_is_no_code_is_not_found(strangers: Client, league: League, code: str) -> None:
    assert strangers.get(f"/leagues/{code}/").status_code == 404


@pytest.mark.parametrize("verb", ["leave", "remove", "owner", "name", "code", "close"])
def test_nothing_of_a_league_is_open_to_strangers(
    strangers: Client, address: str, league: League, verb: str
) -> None:
    before = League.objects.values().get()
    for send in (strangers.get, strangers.post):
        response = send(f"{address}{verb}/", {"member": "bob", "name": "Stolen"})
        assert response.status_code == 404
    assert League.objects.values().get() == before
    assert league.memberships.count() == 2


@pytest.mark.parametrize("verb", ["remove", "owner", "code", "close"])
def test_only_the_owner_does_what_is_the_owners(
    bobs: Client, address: str, league: League, verb: str
) -> None:
    before = League.objects.values().get()
    text = followed(bobs, f"{address}{verb}/", member="ann")
    assert "Only the league&#x27;s owner may do this" in text or "The owner cannot" in text
    assert League.objects.values().get() == before


def test_only_the_owner_renames(bobs: Client, address: str, league: League) -> None:
    text = text_of(bobs.post(f"{address}name/", {"name": "Stolen"}))
    assert "Only the league&#x27;s owner may do this" in text


@pytest.mark.parametrize("verb", ["leave", "remove", "owner", "code", "close"])
def test_everything_is_asked_before_it_is_done(anns: Client, address: str, league: League, verb: str) -> None:
    before = League.objects.values().get()
    text = text_of(anns.get(f"{address}{verb}/?member=bob"))
    assert 'class="row" method="post"' in text
    assert "Cancel" in text
    assert League.objects.values().get() == before
    assert league.memberships.count() == 2


def test_leaving_leads_to_the_list(bobs: Client, address: str, league: League) -> None:
    assert "You have left" in followed(bobs, f"{address}leave/")
    assert league.memberships.count() == 1


def test_the_owner_stays(anns: Client, address: str, league: League) -> None:
    assert "The owner cannot leave" in followed(anns, f"{address}leave/")
    assert "The owner cannot leave" in followed(anns, f"{address}remove/", member="ann")
    assert league.memberships.count() == 2


def test_a_member_is_removed(anns: Client, address: str, league: League) -> None:
    assert "\u2068bob\u2069 has been removed" in followed(anns, f"{address}remove/", member="bob")
    assert league.memberships.count() == 1


def test_who_is_no_member_is_not_removed(anns: Client, address: str, db: None) -> None:
    make_player("outsider")
    assert "not a member" in followed(anns, f"{address}remove/", member="outsider")
    assert "not a member" in followed(anns, f"{address}owner/", member="outsider")


@pytest.mark.parametrize("member", ["", "nobody", "\0"])
def test_somebody_unknown_is_not_found(anns: Client, address: str, member: str) -> None:
    assert anns.post(f"{address}remove/", {"member": member}).status_code == 404


def test_the_league_is_passed_on(anns: Client, address: str, league: League, bob: Player) -> None:
    assert "\u2068bob\u2069 owns the league now" in followed(anns, f"{address}owner/", member="bob")
    league.refresh_from_db()
    assert league.owner == bob


def test_a_new_code_leads_to_the_new_address(anns: Client, address: str, league: League) -> None:
    text = followed(anns, f"{address}code/")
    old = league.code
    league.refresh_from_db()
    assert league.code != old
    assert show_code(league.code) in text


def test_a_league_is_renamed(anns: Client, address: str, league: League) -> None:
    assert 'value="Friends &amp; &lt;i&gt;foes&lt;/i&gt;"' in text_of(anns.get(f"{address}name/"))
    assert "<bdi>Enemies</bdi></h1>" in followed(anns, f"{address}name/", name="Enemies")


def test_a_bad_new_name_is_refused_beside_its_field(anns: Client, address: str, league: League) -> None:
    assert "has at least 3 characters" in text_of(anns.post(f"{address}name/", {"name": "x"})).replace(
        "&#x27;", "'"
    )


def test_a_closed_league_is_gone(anns: Client, bobs: Client, address: str, league: League) -> None:
    assert "The league is closed" in followed(anns, f"{address}close/")
    assert "no league yet" in text_of(bobs.get(LEAGUES))
    assert "No league answers" in text_of(bobs.post("/leagues/join/", {"code": league.code}), 404)


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_not_taken(anns: Client, address: str, method: str) -> None:
    assert getattr(anns, method)(address).status_code == 405


def test_names_are_shown_harmlessly(anns: Client, address: str, bob: Player) -> None:
    name = "<script>alert(1)</script>\u202e"
    Player.objects.filter(pk=bob.pk).update(name=name)
    Player.objects.get(pk=bob.pk).save()
    for page in (address, f"{address}remove/?member={quote(name)}"):
        text = text_of(anns.get(page))
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in followed(anns, f"{address}remove/", member=name)


def test_writes_and_joining_have_the_limits_that_the_api_has(
    anns: Client, league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    meter = Meter({"write": "2/day", "join": "1/day"})
    monkeypatch.setattr(throttling, "meter", lambda: meter)
    assert [anns.post("/leagues/join/", {"code": "x"}).status_code for _ in range(2)] == [404, 429]
    assert [anns.post("/leagues/new/", {"name": "x"}).status_code for _ in range(3)] == [200, 200, 429]
    assert anns.get("/leagues/new/").status_code == 200


def test_a_league_costs_as_much_with_many_members_as_with_few(
    anns: Client, challenge: Challenge, address: str, league: League, clock: FrozenClock, bob: Player
) -> None:
    record(bob, challenge, cleared=20, elapsed_ms=1)
    with CaptureQueriesContext(connection) as few:
        anns.get(address)
    for number in range(20):
        member = make_player(f"member{number}")
        join_league(player=member, code=league.code, now=clock.moment)
        record(member, challenge, cleared=number, elapsed_ms=1)
    with CaptureQueriesContext(connection) as many:
        anns.get(address)
    assert len(many) == len(few) <= 7
