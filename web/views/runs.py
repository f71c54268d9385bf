"""Runs."""

from django.http import Http404, HttpRequest, HttpResponse


def run(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def replay(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def picture(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
