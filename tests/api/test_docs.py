"""The contract: committed, current, free of warnings, and to be read under the content security policy."""

import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from openapi_schema_validator import OAS31Validator
from rest_framework.exceptions import APIException

from api import schema
from tests.api.conftest import CONTRACT, CheckedClient, contract, validator


@pytest.mark.filterwarnings("error")
def test_the_committed_document_is_current_valid_and_free_of_warnings() -> None:
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert CONTRACT.read_text() == out.getvalue(), (
        "docs/openapi.yaml is old: ./run manage spectacular --file docs/openapi.yaml"
    )


def test_every_schema_is_one_by_the_draft_that_the_document_names() -> None:
    """Programs that read it check that first, and rightly."""
    schemas = contract()["components"]["schemas"]
    for name, each in schemas.items():
        OAS31Validator.check_schema(each)
        assert isinstance(each.get("description", ""), str), name


def test_every_example_fits_its_schema() -> None:
    checked = 0
    for part in walk(contract()):
        for example in part.get("examples", {}).values():
            validator(part["schema"]["$ref"]).validate(example["value"])
            checked += 1
    assert checked >= 40


def walk(part: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a document that has a schema and examples."""
    if isinstance(part, dict) and "$ref" in part.get("schema", {}):
        yield part
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    for each in inner:
        yield from walk(each)


def test_the_body_of_a_deletion_is_told_where_there_is_one() -> None:
    with_body = {
        path
        for path, item in contract()["paths"].items()
        if "delete" in item and "requestBody" in item["delete"]
    }
    assert with_body == {"/api/v1/me/"}


@pytest.mark.django_db
def test_the_document_is_served_and_cached(api: CheckedClient) -> None:
    response = api.get("/api/openapi/")
    assert response.json()["info"]["title"] == "Pyramid Daily"
    again = api.get("/api/openapi/", HTTP_IF_NONE_MATCH=response.headers["ETag"])
    assert again.status_code == 304


@pytest.mark.django_db
def test_swagger_ui_has_no_inline_code_styles_or_foreign_sources(api: CheckedClient) -> None:
    response = api.get("/api/docs/")
    page = response.content.decode()
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son\w+=", page)
    sources = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(sources) >= 4
    assert all(source.startswith("/") and not source.startswith("//") for source in sources)


@pytest.mark.django_db
def test_swagger_uis_script_reads_our_document(api: CheckedClient) -> None:
    response = api.get("/api/docs/?script=")
    assert response.headers["Content-Type"] == "application/javascript"
    assert b'url: "/api/openapi/"' in response.content


def test_every_error_code_has_an_entry_that_its_type_points_to(api: CheckedClient) -> None:
    page = api.get("/api/docs/errors/").content.decode()
    codes = {entry["code"] for entry in schema.all_codes()}
    assert {"illegal_move", "malformed_json", "bad_cursor", "throttled", "name_taken"} <= codes
    assert all(f'<dt id="{code}">' in page for code in codes)
    assert APIException.default_code not in codes
    assert not set("`{}") & set(page)
