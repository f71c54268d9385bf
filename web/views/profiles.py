"""Profiles."""

from django.http import Http404, HttpRequest, HttpResponse


def profile(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
