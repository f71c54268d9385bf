"""Every failure is one RFC 9457 problem document, whichever part of the stack refused.

A refusal is an ``APIException`` class with a status, a stable ``default_code`` and a sentence. The rooms
define their own (``players.errors``, ``daily.errors``); two optional attributes say more: ``pointer``, a JSON
pointer to the bad field, and ``extra``, members merged into the document. ``type`` is a reference to the
code's entry in the page of all codes. ``handle`` serves the views, the last four functions serve Django.
"""

import math
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import structlog
from django.core import exceptions as django_exceptions
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.template import loader
from rest_framework import exceptions, status
from rest_framework.exceptions import APIException, ErrorDetail

from api import metrics
from api.renderers import JSONRenderer

CONTENT_TYPE = "application/problem+json"
TYPE_PREFIX = "/api/docs/errors/#"
MAX_FIELD_ERRORS = 20
MAX_ECHO_CHARS = 100
"""How much of what was sent is told back: enough to find it again."""

logger = structlog.get_logger(__name__)


class BadRequest(APIException):
    """The request is broken below its JSON: its URL, host, headers or framing."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad_request"
    default_detail = "The request is malformed: its URL, host, headers or the framing of its body."


class MalformedJSON(APIException):
    """The body is not the strict JSON this service reads; the detail says where it stopped."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "malformed_json"
    default_detail = "The body is not valid JSON."


class BadCursor(APIException):
    """The cursor was not made by this service for this list. Start again without one."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad_cursor"
    default_detail = "This cursor does not belong to this list. Start again without one."


class BadParameter(APIException):
    """A query parameter has a value outside its documented range."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad_parameter"
    default_detail = "A query parameter has a value that is not allowed."


class BadDeal(APIException):
    """No deal can be read from this code, number or deck."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad_deal"

    def __init__(self, code: str, detail: str, pointer: str) -> None:
        super().__init__(detail, code)
        self.pointer = pointer


class UnknownRules(APIException):
    """There is no rule set of this name."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "unknown_rules"
    pointer = "/rules"


class NotRanked(APIException):
    """The player is not on this leaderboard."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "not_ranked"
    default_detail = "This player is not on this leaderboard."


class CsrfFailed(APIException):
    """A session may only write with its CSRF token; programs use a bearer token."""

    status_code = status.HTTP_403_FORBIDDEN
    default_code = "csrf_failed"
    default_detail = "The CSRF token is missing or wrong. Programs should send a bearer token."


class LengthRequired(APIException):
    """The server in front cannot pass on a body without a length."""

    status_code = status.HTTP_411_LENGTH_REQUIRED
    default_code = "length_required"
    default_detail = "Send the body with a Content-Length."


class PreconditionFailed(APIException):
    """What is there now does not meet the request's ``If-Match`` or ``If-Unmodified-Since``."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "precondition_failed"
    default_detail = "What is there now does not meet the condition in the request's headers."


class BodyTooLarge(APIException):
    """The body is larger than any request of this API can be."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "body_too_large"
    default_detail = "The body is larger than the 96 KiB that the largest request needs."


class UnsupportedEncoding(APIException):
    """Compressed bodies are not read."""

    status_code = status.HTTP_415_UNSUPPORTED_MEDIA_TYPE
    default_code = "unsupported_encoding"
    default_detail = "Send the body without Content-Encoding."
    headers = {"Accept-Encoding": "identity"}


class InternalError(APIException):
    """A fault of the service. ``instance`` holds the id under which it is logged."""

    status_code = status.HTTP_500_INTERNAL_SERVER_ERROR
    default_code = "internal_error"
    default_detail = "Something went wrong here, and it has been logged."


class Unavailable(APIException):
    """The database does not answer at the moment; the same request may be sent again."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "unavailable"
    default_detail = "The service cannot reach its database at the moment. Try again shortly."
    wait = 5


TRANSLATIONS: tuple[tuple[tuple[type[Exception], ...], Callable[[], APIException]], ...] = (
    (
        (Http404, django_exceptions.ObjectDoesNotExist),
        lambda: exceptions.NotFound("There is nothing at this address."),
    ),
    ((django_exceptions.PermissionDenied,), exceptions.PermissionDenied),
    ((django_exceptions.RequestDataTooBig,), BodyTooLarge),
    (
        (
            django_exceptions.SuspiciousOperation,
            django_exceptions.BadRequest,
            MultiPartParserError,
            UnreadablePostError,
        ),
        BadRequest,
    ),
    ((OperationalError, InterfaceError), Unavailable),
)


def as_refusal(fault: BaseException | None) -> APIException | None:
    """The refusal that tells a client about ``fault``, or None where the fault is ours alone."""
    if isinstance(fault, exceptions.UnsupportedMediaType):
        return exceptions.UnsupportedMediaType("", "Send the body as application/json in UTF-8.")
    if isinstance(fault, exceptions.MethodNotAllowed):
        return exceptions.MethodNotAllowed("", "This address does not take this method.")
    if isinstance(fault, APIException):
        return fault
    return next((make() for kinds, make in TRANSLATIONS if isinstance(fault, kinds)), None)


def problem(refusal: APIException) -> dict[str, Any]:
    """The problem document of a refusal, as a dict."""
    errors = list(islice(field_errors(refusal), MAX_FIELD_ERRORS))
    document: dict[str, Any] = {
        "type": TYPE_PREFIX + refusal.default_code,
        "title": title(refusal.default_code),
        "status": refusal.status_code,
        "code": refusal.default_code,
        "detail": refusal.detail if isinstance(refusal.detail, ErrorDetail) else sentence(errors),
    }
    if errors:
        document["errors"] = errors
    return document | {name: excerpt(value) for name, value in getattr(refusal, "extra", {}).items()}


