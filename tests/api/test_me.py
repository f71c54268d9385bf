"""Oneself: who one is, one's name and country, one's tokens, all that is held, and leaving."""

import pytest

from daily.models import Attempt, Challenge
from leaderboard.personal_data import HOLDINGS
from players.accounts import create_account
from players.models import Player, Token
from players.services import issue_token
from tests.api.conftest import CheckedClient, client_of
from tests.api.test_runs import submit
from tests.cast import FrozenClock, record

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


def test_me_is_ones_profile_with_the_address(
    as_ann: CheckedClient, ann: Player, challenge: Challenge
) -> None:
    record(ann, challenge, cleared=14, elapsed_ms=60_000)
    me = as_ann.get("/api/v1/me/").json()
    assert (me["runs"], me["streaks"]["current"], me["most_cleared"]) == (1, 1, 14)
    assert (me["email"], me["email_verified_at"]) == (None, None)
    create_account(player=ann, email="ann@example.org", password="seven silent swans")
    assert as_ann.get("/api/v1/me/").json()["email"] == "ann@example.org"
    assert "email" not in as_ann.get("/api/v1/players/ann/").json()


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


def test_everything_held_can_be_taken_home(as_ann: CheckedClient, challenge: Challenge) -> None:
    submit(as_ann, ["D", "D"])
    response = as_ann.get("/api/v1/me/export/")
    assert response.headers["Content-Disposition"] == 'attachment; filename="pyramid-daily-export.json"'
    assert response.headers["Cache-Control"] == "private, no-store"
    held = response.json()
    assert HOLDINGS.keys() < held.keys()
    assert (held["player"]["name"], held["has_password"], len(held["tokens"])) == ("ann", False, 1)
    assert (held["runs"][0]["log"], len(held["attempts"])) == (["D", "D"], 1)
    assert len(held["standings"]) == 4
    told = response.content.decode()
    assert not any(secret in told for secret in (challenge.deck, challenge.salt, Token.objects.get().digest))


def test_nobody_else_takes_it_home(api: CheckedClient) -> None:
    assert api.get("/api/v1/me/export/").status_code == 401


def test_a_guest_leaves_with_a_word(as_ann: CheckedClient, ann: Player, challenge: Challenge) -> None:
    submit(as_ann, ["D"])
    assert as_ann.delete("/api/v1/me/").status_code == 204
    assert as_ann.get("/api/v1/me/").status_code == 401
    ann.refresh_from_db()
    assert ann.name.startswith("Deleted player ")
    assert Attempt.objects.get().run.cleared == 0


def test_an_account_leaves_with_its_password_only(
    as_ann: CheckedClient, ann: Player, clock: FrozenClock
) -> None:
    create_account(player=ann, email="ann@example.org", password="seven silent swans")
    for body in (None, {}, {"current_password": "eight eager elks"}):
        response = as_ann.delete("/api/v1/me/", body)
        assert (response.status_code, response.json()["code"]) == (403, "wrong_password")
    assert as_ann.delete("/api/v1/me/", {"current_password": "seven silent swans"}).status_code == 204
    assert as_ann.get("/api/v1/me/").status_code == 401


def test_guessing_the_password_by_leaving_is_limited_like_logging_in(as_ann: CheckedClient) -> None:
    response = as_ann.delete("/api/v1/me/", {"now": True})
    assert response.status_code == 400
    assert response.headers["RateLimit-Policy"].startswith('"login";')


def test_staff_cannot_leave_like_that(as_ann: CheckedClient, ann: Player, clock: FrozenClock) -> None:
    Player.objects.filter(pk=ann.pk).update(is_staff=True)
    assert as_ann.delete("/api/v1/me/").json()["code"] == "staff_stays"
