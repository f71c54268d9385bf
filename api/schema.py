"""What the OpenAPI document says beside the views: shapes, credentials, and how every call can fail."""

import re
from collections.abc import Sequence
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import resolve_type_hint
from drf_spectacular.utils import Direction, OpenApiExample, OpenApiResponse
from rest_framework import exceptions
from rest_framework.exceptions import APIException

from api import errors


class FieldErrorAnswer(TypedDict):
    """What is wrong with one field."""

    pointer: Annotated[str, "JSON pointer into the body; empty for the body itself."]
    code: str
    detail: str


class ProblemAnswer(TypedDict):
    """RFC 9457. Some codes bring more members; their examples show them."""

    type: Annotated[str, "Reference to the code's entry in the list of all codes."]
    title: str
    status: int
    code: Annotated[str, "Stable, for programs."]
    detail: Annotated[str, "For people."]
    instance: NotRequired[Annotated[str, "The id under which a fault is logged."]]
    errors: NotRequired[list[FieldErrorAnswer]]


class ShapeExtension(OpenApiSerializerExtension):
    """Makes a component of each ``TypedDict``: ``RunAnswer`` becomes ``Run``."""

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_typeddict(target)

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """The component's name."""
        return str(self.target.__name__).removesuffix("Answer")

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """The component's schema."""
        hints = get_type_hints(self.target, include_extras=True)
        return {
            "type": "object",
            "description": self.target.__doc__,
            "properties": {name: schema_of(hint, auto_schema) for name, hint in hints.items()},
            "required": sorted(self.target.__required_keys__, key=list(hints).index),
        }


class Schema(AutoSchema):
    """Tells of the body of a DELETE too, where a view names one, and of no other body than those named."""

    def get_request_serializer(self) -> Any:
        """None, where the view names none."""
        return None

    def get_operation(self, *args: Any) -> Any:
        """The operation with its body."""
        operation: Any = super().get_operation(*args)
        if self.method == "DELETE" and (serializer := self.get_request_serializer()):
            component = self.resolve_serializer(serializer, "request")
            operation["requestBody"] = {"content": {"application/json": {"schema": component.ref}}}
        return operation


def schema_of(hint: Any, auto_schema: AutoSchema) -> dict[str, Any]:
    """The schema of a type in a shape; ``Annotated`` brings its description."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return schema_of(arguments[0], auto_schema)
    if origin is Annotated:
        return schema_of(arguments[0], auto_schema) | {"description": arguments[1]}
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0], auto_schema)}
    if origin in (Union, UnionType):
        return _union(
            [{"type": "null"} if kind is NoneType else schema_of(kind, auto_schema) for kind in arguments]
        )
    if is_typeddict(hint):
        return dict(auto_schema.resolve_serializer(hint, "response").ref)
    return dict(resolve_type_hint(hint))


def _union(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """One of these; types side by side where that says it all."""
    if any("$ref" in schema for schema in schemas):
        return {"oneOf": schemas}
    kinds = [schema.pop("type") for schema in schemas]
    return {"type": kinds} | {key: value for schema in schemas for key, value in schema.items()}


def refusals(*known: APIException) -> dict[tuple[int, str], OpenApiResponse]:
    """The ``responses`` of an operation for refusals it may give; the documents are the examples."""
    statuses = sorted({refusal.status_code for refusal in known})
    return {
        (status, errors.CONTENT_TYPE): _response(
            [refusal for refusal in known if refusal.status_code == status]
        )
        for status in statuses
    }


def _response(known: Sequence[APIException]) -> OpenApiResponse:
    documents = [errors.problem(refusal) for refusal in known]
    return OpenApiResponse(
        ProblemAnswer,
        description=" ".join(f"`{document['code']}`: {document['detail']}" for document in documents),
        examples=[OpenApiExample(document["code"], value=document) for document in documents],
    )


ANY_CALL: dict[str, APIException] = {
    "BadRequest": errors.BadRequest(),
    "NotAcceptable": exceptions.NotAcceptable("Answers are application/json."),
    "TooManyRequests": exceptions.Throttled(wait=17),
    "InternalError": errors.InternalError(),
    "Unavailable": errors.Unavailable(),
}
CALL_WITH_CREDENTIALS: dict[str, APIException] = {"Unauthorized": exceptions.AuthenticationFailed()}
CALL_WITH_BODY: dict[str, APIException] = {
    "CsrfFailed": errors.CsrfFailed(),
    "LengthRequired": errors.LengthRequired(),
    "BodyTooLarge": errors.BodyTooLarge(),
    "UnsupportedMediaType": exceptions.UnsupportedMediaType(
        "", "Send the body as application/json in UTF-8."
    ),
}
HTTP_METHODS = {"get", "post", "put", "patch", "delete"}


CONVENTIONS = """One Pyramid solitaire deal a day for everybody: start, play, submit the log, see the rank.

