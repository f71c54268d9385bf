"""What every page has in common before anybody sees it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class PageMiddleware:
    """Keeps pages, which say who is signed in, out of shared caches, but for those that say otherwise."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response
