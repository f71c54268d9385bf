"""Leagues: who may do what, what is refused, and limits that hold however many come at once."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from random import Random

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.exceptions import APIException

from leaderboard import leagues
from leaderboard.leagues import (
    CODE_LENGTH,
    CODE_SYMBOLS,
    Expelled,
    LeagueFull,
    NoSuchLeague,
    NoSuchMember,
    NotOwner,
    OwnerStays,
    TooManyLeagues,
    close_league,
    create_league,
    draw_code,
    find_league,
    join_league,
    kick_member,
    leagues_of,
    leave_all_leagues,
    leave_league,
    members_of,
    pass_on_league,
    read_code,
    rename_league,
    rotate_code,
    show_code,
)
from leaderboard.models import League, Membership
from players.deletion import anonymise
from players.errors import BadName, PlayerDeleted
from players.models import Player
from players.services import rename
from tests.cast import NOON, make_player
from tests.leaderboard.test_races import at_once

UNKNOWN = "0000000000"
OWNERS_VERBS: dict[str, Callable[[League, Player], object]] = {
    "kick": lambda league, player: kick_member(by=player, code=league.code, member=league.owner),
    "rename": lambda league, player: rename_league(by=player, code=league.code, name="Mine now"),
    "rotate": lambda league, player: rotate_code(by=player, code=league.code),
    "pass on": lambda league, player: pass_on_league(by=player, code=league.code, to=player),
    "close": lambda league, player: close_league(by=player, code=league.code, now=NOON),
}


@pytest.fixture
def league(ann: Player) -> League:
    """Ann's league, with nobody else in it yet."""
    return create_league(owner=ann, name="Sunday Solvers", now=NOON)


@pytest.fixture
def carl(db: None) -> Player:
    return make_player("carl")


def enter(league: League, *players: Player) -> None:
    """Let the players join, a minute apart."""
    for place, player in enumerate(players, start=1):
        join_league(player=player, code=league.code, now=NOON + timedelta(minutes=place))


def names(league: League) -> list[str]:
    return [membership.player.name for membership in members_of(league)]


def test_a_new_league_has_its_owner_as_first_member(league: League, ann: Player) -> None:
    found = find_league(player=ann, code=league.code)
    assert (found.name, found.owner, found.created_at) == ("Sunday Solvers", ann, NOON)
    assert found.size == 1
    assert names(found) == ["ann"]


@pytest.mark.parametrize("name", ["", "ab", "x" * 41, "Sun\u202eday"])
def test_a_bad_name_is_refused_when_creating_and_renaming(league: League, ann: Player, name: str) -> None:
    with pytest.raises(BadName):
        create_league(owner=ann, name=name, now=NOON)
    with pytest.raises(BadName):
        rename_league(by=ann, code=league.code, name=name)
    assert list(League.objects.values_list("name")) == [("Sunday Solvers",)]


def test_codes_are_random_symbols_of_fifty_bits() -> None:
    rng = Random(1)
    codes = {draw_code(rng) for _ in range(1000)}
    assert len(codes) == 1000
    assert set("".join(codes)) == set(CODE_SYMBOLS)
    assert len(CODE_SYMBOLS) ** CODE_LENGTH == 2**50
    assert {len(code) for code in codes} == {CODE_LENGTH}


@pytest.mark.parametrize(
    "text",
    [
        "7K3QZMX01B",
        "7K3QZ-MX01B",
        "7k3qz-mx01b",
        " 7k3 qzm x0 1b ",
        "7K3QZ-MXO1B",
        "7k3qz-mxoLb",
        "7K3QZMX0iB",
    ],
)
def test_a_code_is_read_however_it_is_written(text: str) -> None:
    assert read_code(text) == "7K3QZMX01B"
    assert read_code(show_code("7K3QZMX01B")) == "7K3QZMX01B"


@pytest.mark.parametrize(
    "text", ["", "7K3QZ", "7K3QZMX01B0", "7K3QZMX01U", "7K3QZMX0\x001", "7K3QZMX01٣", "x" * 100_000]
)
def test_what_is_no_code_belongs_to_no_league(text: str) -> None:
    with pytest.raises(NoSuchLeague):
        read_code(text)


