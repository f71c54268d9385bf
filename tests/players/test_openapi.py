"""How bearer tokens look in the OpenAPI document."""

from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.authentication import BearerAuthentication


class Whoami(APIView):
    authentication_classes = [BearerAuthentication]

    @extend_schema(responses={204: None})
    def get(self, request: Request) -> Response:
        return Response(status=204)


def test_the_document_shows_http_bearer() -> None:
    document = SchemaGenerator(patterns=[path("api/v1/whoami/", Whoami.as_view())]).get_schema(public=True)
    assert document["components"]["securitySchemes"] == {"bearer": {"type": "http", "scheme": "bearer"}}
    assert {"bearer": []} in document["paths"]["/api/v1/whoami/"]["get"]["security"]
