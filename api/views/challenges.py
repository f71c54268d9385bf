"""The days."""

from datetime import date
from functools import partial

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from api import caching, examples
from api.errors import BadCursor, BadParameter
from api.pagination import limit_of, links_of, newest_first, position_of
from api.parameters import CURSOR, DAY, LIMIT
from api.renderers import JSONRenderer, NDJSONRenderer
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
from leaderboard.bundles import NotSettled, bundle_lines, fingerprint
from leaderboard.days import read_day, with_figures
from leaderboard.settling import ensure_all_settled, ensure_settled


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
        now = clock.about_now()
        ensure_all_settled()
        days = with_figures(Challenge.objects.without_deals())
        page = newest_first(days, "date", position_of(request, "challenges"), limit_of(request))
        links = links_of(request, page, "challenges")
        answer: ChallengesAnswer = {
            "results": [render_challenge(day, now) for day in page.rows],
            "next": links.next,
            "previous": links.previous,
        }
        return caching.answer(request, answer, headers=links.header())


class ChallengeDetail(APIView):
    """A day."""

    @extend_schema(
        operation_id="challenge",
        tags=["challenges"],
        parameters=[DAY],
        examples=examples.SHOW_DAY,
        responses={200: TimedChallengeAnswer, **refusals(NotFound())},
    )
    def get(self, request: Request, day: date | None) -> HttpResponse:
        """A day's metadata and how it stands; its deal, salt, best line and revisions once it is settled."""
        time: ServerTimeAnswer = {"server_time": clock.about_now()}
        return caching.answer_many(request, partial(tell_day, day), volatile=time)


def tell_day(day: date | None) -> caching.Told:
    """A day, today if none, as it is told to anybody."""
    now = clock.about_now()
    return render_challenge_detail(read_day(day or now.date(), now), now), {}


class Bundle(APIView):
    """A settled day as a whole."""

    renderer_classes = (NDJSONRenderer, JSONRenderer)

    @extend_schema(
        operation_id="bundle",
        tags=["challenges"],
        parameters=[DAY],
        responses={
            (200, NDJSONRenderer.media_type): OpenApiResponse(
                OpenApiTypes.STR,
                "One JSON object a line: the day, then its runs in the order of their ranks.",
            ),
            **refusals(NotFound(), NotSettled()),
        },
    )
    def get(self, request: Request, day: date | None) -> HttpResponseBase:
        """A settled day to verify: everything that its commitment, ranks and digest were made from."""
        now = clock.about_now()
        challenge = challenge_on(day or now.date(), now)
        ensure_settled(challenge, now)
        lines = bundle_lines(challenge)
        name = f'attachment; filename="pyramid-daily-{challenge}.ndjson"'
        response = StreamingHttpResponse(
            lines, content_type=NDJSONRenderer.media_type, headers={"Content-Disposition": name}
        )
        return caching.conditional(request, response, f'W/"{fingerprint(challenge)}"')
