"""Whether the service is alive and whether it can serve."""

from typing import Literal, TypedDict

from django.db import connection
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from api.errors import Unavailable
from api.responses import Response
from api.schema import refusals
from players import throttling


class AliveAnswer(TypedDict):
    """The process answers."""

    status: Literal["alive"]


class ReadyAnswer(TypedDict):
    """The service can serve; parts it can do without may be away."""

    status: Literal["ready"]
    degraded: list[Literal["redis"]]


class Probe(APIView):
    """Open to anybody, without limits: probes come often and must not depend on anything else."""

    authentication_classes = ()
    throttle_classes = ()


class Alive(Probe):
    """The process answers."""

    @extend_schema(operation_id="alive", tags=["health"], responses=AliveAnswer)
    def get(self, request: Request) -> Response:
        """Whether the process answers. Asks nothing else."""
        return Response({"status": "alive"})


class Ready(Probe):
    """The database answers."""

    @extend_schema(
        operation_id="ready", tags=["health"], responses={200: ReadyAnswer, **refusals(Unavailable())}
    )
    def get(self, request: Request) -> Response:
        """Whether requests can be served: the database answers. Names the parts that make it slower only."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        degraded = [] if throttling.meter().is_store_up() else ["redis"]
        return Response({"status": "ready", "degraded": degraded})
