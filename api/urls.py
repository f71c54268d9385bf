"""The addresses of the API."""

from django.urls import path

from api.views import docs, health

urlpatterns = [
    path("healthz", health.Alive.as_view(), name="healthz"),
    path("readyz", health.Ready.as_view(), name="readyz"),
    path("api/openapi/", docs.OpenAPI.as_view(), name="openapi"),
    path("api/docs/", docs.Docs.as_view(), name="docs"),
    path("api/docs/errors/", docs.ErrorCodes.as_view(), name="errors"),
]
