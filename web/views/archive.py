"""The archive."""

from django.http import Http404, HttpRequest, HttpResponse


def archive(request: HttpRequest, **_values: object) -> HttpResponse:
    """Not built yet."""
    raise Http404
