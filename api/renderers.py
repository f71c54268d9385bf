"""JSON as every answer is written: UTC moments with microseconds and a Z."""

from datetime import UTC, datetime
from typing import Any

from rest_framework import renderers
from rest_framework.utils import encoders


class Encoder(encoders.JSONEncoder):
    """Writes every moment alike, whole seconds too."""

    def default(self, obj: Any) -> Any:
        """``2026-11-30T12:00:00.000000Z`` for an aware datetime."""
        if isinstance(obj, datetime):
            return obj.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return super().default(obj)


class JSONRenderer(renderers.JSONRenderer):
    """Writes answers."""

    encoder_class = Encoder


class NDJSONRenderer(JSONRenderer):
    """Lets callers accept streams of lines; what streams writes its lines itself, and a document is one."""

    media_type = "application/x-ndjson"
    format = "ndjson"
