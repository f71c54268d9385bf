"""Today."""

from django.http import Http404, HttpRequest, HttpResponse


def today(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
