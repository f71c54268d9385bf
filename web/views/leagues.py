"""Leagues."""

from django.http import Http404, HttpRequest, HttpResponse


def leagues(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def league(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
