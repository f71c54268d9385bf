"""Answers."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from api.renderers import JSONRenderer


class Response(HttpResponse):
    """A document, rendered as it is made; without one an answer that has no body.

    DRF's does the same by way of Django's templates.
    """

    def __init__(self, data: Any = None, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        body = JSONRenderer().render(data)
        super().__init__(body, content_type="application/json", status=status, headers=dict(headers or {}))
        if not body:
            del self.headers["Content-Type"]
