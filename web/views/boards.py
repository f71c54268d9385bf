"""Leaderboards."""

from django.http import Http404, HttpRequest, HttpResponse


def day(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def week(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def month(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def all_time(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
