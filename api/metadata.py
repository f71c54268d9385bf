"""What OPTIONS says: the methods, in its ``Allow`` header, and nothing about the inside."""

from typing import Any

from rest_framework.metadata import BaseMetadata
from rest_framework.request import Request


class NoMetadata(BaseMetadata):
    """Describes nothing; the OpenAPI document does that."""

    def determine_metadata(self, request: Request, view: Any) -> dict[str, Any]:
        """An empty object."""
        return {}
