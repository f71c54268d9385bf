"""What every page has in common before anybody sees it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template import loader

NOT_DONE = {
    "title": "This is not done here",
    "detail": "What is at this address cannot be asked for in this way.",
}


class PageMiddleware:
    """Keeps pages, which say who is signed in, out of shared caches, but for those that say otherwise.

    Django refuses methods without a word; people get one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and not response.content:
            response.content = loader.render_to_string("refused.html", NOT_DONE)
            response.headers["Content-Length"] = str(len(response.content))
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response
