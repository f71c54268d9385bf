"""Conditional reads: an ETag over what an answer says, and who may keep it for how long."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, cast

from django.http import HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.request import Request

from api.renderers import JSONRenderer


def answer(
    request: Request,
    data: Mapping[str, Any],
    *,
    max_age_s: int,
    volatile: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A read as 200 with a weak ETag, or 304 where the caller has it already.

    Anyone may keep what nobody in particular asked for, for ``max_age_s``; what a player asked for only that
    player, who asks again each time. ``volatile`` joins the document and stays out of the ETag (the clock).
    """
    stable = JSONRenderer().render(data)
    body = JSONRenderer().render({**data, **volatile}) if volatile else stable
    response = HttpResponse(body, content_type="application/json", headers=dict(headers or {}))
    response.headers["ETag"] = etag = f'W/"{blake2b(stable, digest_size=12).hexdigest()}"'
    response.headers["Cache-Control"] = (
        "private, no-cache" if request.user.is_authenticated else f"public, max-age={max_age_s}"
    )
    patch_vary_headers(response, ("Authorization", "Cookie"))
    return cast("HttpResponse", get_conditional_response(request, etag=etag, response=response))