def test_the_code_lets_players_in(league: League, bob: Player, ann: Player) -> None:
    joined, is_new = join_league(player=bob, code=show_code(league.code).lower(), now=NOON)
    assert (joined, is_new) == (league, True)
    assert find_league(player=bob, code=league.code).size == 2
    assert names(league) == ["ann", "bob"]


def test_joining_again_changes_nothing(league: League, bob: Player) -> None:
    enter(league, bob)
    joined, is_new = join_league(player=bob, code=league.code, now=NOON + timedelta(days=1))
    assert (joined, is_new) == (league, False)
    assert Membership.objects.get(player=bob).joined_at == NOON + timedelta(minutes=1)


def test_an_unknown_code_lets_nobody_in(league: League, bob: Player) -> None:
    with pytest.raises(NoSuchLeague):
        join_league(player=bob, code=UNKNOWN, now=NOON)


def test_only_members_see_a_league(league: League, bob: Player) -> None:
    with pytest.raises(NoSuchLeague):
        find_league(player=bob, code=league.code)
    assert list(leagues_of(bob)) == []


@pytest.mark.parametrize("verb", OWNERS_VERBS)
def test_to_others_the_league_does_not_exist_and_members_do_not_rule_it(
    league: League, bob: Player, verb: str
) -> None:
    before = League.objects.values().get()
    with pytest.raises(NoSuchLeague):
        OWNERS_VERBS[verb](league, bob)
    enter(league, bob)
    with pytest.raises(NotOwner):
        OWNERS_VERBS[verb](league, bob)
    assert names(league) == ["ann", "bob"]
    assert League.objects.values().get() == before


def test_nobody_leaves_who_is_not_in(league: League, bob: Player) -> None:
    with pytest.raises(NoSuchLeague):
        leave_league(player=bob, code=league.code)


def test_a_list_of_leagues_is_by_name_with_sizes(league: League, ann: Player, bob: Player) -> None:
    create_league(owner=ann, name="Afterwork", now=NOON)
    create_league(owner=bob, name="Elsewhere", now=NOON)
    enter(league, bob)
    assert [(found.name, found.size, found.owner.name) for found in leagues_of(ann)] == [
        ("Afterwork", 1, "ann"),
        ("Sunday Solvers", 2, "ann"),
    ]


def test_leaving_ends_the_membership_and_one_may_come_back(league: League, bob: Player) -> None:
    enter(league, bob)
    leave_league(player=bob, code=league.code)
    with pytest.raises(NoSuchLeague):
        find_league(player=bob, code=league.code)
    assert join_league(player=bob, code=league.code, now=NOON) == (league, True)


def test_the_owner_does_not_leave(league: League, ann: Player) -> None:
    with pytest.raises(OwnerStays):
        leave_league(player=ann, code=league.code)
    assert names(league) == ["ann"]


def test_the_owner_removes_a_member_whom_the_code_does_not_let_back_in(
    league: League, ann: Player, bob: Player, carl: Player
) -> None:
    enter(league, bob, carl)
    kick_member(by=ann, code=league.code, member=bob)
    assert names(league) == ["ann", "carl"]
    with pytest.raises(NoSuchLeague):
        find_league(player=bob, code=league.code)
    with pytest.raises(Expelled):
        join_league(player=bob, code=league.code, now=NOON)


def test_a_new_code_lets_a_removed_member_back_in(league: League, ann: Player, bob: Player) -> None:
    enter(league, bob)
    kick_member(by=ann, code=league.code, member=bob)
    changed = rotate_code(by=ann, code=league.code)
    assert join_league(player=bob, code=changed.code, now=NOON) == (league, True)


def test_nobody_is_removed_who_is_not_in(league: League, ann: Player, bob: Player) -> None:
    with pytest.raises(NoSuchMember):
        kick_member(by=ann, code=league.code, member=bob)
    assert join_league(player=bob, code=league.code, now=NOON) == (league, True)


