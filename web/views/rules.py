"""The rules."""

from django.http import Http404, HttpRequest, HttpResponse


def rules(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def rule_set(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
