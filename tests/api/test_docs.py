"""The contract: committed, current, free of warnings, and to be read under the content security policy."""

import re
from io import StringIO

import pytest
from django.core.management import call_command
from rest_framework.exceptions import APIException

from api import schema
from tests.api.conftest import CONTRACT, CheckedClient


@pytest.mark.filterwarnings("error")
def test_the_committed_document_is_current_valid_and_free_of_warnings() -> None:
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert CONTRACT.read_text() == out.getvalue(), (
        "docs/openapi.yaml is old: ./run manage spectacular --file docs/openapi.yaml"
    )


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