def test_owners_do_not_remove_themselves(league: League, ann: Player) -> None:
    with pytest.raises(OwnerStays):
        kick_member(by=ann, code=league.code, member=ann)


def test_a_new_name_shows_at_once(league: League, ann: Player, bob: Player) -> None:
    enter(league, bob)
    assert rename_league(by=ann, code=league.code, name=" Monday  Solvers ").name == "Monday Solvers"
    assert find_league(player=bob, code=league.code).name == "Monday Solvers"


def test_a_members_new_name_shows_at_once(league: League, bob: Player) -> None:
    enter(league, bob)
    rename(player=bob, name="robert")
    assert names(league) == ["ann", "robert"]


def test_a_new_code_ends_the_old_one_and_keeps_the_members(
    league: League, ann: Player, bob: Player, carl: Player
) -> None:
    enter(league, bob)
    changed = rotate_code(by=ann, code=league.code)
    assert changed.code != league.code
    assert find_league(player=bob, code=changed.code) == league
    for stale in (lambda: find_league(player=bob, code=league.code), lambda: enter(league, carl)):
        with pytest.raises(NoSuchLeague):
            stale()


def test_the_owner_passes_the_league_on_and_may_leave_then(league: League, ann: Player, bob: Player) -> None:
    enter(league, bob)
    assert pass_on_league(by=ann, code=league.code, to=bob).owner == bob
    with pytest.raises(NotOwner):
        rename_league(by=ann, code=league.code, name="Mine again")
    leave_league(player=ann, code=league.code)
    assert find_league(player=bob, code=league.code).owner == bob
    assert names(league) == ["bob"]


def test_a_league_is_passed_on_to_members_only(league: League, ann: Player, bob: Player) -> None:
    with pytest.raises(NoSuchMember):
        pass_on_league(by=ann, code=league.code, to=bob)
    assert League.objects.get().owner == ann


def test_a_closed_league_is_gone_for_everybody(
    league: League, ann: Player, bob: Player, carl: Player
) -> None:
    enter(league, bob)
    close_league(by=ann, code=league.code, now=NOON)
    assert League.objects.get().closed_at == NOON
    assert [*leagues_of(ann), *leagues_of(bob)] == []
    for player in (ann, bob):
        with pytest.raises(NoSuchLeague):
            find_league(player=player, code=league.code)
    with pytest.raises(NoSuchLeague):
        join_league(player=carl, code=league.code, now=NOON)


def test_a_full_league_takes_nobody_but_those_who_are_in(
    league: League, bob: Player, carl: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leagues, "MAX_MEMBERS", 2)
    enter(league, bob)
    with pytest.raises(LeagueFull):
        join_league(player=carl, code=league.code, now=NOON)
    assert join_league(player=bob, code=league.code, now=NOON) == (league, False)
    leave_league(player=bob, code=league.code)
    assert join_league(player=carl, code=league.code, now=NOON) == (league, True)


def test_a_player_is_in_a_few_leagues_only(
    league: League, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leagues, "MAX_LEAGUES", 2)
    other = create_league(owner=bob, name="Elsewhere", now=NOON)
    enter(other, ann)
    third = create_league(owner=bob, name="Third", now=NOON)
    with pytest.raises(TooManyLeagues):
        join_league(player=ann, code=third.code, now=NOON)
    with pytest.raises(TooManyLeagues):
        create_league(owner=ann, name="Fourth", now=NOON)
    close_league(by=ann, code=league.code, now=NOON)
    assert join_league(player=ann, code=third.code, now=NOON) == (third, True)


def test_a_deleted_player_gets_into_no_league(league: League, bob: Player) -> None:
    anonymise(player=bob, now=NOON)
    with pytest.raises(PlayerDeleted):
        join_league(player=bob, code=league.code, now=NOON)
    with pytest.raises(PlayerDeleted):
        create_league(owner=bob, name="Elsewhere", now=NOON)


def test_the_limits_are_as_documented() -> None:
    assert (leagues.MAX_MEMBERS, leagues.MAX_LEAGUES) == (500, 20)


