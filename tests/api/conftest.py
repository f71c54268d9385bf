"""A client that holds every answer against the committed OpenAPI document."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.cache import cache as django_cache
from django.http import HttpResponse
from openapi_schema_validator import OAS31Validator, oas31_format_checker
from rest_framework.test import APIClient

from players.models import Player
from players.services import issue_token
from tests.players.conftest import outbox, quick_passwords  # noqa: F401  (fixtures)

CONTRACT = Path(__file__).parents[2] / "docs" / "openapi.yaml"
PROBLEM = "application/problem+json"


@cache
def contract() -> dict[str, Any]:
    """The committed document, its objects closed: an answer may not hold what is not documented."""
    document: dict[str, Any] = yaml.safe_load(CONTRACT.read_text())
    for name, schema in document["components"]["schemas"].items():
        if "properties" in schema and name != "Problem":
            schema["additionalProperties"] = False
    return document


@cache
def validator(reference: str) -> OAS31Validator:
    """A validator of one component's schema."""
    schema = {"$ref": reference, "components": contract()["components"]}
    return OAS31Validator(schema, format_checker=oas31_format_checker)


@cache
def templates() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """The documented paths as patterns, those with the fewest parameters first."""
    paths = sorted(contract()["paths"].items(), key=lambda path: path[0].count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), item) for path, item in paths]


def operation_of(method: str, path: str) -> dict[str, Any] | None:
    """The documented operation, or None."""
    item = next((item for pattern, item in templates() if pattern.fullmatch(path)), {})
    found: dict[str, Any] | None = item.get("get" if method == "HEAD" else method.lower())
    return found


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """A response, looked up where it is a reference."""
    if "$ref" not in part:
        return part
    found: dict[str, Any] = contract()["components"]["responses"][part["$ref"].rpartition("/")[2]]
    return found


def check(method: str, path: str, response: HttpResponse) -> None:
    """Fails where the answer is not what the document promises."""
    if response.status_code >= 400:
        check_problem(method, response)
    operation = operation_of(method, path)
    if operation is None:
        is_ours = path.startswith("/api/v1/") and method != "OPTIONS"
        assert response.status_code >= 300 or not is_ours, f"undocumented: {method} {path}"
    elif response.status_code not in (301, 304, 405, 412):
        check_operation(method, operation, response)


def check_problem(method: str, response: HttpResponse) -> None:
    """Every failure is a problem document that repeats its status."""
    assert response.headers["Content-Type"] == PROBLEM
    assert response.headers["Cache-Control"] == "no-store"
    if method != "HEAD":
        document = json.loads(response.content)
        validator("#/components/schemas/Problem").validate(document)
        assert document["status"] == response.status_code
        assert document["type"] == f"/api/docs/errors/#{document['code']}"


def check_operation(method: str, operation: dict[str, Any], response: HttpResponse) -> None:
    """The status, the content type and the body are documented."""
    assert str(response.status_code) in operation["responses"], f"undocumented status {response.status_code}"
    content = resolved(operation["responses"][str(response.status_code)]).get("content", {})
    kind = response.headers.get("Content-Type", "")
    if response.streaming:
        assert kind in content, f"undocumented content type {kind}"
        return
    assert not response.content or kind in content, f"undocumented content type {kind}"
    if response.content and method != "HEAD":
        validator(content[kind]["schema"]["$ref"]).validate(json.loads(response.content))


class CheckedClient(APIClient):
    """Checks each answer; faults of ours come back as answers too."""

    def __init__(self, **options: Any) -> None:
        super().__init__(raise_request_exception=False, **options)

    def request(self, **environ: Any) -> Any:
        """Sends a request and checks what comes back."""
        response = super().request(**environ)
        check(environ["REQUEST_METHOD"], environ["PATH_INFO"], response)
        return response


@pytest.fixture
def api() -> CheckedClient:
    """Nobody in particular."""
    return CheckedClient()


def client_of(player: Player) -> CheckedClient:
    """A client with a token of the player."""
    client = CheckedClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {issue_token(player=player)[1]}")
    return client


@pytest.fixture
def as_ann(ann: Player) -> CheckedClient:
    """Ann's client."""
    return client_of(ann)


@pytest.fixture
def as_bob(bob: Player) -> CheckedClient:
    """Bob's client."""
    return client_of(bob)


def forget_kept_answers() -> None:
    """Let a second pass for what is kept as long."""
    django_cache.clear()
