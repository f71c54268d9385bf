"""A guest at once, by session."""

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from players import throttling
from players.models import Player, Token
from players.throttling import Meter

pytestmark = pytest.mark.django_db
GUESTS = "/guests/"
PAGE = {"accept": "text/html,application/xhtml+xml"}


def signed_in(client: Client) -> Player | None:
    """Whom the client's session speaks for."""
    key = client.session.get("_auth_user_id")
    return Player.objects.get(pk=key) if key else None


def test_a_script_becomes_a_guest_without_a_token(client: Client) -> None:
    response = client.post(GUESTS, headers={"accept": "application/json"})
    assert (response.status_code, response.content) == (204, b"")
    guest = signed_in(client)
    assert guest
    assert guest.is_guest
    assert not Token.objects.exists()


def test_a_form_is_led_on(client: Client) -> None:
    response = client.post(GUESTS, {"next": "/practice/"}, headers=PAGE)
    assert (response.status_code, response.headers["Location"]) == (302, "/practice/")


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_nobody_is_led_elsewhere(client: Client, elsewhere: str) -> None:
    response = client.post(GUESTS, {"next": elsewhere}, headers=PAGE)
    assert response.headers["Location"] == "/play/"


def test_who_is_signed_in_stays_who_they_are(client: Client, ann: Player) -> None:
    client.force_login(ann)
    assert client.post(GUESTS).status_code == 204
    assert signed_in(client) == ann
    assert Player.objects.count() == 1


def test_looking_makes_nobody(client: Client) -> None:
    assert client.get(GUESTS).status_code == 405
    assert not Player.objects.exists()


def test_another_site_cannot_make_guests() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(GUESTS).status_code == 403
    assert not Player.objects.exists()


def test_the_session_is_a_new_one_and_lasts_a_year(client: Client) -> None:
    client.post(GUESTS)
    cookie = client.cookies["sessionid"]
    assert cookie["max-age"] == 365 * 24 * 60 * 60
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_guests_count_together_with_those_of_the_api(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    meter = Meter({**settings.THROTTLE_RATES, "join": "2/hour"})
    monkeypatch.setattr(throttling, "meter", lambda: meter)
    assert client.post("/api/v1/players/", {}, content_type="application/json").status_code == 201
    assert client.post(GUESTS).status_code == 204
    refused = Client().post(GUESTS, headers={"accept": "application/json"})
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert int(refused.headers["Retry-After"]) <= 3600
    page = Client().post(GUESTS, headers=PAGE)
    assert page.status_code == 429
    assert "Try again in" in page.content.decode()


def test_a_session_in_use_is_kept(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.post(GUESTS)
    assert "sessionid" not in client.get("/api/v1/me/").cookies
    monkeypatch.setattr("web.sessions._month", lambda: "2099-01")
    kept = client.get("/api/v1/me/").cookies["sessionid"]
    assert kept["max-age"] == settings.SESSION_COOKIE_AGE
    assert "sessionid" not in client.get("/api/v1/me/").cookies
