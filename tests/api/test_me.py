"""Oneself: who one is, one's name and country, one's tokens."""

import pytest

from players.models import Player
from players.services import issue_token
from tests.api.conftest import CheckedClient, client_of

pytestmark = pytest.mark.django_db


def test_nobody_has_no_me(api: CheckedClient) -> None:
    response = api.get("/api/v1/me/")
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert response.json()["code"] == "not_authenticated"


@pytest.mark.parametrize(
    "header", ["Bearer x", "Bearer pyd_" + "a" * 51, "Bearer", "bearer \0", "pyd_x", "Bearer é"]
)
def test_a_bad_token_is_told_from_no_token(api: CheckedClient, header: str) -> None:
    response = api.get("/api/v1/me/", HTTP_AUTHORIZATION=header)
    assert response.status_code == 401
    assert response.json()["code"] == "invalid_token"


def test_name_and_country_can_be_changed(as_ann: CheckedClient) -> None:
    me = as_ann.patch("/api/v1/me/", {"name": "Annabel", "country": "se"}).json()
    assert (me["name"], me["country"]) == ("Annabel", "SE")
    assert as_ann.get("/api/v1/me/").json() == me
    assert as_ann.patch("/api/v1/me/", {"country": ""}).json()["country"] is None


def test_nothing_changes_when_a_part_is_refused(as_ann: CheckedClient) -> None:
    problem = as_ann.patch("/api/v1/me/", {"name": "Annabel", "country": "XX"}).json()
    assert problem["code"] == "bad_country"
    assert as_ann.get("/api/v1/me/").json()["name"] == "ann"


def test_a_taken_name_cannot_be_taken_over(as_ann: CheckedClient, bob: Player) -> None:
    assert as_ann.patch("/api/v1/me/", {"name": "Bob"}).status_code == 409


def test_no_changes_are_fine(as_ann: CheckedClient) -> None:
    assert as_ann.patch("/api/v1/me/", {}).json() == as_ann.get("/api/v1/me/").json()


@pytest.mark.parametrize("field", ["is_guest", "is_staff", "id", "email", "joined_at"])
def test_what_a_player_may_not_change_is_unknown(as_ann: CheckedClient, field: str) -> None:
    problem = as_ann.patch("/api/v1/me/", {field: True}).json()
    assert problem["errors"] == [{"pointer": f"/{field}", "code": "unknown", "detail": "Unknown field."}]


def test_a_new_token_works_until_it_is_revoked(as_ann: CheckedClient, api: CheckedClient) -> None:
    made = as_ann.post("/api/v1/me/tokens/", {"label": "phone"}).json()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {made['token']}")
    assert api.get("/api/v1/me/").json()["name"] == "ann"
    assert as_ann.delete(f"/api/v1/me/tokens/{made['id']}/").status_code == 204
    assert api.get("/api/v1/me/").status_code == 401


def test_tokens_are_listed_without_their_secrets(as_ann: CheckedClient) -> None:
    made = as_ann.post("/api/v1/me/tokens/", {"label": "phone"}).json()
    response = as_ann.get("/api/v1/me/tokens/")
    assert [(token["label"], token["is_current"]) for token in response.json()["results"]] == [
        ("phone", False),
        ("", True),
    ]
    assert made["token"] not in response.content.decode()


def test_a_revoked_token_is_no_longer_listed(as_ann: CheckedClient) -> None:
    made = as_ann.post("/api/v1/me/tokens/").json()
    as_ann.delete(f"/api/v1/me/tokens/{made['id']}/")
    assert len(as_ann.get("/api/v1/me/tokens/").json()["results"]) == 1
    assert as_ann.delete(f"/api/v1/me/tokens/{made['id']}/").status_code == 404


def test_another_players_token_does_not_exist(as_ann: CheckedClient, bob: Player) -> None:
    token, _ = issue_token(player=bob)
    assert as_ann.delete(f"/api/v1/me/tokens/{token.pk}/").status_code == 404
    assert client_of(bob).get("/api/v1/me/").status_code == 200


def test_tokens_come_in_pages(as_ann: CheckedClient, ann: Player) -> None:
    made = [issue_token(player=ann)[0].pk for _ in range(4)]
    first = as_ann.get("/api/v1/me/tokens/?limit=2").json()
    second = as_ann.get(first["next"]).json()
    assert [token["id"] for token in first["results"] + second["results"]] == made[::-1]
    assert as_ann.get(second["previous"]).json()["results"] == first["results"]


def test_a_cursor_of_another_players_list_is_refused(
    as_ann: CheckedClient, as_bob: CheckedClient, ann: Player
) -> None:
    issue_token(player=ann)
    url = as_ann.get("/api/v1/me/tokens/?limit=1").json()["next"]
    assert as_bob.get(url).json()["code"] == "bad_cursor"


def test_a_session_can_read_and_needs_its_csrf_token_to_write(ann: Player) -> None:
    client = CheckedClient(enforce_csrf_checks=True)
    client.force_login(ann)
    assert client.get("/api/v1/me/").json()["name"] == "ann"
    response = client.patch("/api/v1/me/", {"country": "SE"})
    assert response.status_code == 403
    assert response.json()["code"] == "csrf_failed"