def test_a_deleted_players_leagues_go_to_the_oldest_member_or_close(
    league: League, ann: Player, bob: Player, carl: Player
) -> None:
    alone = create_league(owner=ann, name="Alone", now=NOON)
    others = create_league(owner=bob, name="Elsewhere", now=NOON)
    enter(league, carl, bob)
    enter(others, ann)
    later = NOON + timedelta(days=1)
    leave_all_leagues(player=ann, now=later)
    assert find_league(player=bob, code=league.code).owner == carl
    assert names(league) == ["carl", "bob"]
    assert names(others) == ["bob"]
    assert League.objects.get(pk=alone.pk).closed_at == later
    assert set(League.objects.filter(closed_at=None)) == {league, others}


def test_finding_a_league_costs_one_query(
    league: League, ann: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        found = find_league(player=ann, code=league.code)
        assert (found.owner.name, found.size) == ("ann", 1)


def test_the_members_cost_one_query(
    league: League, bob: Player, carl: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    enter(league, bob, carl)
    with django_assert_num_queries(1):
        assert names(league) == ["ann", "bob", "carl"]


THREADS = 12


def refusals(answers: Sequence[object]) -> list[str]:
    """The codes of the refusals among the answers."""
    return [answer.default_code for answer in answers if isinstance(answer, APIException)]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestRaces:
    """Many at once, on a real PostgreSQL with real threads."""

    def test_the_last_seats_of_a_league_are_given_once(
        self, league: League, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(leagues, "MAX_MEMBERS", 4)
        players = [make_player(f"player {number}") for number in range(THREADS)]
        answers = at_once([partial(join_league, player=one, code=league.code, now=NOON) for one in players])
        assert refusals(answers) == ["league_full"] * (THREADS - 3)
        assert Membership.objects.count() == 4

    def test_a_player_who_joins_and_creates_many_at_once_gets_into_a_few(
        self, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = [create_league(owner=ann, name=f"League {number}", now=NOON) for number in range(6)]
        monkeypatch.setattr(leagues, "MAX_LEAGUES", 3)
        tries: list[Callable[[], object]] = [partial(create_league, owner=bob, name="My own", now=NOON)] * 6
        tries += [partial(join_league, player=bob, code=one.code, now=NOON) for one in found]
        assert refusals(at_once(tries)) == ["too_many_leagues"] * (THREADS - 3)
        assert bob.memberships.count() == 3

    def test_joining_many_times_at_once_makes_one_membership(self, league: League, bob: Player) -> None:
        join = partial(join_league, player=bob, code=league.code, now=NOON)
        answers = [answer for answer in at_once([join] * THREADS) if isinstance(answer, tuple)]
        assert sorted(is_new for _, is_new in answers) == [False] * (THREADS - 1) + [True]
        assert Membership.objects.filter(player=bob).count() == 1

    def test_whoever_goes_at_once_a_league_keeps_an_owner_who_is_in(self, db: None) -> None:
        players = [make_player(f"player {number}") for number in range(9)]
        found = [create_league(owner=owner, name="Sunday Solvers", now=NOON) for owner in players[:3]]
        for league in found:
            enter(league, *players)
        gone, stay = players[:6], players[6:]
        tries: list[Callable[[], object]] = [partial(leave_all_leagues, player=one, now=NOON) for one in gone]
        tries += [partial(pass_on_league, by=one.owner, code=one.code, to=players[4]) for one in found]
        at_once(tries)
        for league in League.objects.all():
            assert league.closed_at is None
            assert league.owner in stay
            assert {membership.player for membership in members_of(league)} == set(stay)

    def test_a_league_that_closes_while_players_join_ends_empty(self, league: League, ann: Player) -> None:
        players = [make_player(f"player {number}") for number in range(THREADS - 1)]
        tries: list[Callable[[], object]] = [partial(close_league, by=ann, code=league.code, now=NOON)]
        tries += [partial(join_league, player=one, code=league.code, now=NOON) for one in players]
        at_once(tries)
        assert League.objects.get().closed_at == NOON
        assert Membership.objects.count() == 0
