"""What requests pass on their way: the line of each in the log, and a short way for programs."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from threading import local
from typing import Any, cast, override
from uuid import uuid4

import structlog
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.utils.csp import CSP, build_policy
from django_structlog.middlewares import RequestMiddleware

logger = structlog.get_logger(__name__)

type Way = Callable[[HttpRequest], HttpResponse]


class RequestLog(RequestMiddleware):
    """django-structlog's, with one line for an answer, which names the request by the id in it."""

    @override
    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id, begun_s = str(uuid4()), time.perf_counter()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        response = cast("HttpResponse", self.get_response(request))
        response.headers["X-Request-ID"] = request_id
        if response.streaming or hasattr(request, "_raised_exception"):
            self.handle_response(request, response)
        else:
            self.finish(request, response.status_code, time.perf_counter() - begun_s)
        return response

    def finish(self, request: HttpRequest, status: int, seconds: float) -> None:
        """Write the line of a request that was answered, where it is wanted."""
        level = logging.ERROR if status >= 500 else logging.INFO
        if logger.isEnabledFor(level):
            self.bind_user_id(request)
            asked, duration_ms = self.format_request(request), round(seconds * 1000, 1)
            logger.log(level, "request_finished", code=status, request=asked, duration_ms=duration_ms)
        structlog.contextvars.clear_contextvars()

    @staticmethod
    @override
    def bind_user_id(request: HttpRequest) -> None:
        """Name who asks in the lines to come, unless the database that knows is away."""
        with suppress(Error):
            RequestMiddleware.bind_user_id(request)


class ShortWay:
    """Leads programs, which neither have a session nor fill in forms, past what only browsers need.

    That is all there is between it and its end, which has to be the last of the middleware.
    """

    made: Any = local()
    """The way on from the end, for the beginning, which Django makes right after it."""

    def __init__(self, get_response: Way) -> None:
        self.get_response = get_response
        self.get_view: Way = self.made.get_view
        self.policy = build_policy(cast("dict[str, list[str]]", settings.SECURE_CSP))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.lead(request) if is_short(request) else self.get_response(request)

    def lead(self, request: HttpRequest) -> HttpResponse:
        """The answer of the view, with what the long way would have added to it."""
        request.get_host()  # raises DisallowedHost
        response = self.get_view(request)
        response.headers.setdefault(CSP.HEADER_ENFORCE.value, self.policy)
        if not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
        return response


def short_way_end(get_response: Way) -> Way:
    """The end of the `ShortWay`."""
    ShortWay.made.get_view = get_response
    return get_response


def is_short(request: HttpRequest) -> bool:
    """Whether a program asks, at an address that lacks no slash."""
    path = request.path_info
    return path.startswith("/api/v1/") and path.endswith("/") and not request.META.get("HTTP_COOKIE")
