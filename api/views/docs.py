"""The contract to read: the OpenAPI document, Swagger UI and the list of error codes."""

from django.http import HttpResponse
from django.views.generic import TemplateView
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.views import APIView

from api import caching, schema


class OpenAPI(APIView):
    """The OpenAPI document."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """The document as JSON."""
        return caching.answer(request, schema.document())


class Docs(SpectacularSwaggerSplitView):
    """Swagger UI without inline code or styles, as the content security policy wants it."""

    template_name = "api/docs.html"
    url_name = "openapi"
    throttle_classes = ()


class ErrorCodes(TemplateView):
    """Every error code: where the ``type`` of a problem document points."""

    template_name = "api/errors.html"
    extra_context = {"codes": schema.all_codes}
