"""Which form an answer has."""

from collections.abc import Iterable
from typing import Any, override

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class Negotiation(DefaultContentNegotiation):
    """DRF's, which reads no list of what is accepted where anything is."""

    @override
    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, Any]:
        if request.META.get("HTTP_ACCEPT", "*/*") == "*/*":
            first = next(iter(renderers))
            return first, first.media_type
        chosen: tuple[BaseRenderer, Any] = super().select_renderer(request, renderers, format_suffix)
        return chosen