def title(code: str) -> str:
    """``name_taken`` is "Name taken"."""
    return code.replace("_", " ").capitalize()


def sentence(errors: list[dict[str, str]]) -> str:
    """The first field error as a sentence, for clients that show only ``detail``."""
    first = errors[0]
    return f"{first['pointer'] or 'The body'}: {first['detail']}"


def field_errors(refusal: APIException) -> Iterator[dict[str, str]]:
    """What is wrong with which field, as ``{"pointer", "code", "detail"}``."""
    if not isinstance(refusal.detail, ErrorDetail):
        yield from _walk(refusal.detail, "")
    elif (pointer := getattr(refusal, "pointer", None)) is not None:
        code = refusal.detail.code or refusal.default_code
        yield {"pointer": pointer, "code": code, "detail": refusal.detail}


def _walk(detail: Any, pointer: str) -> Iterator[dict[str, str]]:
    if isinstance(detail, dict):
        for key, inner in detail.items():
            yield from _walk(inner, pointer if key == "non_field_errors" else f"{pointer}/{_escape(key)}")
    elif isinstance(detail, list):
        for inner in detail:
            yield from _walk(inner, pointer)
    else:
        yield {"pointer": pointer, "code": detail.code, "detail": str(detail)}


def _escape(key: object) -> str:
    """One step of a JSON pointer (RFC 6901), which ends in ``…`` where the name goes on."""
    return str(excerpt(str(key))).replace("~", "~0").replace("/", "~1")


def excerpt(value: Any) -> Any:
    """The value, and of a long text its beginning."""
    is_long = isinstance(value, str) and len(value) > MAX_ECHO_CHARS
    return value[: MAX_ECHO_CHARS - 1] + "…" if is_long else value


def respond(refusal: APIException, **extra: str) -> HttpResponse:
    """The answer that carries a refusal, with the headers of its status; ``extra`` joins the document."""
    body = JSONRenderer().render(problem(refusal) | extra)
    headers = {"Content-Length": str(len(body)), **dict(_headers(refusal))}
    return HttpResponse(body, status=refusal.status_code, content_type=CONTENT_TYPE, headers=headers)


def _headers(refusal: APIException) -> Iterator[tuple[str, str]]:
    yield "Cache-Control", "no-store"
    yield from getattr(refusal, "headers", {}).items()
    if challenge := getattr(refusal, "auth_header", None):
        yield "WWW-Authenticate", challenge
    if (wait_s := getattr(refusal, "wait", None)) is not None:
        yield "Retry-After", str(math.ceil(wait_s))


def handle(fault: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The views' exception handler. A fault of ours goes on to Django, which logs it."""
    refusal = as_refusal(fault)
    if isinstance(refusal, Unavailable):
        # One line and no traceback: while the database is away, every request comes by here.
        logger.warning(
            "database_unavailable", error=type(fault).__name__, reason=str(fault).partition("\n")[0]
        )
    if refusal is None:
        return None
    note(refusal, context["request"])
    return respond(refusal)


def note(refusal: APIException, request: HttpRequest) -> None:
    """Count what a view refused, and let the request's line in the log say why; never with the moves."""
    match = request.resolver_match
    view, code = match.view_name if match else "none", refusal.default_code
    structlog.contextvars.bind_contextvars(refused=code)
    metrics.count_refusal(view, code)
    if reason := getattr(refusal, "extra", {}).get("reason"):
        structlog.contextvars.bind_contextvars(reason=reason)
        metrics.count_refused_move(view, reason)


def turn_away(request: HttpRequest, refusal: APIException) -> HttpResponse:
    """The answer to a request that no view sees: a problem document, or a page for people."""
    return respond(refusal) if is_api(request) else page(refusal)


def page(refusal: APIException) -> HttpResponse:
    """The page that carries a refusal. It asks neither who is reading nor the database."""
    words = {"title": title(refusal.default_code), "detail": refusal.detail}
    headers = dict(_headers(refusal))
    body = loader.render_to_string("refused.html", words)
    return HttpResponse(body, status=refusal.status_code, headers=headers)


def is_api(request: HttpRequest) -> bool:
    """Whether programs ask here, who want problem documents and not pages."""
    return request.path_info.startswith(("/api", "/healthz", "/readyz", "/metrics"))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's 400.

    None of these four uses ``django.views.defaults``, whose views read the form that came along, and fail
    where it cannot be read.
    """
    if is_api(request):
        return respond(as_refusal(exception) or BadRequest())
    return HttpResponse(loader.render_to_string("400.html"), status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Django's 403."""
    if is_api(request):
        return respond(exceptions.PermissionDenied())
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Django's 404."""
    if is_api(request):
        return respond(exceptions.NotFound("There is nothing at this address."))
    return render(request, "404.html", status=404)


def unavailable_page() -> HttpResponse:
    """The page for people where the database is away. It may be shown for a moment only."""
    headers = {"Cache-Control": "no-store", "Retry-After": str(Unavailable.wait)}
    return HttpResponse(loader.render_to_string("503.html"), status=Unavailable.status_code, headers=headers)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's 500: tells nothing but the id the fault is logged under. 503 where the database is away."""
    refusal = as_refusal(sys.exception())
    if isinstance(refusal, Unavailable):
        return respond(refusal) if is_api(request) else unavailable_page()
    if not is_api(request):
        return HttpResponse(loader.render_to_string("500.html"), status=500)
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    return respond(InternalError(), instance=f"urn:uuid:{request_id}")
