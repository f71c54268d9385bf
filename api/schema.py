"""What the OpenAPI document says beside the views: how to authenticate, and how every call can fail."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework import exceptions, serializers
from rest_framework.exceptions import APIException

from api import errors


class FieldErrorSerializer(serializers.Serializer[Any]):
    """What is wrong with one field."""

    pointer = serializers.CharField(help_text="JSON pointer into the body; empty for the body itself.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """RFC 9457. Some codes bring more members; their examples show them."""

    type = serializers.CharField(help_text="Reference to the code's entry in the list of all codes.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable, for programs.")
    detail = serializers.CharField(help_text="For people.")
    instance = serializers.CharField(required=False, help_text="The id under which a fault is logged.")
    errors = FieldErrorSerializer(many=True, required=False)  # type: ignore[assignment]


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
        ProblemSerializer,
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


def add_common_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Adds to every operation how any call can fail. A post-processing hook of the generator."""
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


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The pages' session in the document."""

    target_class = "api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A cookie; writes also need the CSRF token."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document. Some 0.3 s the first time, then kept."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    schema: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


def all_codes() -> list[dict[str, Any]]:
    """Every refusal there is, by code: what the page of error codes lists."""
    kinds = {kind.default_code: kind for kind in _kinds_of(APIException)}
    return [
        {
            "code": code,
            "status": kinds[code].status_code,
            "text": kinds[code].__doc__ or kinds[code].default_detail,
        }
        for code in sorted(kinds)
    ]


def _kinds_of(kind: type[APIException]) -> list[type[APIException]]:
    return [each for child in kind.__subclasses__() for each in (child, *_kinds_of(child))]
