"""Conditional reads: an ETag over what an answer says, and who may keep it for how long."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, cast

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.request import Request

from api.errors import PreconditionFailed
from api.renderers import JSONRenderer


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
    ask again each time, so that a correction or a new name shows at once; not for what holds ``max_age_s``.
    ``volatile`` joins the document and stays out of the ETag (the clock).
    """
    stable = JSONRenderer().render(data)
    body = JSONRenderer().render({**data, **volatile}) if volatile else stable
    response = HttpResponse(body, content_type="application/json", headers=dict(headers or {}))
    etag = f'W/"{blake2b(stable, digest_size=12).hexdigest()}"'
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
