"""Conditional reads: an ETag over what an answer says, and who may keep it for how long."""

import time
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, cast

from django.core.cache import cache
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.request import Request

from api.errors import PreconditionFailed
from api.renderers import JSONRenderer
from daily import clock

KEPT_S = 1
"""For how long an answer that many ask for is not made again."""

type Told = tuple[Mapping[str, Any], Mapping[str, str]]
"""A document and the headers that go with it."""


def answer(
    request: Request,
    data: Mapping[str, Any],
    *,
    max_age_s: int = 0,
    volatile: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A read as 200 with a weak ETag, or 304 where the caller has it already.

    Anyone may keep what nobody in particular asked for, and what a player asked for only that player. Both
    ask again each time, so that a correction or a new name shows; not for what holds ``max_age_s``.
    ``volatile`` joins the document and stays out of the ETag (the clock).
    """
    stable = JSONRenderer().render(data)
    return respond(request, join(stable, volatile), etag_of(stable), headers or {}, max_age_s=max_age_s)


def answer_many(
    request: Request, make: Callable[[], Told], *, volatile: Mapping[str, Any] | None = None
) -> HttpResponse:
    """`answer` to what many ask for at once: for the callers without a name it is made once a second.

    Not across midnight, when it becomes something else: ``make`` reads the clock itself, after this did.
    """
    if request.user.is_authenticated or request.META["QUERY_STRING"]:
        data, headers = make()
        return answer(request, data, volatile=volatile, headers=headers)
    asked = f"{request.scheme}:{request.get_host()}{request.path}:{clock.about_now().date()}"
    key = digest_of(asked.encode())
    now_s = time.monotonic()  # beside the cache's own clock, which may be set back
    stable, headers, until_s = cache.get(key) or (b"", {}, now_s)
    if now_s >= until_s:
        data, headers = make()
        stable = JSONRenderer().render(data)
        cache.set(key, (stable, headers, now_s + KEPT_S), KEPT_S)
    return respond(request, join(stable, volatile), etag_of(stable), headers)


def join(document: bytes, members: Mapping[str, Any] | None) -> bytes:
    """A rendered document with further members at its end."""
    return document[:-1] + b"," + JSONRenderer().render(members)[1:] if members else document


def etag_of(body: bytes) -> str:
    """The weak ETag of a document."""
    return f'W/"{digest_of(body)}"'


def digest_of(text: bytes) -> str:
    """96 bits in hex that no other text is likely to have."""
    return blake2b(text, digest_size=12).hexdigest()


def respond(
    request: Request, body: bytes, etag: str, headers: Mapping[str, str], *, max_age_s: int = 0
) -> HttpResponse:
    """A rendered document as 200, or 304 where the caller has it already."""
    response = HttpResponse(body, content_type="application/json", headers=dict(headers))
    return conditional(request, response, etag, max_age_s=max_age_s)


def conditional[R: HttpResponseBase](request: Request, response: R, etag: str, *, max_age_s: int = 0) -> R:
    """The response under this ETag, or 304 where the caller has it already; kept as in `answer`.

    Raises ``PreconditionFailed``.
    """
    response.headers["ETag"] = etag
    public = f"public, max-age={max_age_s}" if max_age_s else "public, no-cache"
    response.headers["Cache-Control"] = "private, no-cache" if request.user.is_authenticated else public
    patch_vary_headers(response, ("Authorization", "Cookie"))
    plain: Any = response  # a stream will do as well
    answer = cast("R", get_conditional_response(request, etag=etag, response=plain))
    if answer.status_code == PreconditionFailed.status_code:
        raise PreconditionFailed
    return answer
