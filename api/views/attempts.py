"""Attempts: starting, keeping what was played so far, submitting."""

from datetime import date
from typing import override
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException, NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from api import examples, metrics
from api.authentication import required_caller
from api.parameters import DAY
from api.responses import Response
from api.schema import refusals
from api.serializers import Nothing, Submission, body
from api.shapes.attempts import (
    AttemptDetailAnswer,
    CheckpointAnswer,
    StartedAnswer,
    render_attempt,
    render_checkpoint,
)
from api.shapes.runs import RunAnswer, render_run
from api.views.asked_at_once import AskedAtOnceView
from daily import clock, services
from daily.errors import AlreadySubmitted, DeadlinePassed, IllegalLog, NotOpen, TooSoon
from games.pyramid import IllegalMove
from leaderboard.arrivals import Arriving, arriving_by_token
from leaderboard.runs import place_at_arrival
from leaderboard.services import submit_run
from leaderboard.settling import read_attempt
from players.models import Player

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


class Checkpoint(APIView):
    """The moves so far."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="keep",
        tags=["play"],
        request=Submission,
        examples=examples.KEEP,
        responses={
            200: CheckpointAnswer,
            **refusals(NotFound(), AlreadySubmitted(), DeadlinePassed(), ILLEGAL_LOG, TooSoon(wait=2)),
        },
    )
    def put(self, request: Request, attempt_id: UUID) -> Response:
        """Keep the moves so far, to go on elsewhere or to end with at the deadline."""
        log = body(Submission, request)["log"]
        attempt = services.keep_checkpoint(player=required_caller(request), attempt_id=attempt_id, log=log)
        return Response(render_checkpoint(attempt, attempt.arrived_at))


class Submit(AskedAtOnceView):
    """Submitting."""

    permission_classes = (IsAuthenticated,)
    arriving: Arriving | None = None
    """The attempt, where one query told who asks and what they mean."""
    log: list[str] | None = None
    refusal: APIException | None = None
    """What is wrong with the body, which is told once it is known who asks."""

    @override
    def find(self, request: Request, digest: str) -> Player | None:
        """Reads the log first: it has arrived only then, and the clock is read with the attempt."""
        try:
            self.log = body(Submission, request)["log"]
        except APIException as refusal:
            self.refusal = refusal
            return None
        attempt_id, line_hash = self.kwargs["attempt_id"], services.line_hash(self.log)
        self.arriving = arriving_by_token(digest=digest, attempt_id=attempt_id, line_hash=line_hash)
        return self.arriving.player if self.arriving else None

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
        if self.refusal:
            raise self.refusal
        log = body(Submission, request)["log"] if self.log is None else self.log
        run, is_new = submit_run(
            player=required_caller(request), attempt_id=attempt_id, log=log, arriving=self.arriving
        )
        metrics.count_submit(is_new=is_new, is_ranked=not run.unranked_reason)
        answer = render_run(run, place_at_arrival(run), tells_best=True)
        return Response(answer, status=201 if is_new else 200)
