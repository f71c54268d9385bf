"""Attempts and the runs that come of them."""

from datetime import date
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api import examples
from api.authentication import caller, required_caller
from api.parameters import DAY
from api.schema import refusals
from api.serializers import Nothing, Submission, body
from api.shapes.days import (
    AttemptDetailAnswer,
    RunAnswer,
    RunDetailAnswer,
    StartedAnswer,
    render_attempt,
    render_run,
    render_run_detail,
)
from daily import clock, services
from daily.errors import AlreadySubmitted, DeadlinePassed, IllegalLog, NotOpen
from daily.models import Run
from games.pyramid import IllegalMove
from leaderboard.boards import day_board
from leaderboard.scoring import Place
from leaderboard.services import submit_run
from leaderboard.settling import ensure_settled, read_attempt
from leaderboard.standings import place_of

ILLEGAL_LOG = IllegalLog(IllegalMove("covered", "9H4C", "9H is still covered by 2D.", 12))


class Attempts(APIView):
    """Starting."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="start",
        tags=["play"],
        parameters=[DAY],
        request=Nothing,
        examples=examples.START,
        responses={201: StartedAnswer, 200: StartedAnswer, **refusals(NotFound(), NotOpen())},
    )
    def post(self, request: Request, day: date | None) -> Response:
        """Start the attempt and get the deal; starting again gives the same attempt back (200)."""
        body(Nothing, request)
        attempt, is_new = services.start_attempt(player=required_caller(request), day=day)
        server_time = attempt.started_at if is_new else clock.now()
        answer: StartedAnswer = {**render_attempt(attempt, server_time), "deck": attempt.challenge.deck}
        return Response(answer, status=201 if is_new else 200)


class AttemptDetail(APIView):
    """One's attempt."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="attempt", tags=["play"], responses={200: AttemptDetailAnswer, **refusals(NotFound())}
    )
    def get(self, request: Request, attempt_id: UUID) -> Response:
        """How one's own attempt stands. Its deal is in the answer to the start."""
        attempt = read_attempt(player=required_caller(request), attempt_id=attempt_id)
        run_id = attempt.pk if hasattr(attempt, "run") else None
        answer: AttemptDetailAnswer = {**render_attempt(attempt, attempt.arrived_at), "run": run_id}
        return Response(answer)


class Submit(APIView):
    """Submitting."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="submit",
        tags=["play"],
        request=Submission,
        examples=examples.SUBMIT,
        responses={
            201: RunAnswer,
            200: RunAnswer,
            **refusals(NotFound(), AlreadySubmitted(), DeadlinePassed(), ILLEGAL_LOG),
        },
    )
    def post(self, request: Request, attempt_id: UUID) -> Response:
        """Submit the log to be replayed, timed and ranked; the same log again gives the same answer (200)."""
        log = body(Submission, request)["log"]
        run, is_new = submit_run(player=required_caller(request), attempt_id=attempt_id, log=log)
        place = Place(run.rank, run.beaten, run.field_size)
        return Response(render_run(run, place, tells_best=True), status=201 if is_new else 200)


class RunDetail(APIView):
    """A run."""

    @extend_schema(
        operation_id="run", tags=["play"], responses={200: RunDetailAnswer, **refusals(NotFound())}
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        """A run and where it stands now; the log of another player's once the day is settled."""
        run = Run.objects.select_related("challenge", "player").get(pk=run_id)
        is_own = run.player == caller(request)
        if run.voided_at and not is_own:
            raise Http404
        ensure_settled(run.challenge, clock.now())
        found = place_of(day_board(run.challenge.date), run.player_id) if run.counts else None
        place = found[1] if found else None
        return Response(render_run_detail(run, place, tells_all=is_own or run.challenge.is_settled))
