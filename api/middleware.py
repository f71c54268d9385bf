"""What has to be refused before a view, a parser or the database sees the request."""

import time
from collections.abc import Callable
from io import BytesIO

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from rest_framework.exceptions import APIException

from api import errors, metrics

MAX_BODY_BYTES = 96 * 1024
"""A move log of 64 KiB and the JSON around it; more than any form needs."""
MAX_URL_CHARS = 8 * 1024
"""What the proxy of the deployment takes, and many times the longest address that leads somewhere."""
BODILESS = {"GET", "HEAD", "OPTIONS", "TRACE"}
"""Methods of which nobody reads the body."""


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
    """Refuses broken requests, programs' and pages', and gives what is left a whole body.

    Makes API answers private unless they say otherwise.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = refuse(request)
        response = errors.turn_away(request, refusal) if refusal else self.get_response(request)
        if errors.is_api(request):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def refuse(request: HttpRequest) -> APIException | None:
    """Why this request goes no further, or None."""
    if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
        return errors.BadRequest("The URL holds a NUL character.")
    if len(request.path_info) + len(request.META.get("QUERY_STRING", "")) > MAX_URL_CHARS:
        return errors.BadRequest("The URL is longer than 8 KiB.")
    if request.META.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        return errors.UnsupportedEncoding()
    return refuse_body(request)


def refuse_body(request: HttpRequest) -> APIException | None:
    """Why the body is not wanted, or None. One that is announced as too large is not read at all."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length:
        return read_chunked(request) if "HTTP_TRANSFER_ENCODING" in request.META else None
    if not (length.isascii() and length.isdigit()):
        return errors.BadRequest("Content-Length is not a number.")
    if len(length) > 9 or int(length) > MAX_BODY_BYTES:
        return errors.BodyTooLarge()
    return read_whole(request, int(length))


def read_whole(request: HttpRequest, length: int) -> APIException | None:
    """Takes the body in. Half a body is none: whoever reads one by its beginning reads something else."""
    if request.method in BODILESS:
        return None
    body = read_up_to(request.META["wsgi.input"].read, length)
    if len(body) < length:
        return errors.BadRequest("The body is shorter than its Content-Length.")
    keep(request, body)
    return None


def read_chunked(request: HttpRequest) -> APIException | None:
    """Gives a body without a length one, since Django takes such a body for an empty one.

    An empty one is refused: nobody has to send it, and it is what the server gives for chunks it cannot read.
    Of a body that breaks off later it gives the beginning, which is no whole JSON but might be a form; no
    browser sends those in chunks.
    """
    if not request.META.get("wsgi.input_terminated") or not errors.is_api(request):
        return errors.LengthRequired()
    body = read_up_to(request.META["wsgi.input"].read, MAX_BODY_BYTES + 1)
    if not body:
        return errors.BadRequest("The body's chunks are broken, or there are none.")
    if len(body) > MAX_BODY_BYTES:
        return errors.BodyTooLarge()
    request.META["CONTENT_LENGTH"] = str(len(body))
    keep(request, body)
    return None


def keep(request: HttpRequest, body: bytes) -> None:
    """Lets everybody after this read the body from memory."""
    request._stream = BytesIO(body)  # noqa: SLF001 (Django has no public way to replace a body)


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