**Who asks.** Programs send `Authorization: Bearer …` with the token from joining. Pages use their session and
the CSRF token.

**Bodies** are JSON objects in UTF-8, at most 96 KiB, read strictly: unknown fields, names given twice,
other types than documented, NUL characters and half surrogates are refused.

**Failures** are `application/problem+json` (RFC 9457) with a stable `code`, whatever went wrong; refused
fields are listed in `errors`. [All codes](/api/docs/errors/).

**Lists** have `next` and `previous`, in the `Link` header too. Their cursors keep their place while rows come
and go.

**Names.** Wherever a player's name goes, in a path or in `around`, `me` is the caller.

**Caching.** Public reads have an `ETag` and answer `If-None-Match` with 304, cheap enough to poll. They are
to be asked for again each time, so that a correction or a new name shows at once.

**Limits.** `RateLimit-Policy` and `RateLimit` say what is left, and `Retry-After` on a 429 when to come back.

**Times** are UTC in ISO 8601; durations are milliseconds.
"""


def complete(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Adds the conventions, and to every operation how any call can fail. A post-processing hook."""
    result["info"]["description"] = CONVENTIONS
    for path in result["paths"].values():
        for operation in (path[method] for method in HTTP_METHODS & path.keys()):
            for name, refusal in _failures(operation).items():
                reference = {"$ref": f"#/components/responses/{name}"}
                operation["responses"].setdefault(str(refusal.status_code), reference)
    known = ANY_CALL | CALL_WITH_CREDENTIALS | CALL_WITH_BODY
    result["components"]["responses"] = {name: _shared_response(known[name]) for name in sorted(known)}
    return result


def _failures(operation: dict[str, Any]) -> dict[str, APIException]:
    failures = dict(ANY_CALL)
    if any(operation.get("security", ())):
        failures |= CALL_WITH_CREDENTIALS
    if "requestBody" in operation:
        failures |= CALL_WITH_BODY
    return failures


def _shared_response(refusal: APIException) -> dict[str, Any]:
    document = errors.problem(refusal)
    return {
        "description": document["detail"],
        "content": {
            errors.CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": document}
        },
    }


class SessionScheme(OpenApiAuthenticationExtension):
    """The pages' session in the document."""

    target_class = "api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A cookie, called so over https; writes also need the CSRF token."""
        return {"type": "apiKey", "in": "cookie", "name": "__Host-sessionid"}


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document. Some 0.3 s the first time, then kept."""
    generator = SchemaGenerator()
    schema: dict[str, Any] = generator.get_schema(request=None, public=True)
    return schema


def all_codes() -> list[dict[str, Any]]:
    """Every refusal there is, by code: what the page of error codes lists."""
    kinds = {kind.default_code: kind for kind in _kinds_of(APIException)}
    return [
        {"code": code, "status": kinds[code].status_code, "text": _explanation(kinds[code])}
        for code in sorted(kinds)
    ]


def _explanation(kind: type[APIException]) -> str:
    """The docstring's first paragraph; the framework's own classes have a sentence with gaps instead."""
    text = (kind.__doc__ or str(kind.default_detail)).partition("\n\n")[0]
    return re.sub(r' "\{\w+\}"', "", text.replace("``", ""))


def _kinds_of(kind: type[APIException]) -> list[type[APIException]]:
    return [each for child in kind.__subclasses__() for each in (child, *_kinds_of(child))]
