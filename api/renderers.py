"""JSON as every answer is written: UTC moments with microseconds and a Z."""

from datetime import UTC, datetime
from typing import Any

import orjson
from rest_framework import renderers
from rest_framework.utils.encoders import JSONEncoder

encode_other = JSONEncoder().default


class JSONRenderer(renderers.JSONRenderer):
    """Writes answers."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """The document, or nothing for None. Raises TypeError."""
        return b"" if data is None else orjson.dumps(data, encode, orjson.OPT_PASSTHROUGH_DATETIME)


class NDJSONRenderer(JSONRenderer):
    """Lets callers accept streams of lines; what streams writes its lines itself, and a document is one."""

    media_type = "application/x-ndjson"
    format = "ndjson"


def encode(value: Any) -> Any:
    """What JSON has no form for: every moment alike, ``2026-11-30T12:00:00.000000Z``, whole seconds too."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return encode_other(value)
