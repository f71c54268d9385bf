"""Private leagues: only members see that one exists."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from api import examples
from api.authentication import named_player, required_caller
from api.errors import BadCursor, BadParameter
from api.pagination import limit_of, links_of, newest_first, position_of
from api.parameters import CURSOR, LIMIT, NAME
from api.responses import Response
from api.schema import refusals
from api.serializers import NewLeague, NewOwner, Nothing, body
from api.shapes.leagues import (
    LeagueAnswer,
    LeaguesAnswer,
    MembersAnswer,
    render_league,
    render_member,
)
from daily import clock
from leaderboard import leagues
from leaderboard.leagues import (
    Expelled,
    LeagueFull,
    NoSuchLeague,
    NoSuchMember,
    NotOwner,
    OwnerStays,
    TooManyLeagues,
    find_league,
)
from leaderboard.models import League
from players.errors import BadName
from players.models import Player

BAD_NAME = BadName("too_short", "A league's name has at least 3 characters.")


def describe(league: League, viewer: Player) -> LeagueAnswer:
    """A league as it is now, for one of its members."""
    return render_league(find_league(player=viewer, code=league.code), viewer)


class Leagues(APIView):
    """One's leagues."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="leagues", tags=["leagues"], responses=LeaguesAnswer)
    def get(self, request: Request) -> Response:
        """The leagues one is in, by name."""
        player = required_caller(request)
        answer: LeaguesAnswer = {
            "results": [render_league(league, player) for league in leagues.leagues_of(player)]
        }
        return Response(answer)

    @extend_schema(
        operation_id="newLeague",
        tags=["leagues"],
        request=NewLeague,
        examples=examples.MAKE_LEAGUE,
        responses={201: LeagueAnswer, **refusals(BAD_NAME, TooManyLeagues())},
    )
    def post(self, request: Request) -> Response:
        """Found a league and be its first member; its code lets others in."""
        player, name = required_caller(request), body(NewLeague, request)["name"]
        league = leagues.create_league(owner=player, name=name, now=clock.now())
        return Response(describe(league, player), status=201)


class LeagueDetail(APIView):
    """A league."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="league", tags=["leagues"], responses={200: LeagueAnswer, **refusals(NoSuchLeague())}
    )
    def get(self, request: Request, code: str) -> Response:
        """A league one is in."""
        player = required_caller(request)
        return Response(render_league(find_league(player=player, code=code), player))

    @extend_schema(
        operation_id="renameLeague",
        tags=["leagues"],
        request=NewLeague,
        responses={200: LeagueAnswer, **refusals(BAD_NAME, NotOwner(), NoSuchLeague())},
    )
    def patch(self, request: Request, code: str) -> Response:
        """Rename one's league."""
        player, name = required_caller(request), body(NewLeague, request)["name"]
        return Response(describe(leagues.rename_league(by=player, code=code, name=name), player))

    @extend_schema(
        operation_id="closeLeague",
        tags=["leagues"],
        responses={204: None, **refusals(NotOwner(), NoSuchLeague())},
    )
    def delete(self, request: Request, code: str) -> Response:
        """Close one's league, for everybody and for good."""
        leagues.close_league(by=required_caller(request), code=code, now=clock.now())
        return Response(status=204)


class Members(APIView):
    """Who is in a league."""

    permission_classes = (IsAuthenticated,)
    throttle_scopes = {"POST": "join"}

    @extend_schema(
        operation_id="members",
        tags=["leagues"],
        parameters=[LIMIT, CURSOR],
        responses={200: MembersAnswer, **refusals(BadParameter(), BadCursor(), NoSuchLeague())},
    )
    def get(self, request: Request, code: str) -> Response:
        """Who is in a league, the latest first."""
        league = find_league(player=required_caller(request), code=code)
        name_of_list = f"members:{league.pk}"
        position, limit = position_of(request, name_of_list), limit_of(request)
        page = newest_first(leagues.members_of(league), "pk", position, limit)
        links = links_of(request, page, name_of_list)
        answer: MembersAnswer = {
            "results": [render_member(membership, league) for membership in page.rows],
            "next": links.next,
            "previous": links.previous,
        }
        return Response(answer, headers=links.header())

    @extend_schema(
        operation_id="joinLeague",
        tags=["leagues"],
        request=Nothing,
        responses={
            201: LeagueAnswer,
            200: LeagueAnswer,
            **refusals(Expelled(), NoSuchLeague(), LeagueFull(), TooManyLeagues()),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Join the league of a code; joining again changes nothing (200)."""
        body(Nothing, request)
        player = required_caller(request)
        league, is_new = leagues.join_league(player=player, code=code, now=clock.now())
        return Response(describe(league, player), status=201 if is_new else 200)


class Member(APIView):
    """One in a league."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="removeMember",
        tags=["leagues"],
        parameters=[NAME],
        responses={
            204: None,
            **refusals(NotOwner(), NotFound(), NoSuchLeague(), NoSuchMember(), OwnerStays()),
        },
    )
    def delete(self, request: Request, code: str, name: str) -> Response:
        """Leave (`me`); or send a member away, as the owner, to be let in again by a new code only."""
        player, member = required_caller(request), named_player(request, name)
        if member == player:
            leagues.leave_league(player=player, code=code)
        else:
            leagues.kick_member(by=player, code=code, member=member)
        return Response(status=204)


class Owner(APIView):
    """Who owns a league."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="passOnLeague",
        tags=["leagues"],
        request=NewOwner,
        responses={
            200: LeagueAnswer,
            **refusals(NotOwner(), NotFound(), NoSuchLeague(), NoSuchMember()),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Pass one's league on to another member."""
        player, heir = required_caller(request), named_player(request, body(NewOwner, request)["player"])
        return Response(describe(leagues.pass_on_league(by=player, code=code, to=heir), player))


class Code(APIView):
    """The code of a league."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="newLeagueCode",
        tags=["leagues"],
        request=Nothing,
        responses={200: LeagueAnswer, **refusals(NotOwner(), NoSuchLeague())},
    )
    def post(self, request: Request, code: str) -> Response:
        """Give one's league a new code: the old one ends, and so does every expulsion."""
        body(Nothing, request)
        player = required_caller(request)
        return Response(describe(leagues.rotate_code(by=player, code=code), player))
