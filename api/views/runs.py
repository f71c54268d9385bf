"""The runs that come of attempts."""

from contextlib import suppress
from typing import override
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from api.authentication import caller
from api.responses import Response
from api.schema import refusals
from api.shapes.runs import RunDetailAnswer, render_run_detail
from api.views.asked_at_once import AskedAtOnceView
from daily import clock
from daily.models import Run
from leaderboard.runs import FoundRun, find_run, read_run
from players.models import Player


class RunDetail(AskedAtOnceView):
    """A run."""

    run: FoundRun | None = None

    @override
    def find(self, request: Request, digest: str) -> Player | None:
        """Tells who asks where it is the run's own player."""
        with suppress(Run.DoesNotExist):
            self.run = find_run(self.kwargs["run_id"], digest)
        return self.run.player if self.run and self.run.asked_by == self.run.player_id else None

    @extend_schema(
        operation_id="run", tags=["play"], responses={200: RunDetailAnswer, **refusals(NotFound())}
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        """A run and where it stands now; the log of another player's once the day is settled."""
        run = self.run or find_run(run_id)
        seen = read_run(run, viewer=caller(request), now=clock.about_now())
        return Response(render_run_detail(seen))
