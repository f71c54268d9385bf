"""Accounts."""

from django.http import Http404, HttpRequest, HttpResponse


def guest(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def account(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
