"""Fairness."""

from django.http import Http404, HttpRequest, HttpResponse


def fairness(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def verify(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
