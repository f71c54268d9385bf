"""What every answer carries, whatever it is and whoever asked."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from daily.models import Challenge
from players.models import Player

ANSWERS = {
    "a page": ("/", 200),
    "a page for forms": ("/account/new/", 200),
    "a page of nothing": ("/nothing/", 404),
    "a document": ("/api/v1/challenges/today/", 200),
    "a problem": ("/api/v1/nothing/", 404),
    "the OpenAPI document": ("/api/openapi/", 200),
    "the reference": ("/api/docs/", 200),
    "a probe": ("/healthz", 200),
    "a style": ("/static/web/site.css", 200),
    "a script": ("/static/web/site.js", 200),
}
KINDS = {
    "text/html; charset=utf-8",
    "application/json",
    "application/problem+json",
    "application/vnd.oai.openapi",
}
KINDS |= {'text/css; charset="utf-8"', 'text/javascript; charset="utf-8"'}


@pytest.fixture
def https(settings: Settings) -> Client:
    """A client of a deployment."""
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = 31_536_000, True
    return Client(headers={"Origin": "https://elsewhere.example"})


def ask(client: Client, case: str) -> Any:
    path, status = ANSWERS[case]
    response = client.get(path, secure=True)
    b"".join(response)  # which closes the file of a static one
    assert response.status_code == status
    return response


@pytest.mark.parametrize("case", ANSWERS)
def test_no_browser_takes_an_answer_for_something_else(
    case: str, https: Client, challenge: Challenge
) -> None:
    response = ask(https, case)
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Type"].partition("; version")[0] in KINDS


@pytest.mark.parametrize("case", ANSWERS)
def test_every_answer_keeps_to_https_for_a_year(case: str, https: Client, challenge: Challenge) -> None:
    assert "max-age=31536000; includeSubDomains" in ask(https, case).headers["Strict-Transport-Security"]


@pytest.mark.parametrize("case", ANSWERS)
def test_no_other_origin_is_let_in(case: str, https: Client, challenge: Challenge) -> None:
    assert not [name for name in ask(https, case).headers if name.lower().startswith("access-control-")]


@pytest.mark.parametrize("case", [name for name, (path, _) in ANSWERS.items() if "/static/" not in path])
def test_every_answer_but_files_forbids_scripts_and_frames_of_others(
    case: str, https: Client, challenge: Challenge
) -> None:
    response = ask(https, case)
    policy = response.headers["Content-Security-Policy"]
    assert {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "script-src 'self'"} <= set(
        policy.split("; ")
    )
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Referrer-Policy"] == "same-origin"


def test_nobody_elses_answer_is_kept_for_somebody(https: Client, ann: Player, challenge: Challenge) -> None:
    https.force_login(ann)
    for case in ("a page", "a document", "a problem"):
        assert "public" not in ask(https, case).headers["Cache-Control"]
