"""Private leagues."""

from datetime import datetime
from typing import Annotated, TypedDict

from leaderboard.leagues import SizedLeague, show_code
from leaderboard.models import League, Membership
from players.models import Player


class LeagueAnswer(TypedDict):
    """A league as its members see it."""

    code: Annotated[str, "Who has it may join. Written with or without the hyphen, in any case."]
    name: str
    owner: str
    is_owner: Annotated[bool, "The caller owns it."]
    members: Annotated[int, "How many are in it."]
    created_at: datetime


class LeaguesAnswer(TypedDict):
    """The caller's leagues, by name."""

    results: list[LeagueAnswer]


class MemberAnswer(TypedDict):
    """Somebody in a league."""

    player: str
    is_owner: bool
    joined_at: datetime


class MembersAnswer(TypedDict):
    """Who is in a league, the latest first."""

    results: list[MemberAnswer]
    next: str | None
    previous: str | None


def render_league(league: SizedLeague, viewer: Player) -> LeagueAnswer:
    return {
        "code": show_code(league.code),
        "name": league.name,
        "owner": league.owner.name,
        "is_owner": league.owner == viewer,
        "members": league.size,
        "created_at": league.created_at,
    }


def render_member(membership: Membership, league: League) -> MemberAnswer:
    return {
        "player": membership.player.name,
        "is_owner": membership.player_id == league.owner_id,
        "joined_at": membership.joined_at,
    }
