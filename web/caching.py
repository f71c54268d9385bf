"""Pages that are asked for again and again: a tag over what they say, and 304 where nothing new is said."""

import re
from collections.abc import Callable
from functools import wraps
from hashlib import blake2b

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

SECRETS = re.compile(rb'(?:csrfmiddlewaretoken" value|csrf-token" content)="[^"]*"')
"""A form's token is written anew on every page without saying anything new."""


def revalidated(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Give the view's pages a weak ETag, for their reader alone to keep and to ask after each time."""

    @wraps(view)
    def answer(request: HttpRequest, *values: object, **named: object) -> HttpResponseBase:
        response = view(request, *values, **named)
        if response.status_code != 200:
            return response
        etag = tag(response.content)
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, ["Cookie"])
        return get_conditional_response(request, etag=etag, response=response) or response

    return answer


def tag(page: bytes) -> str:
    """The weak ETag of a page."""
    return f'W/"{blake2b(SECRETS.sub(b"", page), digest_size=12).hexdigest()}"'
