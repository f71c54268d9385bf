"""The days."""

from datetime import date, datetime

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from api import caching
from api.errors import BadCursor, BadParameter
from api.pagination import limit_of, links_of, newest_first, position_of
from api.parameters import CURSOR, DAY, LIMIT
from api.schema import refusals
from api.shapes.days import (
    ChallengesAnswer,
    ServerTimeAnswer,
    TimedChallengeAnswer,
    render_challenge,
    render_challenge_detail,
)
from daily import clock
from daily.models import Challenge
from daily.scheduling import challenge_on
from leaderboard.boards import day_board
from leaderboard.queries import tallies
from leaderboard.settling import ensure_settled

LIVE_MAX_AGE_S = 5


def read_challenge(day: date | None, now: datetime) -> Challenge:
    """The challenge of a day (None: today), made and settled if due. Raises ``Challenge.DoesNotExist``."""
    challenge = challenge_on(day or now.date(), now)
    ensure_settled(challenge, now)
    return challenge


class Challenges(APIView):
    """All days."""

    @extend_schema(
        operation_id="challenges",
        tags=["challenges"],
        parameters=[LIMIT, CURSOR],
        responses={200: ChallengesAnswer, **refusals(BadParameter(), BadCursor())},
    )
    def get(self, request: Request) -> HttpResponse:
        """The coming days with their commitments, today, and the days before, newest first."""
        now = clock.now()
        days = Challenge.objects.without_deals()
        page = newest_first(days, "date", position_of(request, "challenges"), limit_of(request))
        links = links_of(request, page, "challenges")
        answer: ChallengesAnswer = {
            "results": [render_challenge(challenge, now) for challenge in page.rows],
            "next": links.next,
            "previous": links.previous,
        }
        return caching.answer(request, answer, max_age_s=LIVE_MAX_AGE_S, headers=links.header())


class ChallengeDetail(APIView):
    """A day."""

    @extend_schema(
        operation_id="challenge",
        tags=["challenges"],
        parameters=[DAY],
        responses={200: TimedChallengeAnswer, **refusals(NotFound())},
    )
    def get(self, request: Request, day: date | None) -> HttpResponse:
        """A day's metadata and how it stands; its deal, salt and best once it is settled."""
        now = clock.now()
        challenge = read_challenge(day, now)
        runs = tallies(day_board(challenge.date)).distribution
        answer = render_challenge_detail(challenge, now, runs)
        time: ServerTimeAnswer = {"server_time": now}
        return caching.answer(request, answer, max_age_s=LIVE_MAX_AGE_S, volatile=time)
