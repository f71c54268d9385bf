"""Private leagues: who is in, who owns, and the code that lets others in. Only members see that one exists.

Every verb locks the row of the player it counts leagues for, if any, and then the league's, so limits hold
whatever happens at once and no two verbs wait for each other.
"""

from datetime import datetime
from random import Random, SystemRandom
from typing import Final, TypedDict

from django.db import transaction
from django.db.models import Count, QuerySet
from django_stubs_ext import WithAnnotations
from rest_framework.exceptions import APIException

from leaderboard.league_names import normalise
from leaderboard.models import League, Membership
from players.models import Player
from players.services import lock

MAX_MEMBERS: Final = 500
MAX_LEAGUES: Final = 20
"""That one player is in."""
CODE_SYMBOLS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that reads as a digit."""
CODE_LENGTH: Final = 10
"""50 random bits."""
READINGS: Final = str.maketrans("OIL", "011", "- ")
SYSTEM_RANDOM: Final = SystemRandom()


class Size(TypedDict):
    """How many members a league has."""

    size: int


type SizedLeague = WithAnnotations[League, Size]


class NoSuchLeague(APIException):
    """No league has this code, or it is closed, or the caller is not in it."""

    status_code = 404
    default_code = "no_such_league"
    default_detail = "No league answers to this code. Its owner may have changed it or closed the league."


class NoSuchMember(APIException):
    """The player is not in the league."""

    status_code = 404
    default_code = "no_such_member"
    default_detail = "This player is not a member of the league."


class NotOwner(APIException):
    """Only the owner may do this."""

    status_code = 403
    default_code = "not_owner"
    default_detail = "Only the league's owner may do this."


class Expelled(APIException):
    """The owner sent the player away."""

    status_code = 403
    default_code = "expelled"
    default_detail = "The owner removed you from this league; its present code does not let you back in."


class OwnerStays(APIException):
    """An owner cannot leave or be removed."""

    status_code = 409
    default_code = "owner_stays"
    default_detail = "The owner cannot leave: pass the league on to another member first, or close it."


class LeagueFull(APIException):
    """The league has as many members as it may."""

    status_code = 409
    default_code = "league_full"
    default_detail = f"A league has at most {MAX_MEMBERS} members."


class TooManyLeagues(APIException):
    """The player is in as many leagues as one may be."""

    status_code = 409
    default_code = "too_many_leagues"
    default_detail = f"A player is in at most {MAX_LEAGUES} leagues."


def draw_code(rng: Random) -> str:
    """A random code as it is kept: ten symbols without a hyphen."""
    return "".join(rng.choices(CODE_SYMBOLS, k=CODE_LENGTH))


def read_code(text: str) -> str:
    """The code as it is kept, however somebody wrote it: case, hyphens, O for 0, I or L for 1 do not matter.

    Raises NoSuchLeague.
    """
    code = text.upper().translate(READINGS)
    if len(code) != CODE_LENGTH or not set(code) <= set(CODE_SYMBOLS):
        raise NoSuchLeague
    return code


def show_code(code: str) -> str:
    """The code as people read it, ``7K3QZ-MX04B``."""
    return f"{code[:5]}-{code[5:]}"


def leagues_of(player: Player) -> QuerySet[SizedLeague]:
    """The leagues a player is in, by name, each with its ``owner`` and ``size``, the number of members."""
    mine = League.objects.filter(pk__in=player.memberships.values("league_id"))
    return mine.select_related("owner").annotate(size=Count("memberships")).order_by("name", "pk")


def find_league(*, player: Player, code: str) -> SizedLeague:
    """A league as its members see it, with ``owner`` and ``size``. Raises NoSuchLeague. One query."""
    league = leagues_of(player).filter(code=read_code(code)).first()
    if league is None:
        raise NoSuchLeague
    return league


def members_of(league: League) -> QuerySet[Membership]:
    """Who is in, the longest first, with the players."""
    return league.memberships.select_related("player")


@transaction.atomic
def create_league(*, owner: Player, name: str, now: datetime, rng: Random = SYSTEM_RANDOM) -> League:
    """A new league whose first member is its owner. Raises BadName, PlayerDeleted, TooManyLeagues."""
    lock(owner)
    _refuse_further_league(owner)
    league = League.objects.create(code=draw_code(rng), name=normalise(name), owner=owner, created_at=now)
    league.memberships.create(player=owner, joined_at=now)
    return league


@transaction.atomic
def join_league(*, player: Player, code: str, now: datetime) -> tuple[League, bool]:
    """Enter the league of a code; the league, and whether the player was not in it before.

    Raises PlayerDeleted, NoSuchLeague, Expelled, LeagueFull, TooManyLeagues.
    """
    lock(player)
    league = _lock_league(code)
    if league.memberships.filter(player=player).exists():
        return league, False
    if league.expulsions.filter(player=player).exists():
        raise Expelled
    if league.memberships.count() >= MAX_MEMBERS:
        raise LeagueFull
    _refuse_further_league(player)
    league.memberships.create(player=player, joined_at=now)
    return league, True


@transaction.atomic
def leave_league(*, player: Player, code: str) -> None:
    """Leave; one may come back. Raises NoSuchLeague, OwnerStays."""
    league = _lock_league_of(player, code)
    if league.owner_id == player.pk:
        raise OwnerStays
    league.memberships.filter(player=player).delete()


@transaction.atomic
def kick_member(*, by: Player, code: str, member: Player) -> None:
    """Remove a member, whom only a new code lets back in.

    Raises NoSuchLeague, NotOwner, NoSuchMember, OwnerStays.
    """
    league = _lock_owned_league(by, code)
    if league.owner_id == member.pk:
        raise OwnerStays
    if not league.memberships.filter(player=member).delete()[0]:
        raise NoSuchMember
    league.expulsions.create(player=member)


@transaction.atomic
def rename_league(*, by: Player, code: str, name: str) -> League:
    """Give the league another name. Raises NoSuchLeague, NotOwner, BadName."""
    league = _lock_owned_league(by, code)
    league.name = normalise(name)
    league.save(update_fields=["name"])
    return league


@transaction.atomic
def rotate_code(*, by: Player, code: str, rng: Random = SYSTEM_RANDOM) -> League:
    """Give the league a new code; the old one ends, and every expulsion. Raises NoSuchLeague, NotOwner."""
    league = _lock_owned_league(by, code)
    league.code = draw_code(rng)
    league.save(update_fields=["code"])
    league.expulsions.all().delete()
    return league


@transaction.atomic
def pass_on_league(*, by: Player, code: str, to: Player) -> League:
    """Make another member the owner. Raises NoSuchLeague, NotOwner, NoSuchMember."""
    league = _lock_owned_league(by, code)
    if not league.memberships.filter(player=to).exists():
        raise NoSuchMember
    league.owner = to
    league.save(update_fields=["owner"])
    return league


@transaction.atomic
def close_league(*, by: Player, code: str, now: datetime) -> None:
    """End the league for everybody. Raises NoSuchLeague, NotOwner."""
    _close(_lock_owned_league(by, code), now)


@transaction.atomic
def leave_all_leagues(*, player: Player, now: datetime) -> None:
    """Take a player who is about to be deleted out of every league; theirs go to whoever is in longest.

    A league without another member is closed. To be called in the transaction of the deletion, before the
    player is marked as deleted. Raises PlayerDeleted.
    """
    lock(player)
    mine = League.objects.filter(pk__in=player.memberships.values("league_id")).order_by("pk")
    for league in mine.select_for_update(no_key=True):
        league.memberships.filter(player=player).delete()
        if league.owner_id == player.pk:
            _bequeath(league, now)


def _bequeath(league: League, now: datetime) -> None:
    heir = league.memberships.first()
    if heir is None:
        _close(league, now)
    else:
        league.owner_id = heir.player_id
        league.save(update_fields=["owner"])


def _close(league: League, now: datetime) -> None:
    league.closed_at = now
    league.save(update_fields=["closed_at"])
    league.memberships.all().delete()
    league.expulsions.all().delete()


def _refuse_further_league(player: Player) -> None:
    if player.memberships.count() >= MAX_LEAGUES:
        raise TooManyLeagues


def _lock_league(code: str) -> League:
    """The league, once nobody else changes it. Raises NoSuchLeague."""
    leagues = League.objects.select_for_update(no_key=True)
    league = leagues.filter(code=read_code(code), closed_at=None).first()
    if league is None:
        raise NoSuchLeague
    return league


def _lock_league_of(member: Player, code: str) -> League:
    league = _lock_league(code)
    if not league.memberships.filter(player=member).exists():
        raise NoSuchLeague
    return league


def _lock_owned_league(owner: Player, code: str) -> League:
    league = _lock_league_of(owner, code)
    if league.owner_id != owner.pk:
        raise NotOwner
    return league
