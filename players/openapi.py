"""How bearer tokens look in the OpenAPI document."""

from typing import Any, override

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class BearerScheme(OpenApiAuthenticationExtension):
    """Describes ``BearerAuthentication``."""

    target_class = "players.authentication.BearerAuthentication"
    name = "bearer"

    @override
    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer"}
