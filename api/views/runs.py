"""The runs that come of attempts."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import caller
from api.schema import refusals
from api.shapes.runs import RunDetailAnswer, render_run_detail
from daily import clock
from leaderboard.runs import read_run


class RunDetail(APIView):
    """A run."""

    @extend_schema(
        operation_id="run", tags=["play"], responses={200: RunDetailAnswer, **refusals(NotFound())}
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        """A run and where it stands now; the log of another player's once the day is settled."""
        seen = read_run(run_id=run_id, viewer=caller(request), now=clock.about_now())
        return Response(render_run_detail(seen))
