"""What has to be refused before a view, a parser or the database sees the request."""

import time
from collections.abc import Callable
from io import BytesIO

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from rest_framework.exceptions import APIException

from api import errors, metrics

MAX_BODY_BYTES = 96 * 1024
"""A move log of 64 KiB and the JSON around it."""


class MetricsMiddleware:
    """Counts every answer, under the name of its route, and how long it took."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun_s = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        view = match.view_name if match else "none"
        metrics.count_request(view, response.status_code, time.perf_counter() - begun_s)
        return response


class ProblemMiddleware:
    """Refuses broken requests as problem documents; makes API answers private unless they say otherwise."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = refuse(request)
        response = errors.respond(refusal) if refusal else self.get_response(request)
        if errors.is_api(request):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def refuse(request: HttpRequest) -> APIException | None:
    """Why this request goes no further, or None."""
    if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
        return errors.BadRequest("The URL holds a NUL character.")
    if not errors.is_api(request):
        return None
    if request.META.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        return errors.UnsupportedEncoding()
    return refuse_body(request)


def refuse_body(request: HttpRequest) -> APIException | None:
    """Why the body is not read, or None. Goes by the announced length; without one reads up to the limit."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length:
        return read_chunked(request) if "HTTP_TRANSFER_ENCODING" in request.META else None
    if not (length.isascii() and length.isdigit()):
        return errors.BadRequest("Content-Length is not a number.")
    if len(length) > 9 or int(length) > MAX_BODY_BYTES:
        return errors.BodyTooLarge()
    return None


def read_chunked(request: HttpRequest) -> APIException | None:
    """Gives a body without a length one, since Django takes such a body for an empty one.

    An empty one is refused: nobody has to send it, and it is what the server gives for chunks it cannot read.
    (Of a body that breaks off later it gives the beginning, which is no whole JSON.)
    """
    if not request.META.get("wsgi.input_terminated"):
        return errors.LengthRequired()
    body = read_up_to(request.META["wsgi.input"].read, MAX_BODY_BYTES + 1)
    if not body:
        return errors.BadRequest("The body's chunks are broken, or there are none.")
    if len(body) > MAX_BODY_BYTES:
        return errors.BodyTooLarge()
    request.META["CONTENT_LENGTH"] = str(len(body))
    request._stream = BytesIO(body)  # noqa: SLF001 (Django has no public way to replace a body)
    return None


def read_up_to(read: Callable[[int], bytes], size: int) -> bytes:
    """At most ``size`` bytes, from a ``read`` that may give fewer than it was asked for."""
    body = b""
    while len(body) < size and (chunk := read(size - len(body))):
        body += chunk
    return body


class SameRequestRedirect(HttpResponsePermanentRedirect):
    """Go there with the same method and body."""

    status_code = 308


class SlashMiddleware(CommonMiddleware):
    """Sends who forgot the slash at the end to the right address; a POST stays one."""

    response_redirect_class = SameRequestRedirect
