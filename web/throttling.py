"""How often one caller may ask a page to do something, counted together with what the API is asked."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template import loader

from players import throttling
from web.asking import wants_page

type View = Callable[..., HttpResponseBase]


def counted(scope: str, method: str = "POST") -> Callable[[View], View]:
    """Let what is posted to a view count in a scope, and answer what is too much with a page that says so."""

    def decorate(view: View) -> View:
        @wraps(view)
        def count(request: HttpRequest, *values: object, **named: object) -> HttpResponseBase:
            if request.method != method:
                return view(request, *values, **named)
            usage = throttling.meter().hit(scope, throttling.caller_of(request, scope))
            return too_many(request, usage.reset_s) if usage.is_exceeded else view(request, *values, **named)

        return count

    return decorate


def too_many(request: HttpRequest, wait_s: int) -> HttpResponse:
    """The answer that asks to wait, a page or for scripts a document like the API's."""
    minutes = -(-wait_s // 60)
    headers = {"Retry-After": str(wait_s), "Cache-Control": "private, no-store"}
    if wants_page(request):
        page = loader.render_to_string("web/429.html", {"minutes": minutes}, request)
        return HttpResponse(page, status=429, headers=headers)
    document = {"status": 429, "code": "throttled", "detail": f"Try again in {minutes} min."}
    return JsonResponse(document, status=429, headers=headers)
