"""Who asks for a page, and where they want to go next."""

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme


def wants_page(request: HttpRequest) -> bool:
    """Whether a browser asks, for somebody who reads the answer, and not a script."""
    return "text/html" in request.headers.get("Accept", "")


def is_ours(request: HttpRequest, url: str) -> bool:
    """Whether an address is on this site, so that nobody is led elsewhere."""
    return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())


def next_page(request: HttpRequest) -> str:
    """Where the request says to go on, or empty where it does not or that is not on this site."""
    url = request.POST.get("next") or request.GET.get("next", "")
    return url if is_ours(request, url) else ""


def next_page_or(request: HttpRequest, name: str) -> str:
    """Where the request says to go on, otherwise the page of that name."""
    return next_page(request) or resolve_url(name)
