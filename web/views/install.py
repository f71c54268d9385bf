"""What makes the site an app: manifest, icons, and the worker that opens it where there is no network."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from web import icons, shell

MANIFEST_TYPE = "application/manifest+json"


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(_request: HttpRequest) -> JsonResponse:
    """The web app manifest."""
    document = {
        "name": "Pyramid Daily",
        "short_name": "Pyramid",
        "description": "One Pyramid solitaire deal a day, the same for everybody.",
        "id": "/",
        "start_url": reverse("web:today"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f4ee",
        "theme_color": icons.GREEN,
        "categories": ["games"],
        "icons": [
            _icon("web:icon-192", 192, "any"),
            _icon("web:icon-512", 512, "any"),
            _icon("web:icon-maskable", 512, "maskable"),
        ],
        "shortcuts": [
            {"name": "Play today", "url": reverse("web:play")},
            {"name": "Practice", "url": reverse("web:practice")},
        ],
    }
    return JsonResponse(document, content_type=MANIFEST_TYPE)


def _icon(name: str, size: int, purpose: str) -> dict[str, str]:
    return {"src": reverse(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


@require_safe
@cache_control(public=True, max_age=86400)
def icon(_request: HttpRequest, size: int, *, is_maskable: bool = False) -> HttpResponse:
    """The icon as a PNG of this many pixels a side."""
    return HttpResponse(icons.draw_icon(size, is_maskable=is_maskable), content_type="image/png")


@require_safe
@cache_control(public=True, max_age=86400)
def share_picture(_request: HttpRequest) -> HttpResponse:
    """The picture beside a link to a page that has none of its own."""
    return HttpResponse(icons.draw_share_picture(), content_type="image/png")


@require_safe
@cache_control(public=True, no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker; its text changes with whatever it keeps, so that browsers take the new one."""
    context = {"version": shell.version(), "addresses": shell.addresses()}
    return render(request, "web/worker.js", context, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=3600)
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the worker shows where there is no network. It says nothing about anybody."""
    return render(request, "web/offline.html")


@require_safe
@cache_control(public=True, max_age=86400)
def robots(_request: HttpRequest) -> HttpResponse:
    """What crawlers may read: the pages."""
    lines = ["User-agent: *", "Disallow: /admin/", "Disallow: /api/v1/", "Disallow: /account/", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
