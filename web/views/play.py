"""Playing."""

from django.http import Http404, HttpRequest, HttpResponse


def play(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404


def practice(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
