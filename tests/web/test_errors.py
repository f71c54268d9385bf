"""The pages that come when something is wrong."""

from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError
from django.test import Client

from players.models import Player


@pytest.fixture
def quiet_client() -> Client:
    return Client(raise_request_exception=False)


def fail(client: Client, fault: Exception) -> Any:
    """What a page answers that fails so."""
    with mock.patch("web.shell.version", side_effect=fault):
        return client.get("/worker.js")


@pytest.mark.django_db
def test_what_is_not_there_is_a_page_that_leads_on(client: Client) -> None:
    response = client.get("/nothing/")
    assert response.status_code == 404
    assert b"<h1>There is nothing here</h1>" in response.content
    assert b'href="/"' in response.content


@pytest.mark.django_db
def test_what_is_not_there_still_says_who_is_signed_in(client: Client, ann: Player) -> None:
    client.force_login(ann)
    response = client.get("/nothing/")
    assert b"<bdi>ann</bdi>" in response.content
    assert response["Cache-Control"] == "private, no-cache"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "address"),
    [("POST", "/rules/"), ("GET", "/guests/"), ("PUT", "/account/logout/"), ("BREW", "/")],
)
def test_a_method_that_is_none_of_a_pages_is_refused_in_words(
    client: Client, method: str, address: str
) -> None:
    response = client.generic(method, address)
    assert response.status_code == 405
    assert "Allow" in response.headers
    assert b"<h1>This is not done here</h1>" in response.content
    assert response.headers["Content-Length"] == str(len(response.content))


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "status"), [("/nothing/", 404), ("/leagues/new/", 400)])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"f=1&" * 5000, "application/x-www-form-urlencoded"),
        (b"x", "multipart/form-data"),
        (b"name=ours", "application/x-www-form-urlencoded; charset=utf-16"),
    ],
    ids=["a flood of fields", "no boundary", "another charset"],
)
def test_a_form_that_cannot_be_read_is_no_fault_of_ours(
    ann: Player, quiet_client: Client, address: str, status: int, body: bytes, kind: str
) -> None:
    """What tells of a failure may not read the form either."""
    quiet_client.force_login(ann)
    quiet_client.handler.enforce_csrf_checks = True
    quiet_client.cookies["csrftoken"] = "c" * 32
    assert quiet_client.post(address, body, content_type=kind).status_code == status


@pytest.mark.parametrize("address", ["/players/a%00/", "/api/v1/players/a%00/"])
def test_what_goes_no_further_is_kept_from_scripts_and_frames_too(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 400
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Frame-Options"] == "DENY"


def test_a_fault_is_a_page_that_asks_neither_database_nor_session(quiet_client: Client) -> None:
    """The database is out of reach in this test, since it does not ask for one."""
    response = fail(quiet_client, ValueError("a secret"))
    assert response.status_code == 500
    assert b"<h1>Something broke here</h1>" in response.content
    assert b"secret" not in response.content


def test_where_the_database_is_away_a_page_asks_to_come_back(quiet_client: Client) -> None:
    response = fail(quiet_client, OperationalError("connection to 10.0.0.7 failed"))
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert response["Cache-Control"] == "no-store"
    assert b"<h1>Back in a moment</h1>" in response.content
    assert b"10.0.0.7" not in response.content


@pytest.mark.django_db
def test_what_is_not_there_is_told_later_where_the_database_is_away(
    quiet_client: Client, ann: Player
) -> None:
    quiet_client.force_login(ann)
    with mock.patch("django.contrib.sessions.backends.db.SessionStore.load", side_effect=OperationalError):
        assert quiet_client.get("/nothing/").status_code == 503


def test_a_broken_host_is_a_page_without_that_host(client: Client) -> None:
    response = client.get("/rules/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert b"<h1>This request could not be understood</h1>" in response.content
    assert b"evil" not in response.content


@pytest.mark.django_db
def test_a_form_from_elsewhere_is_refused_in_words(ann: Player) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    response = client.post("/rules/")
    assert response.status_code == 403
    assert b"<h1>That did not go through</h1>" in response.content
