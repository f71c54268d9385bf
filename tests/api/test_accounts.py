"""Guests become accounts, log in from elsewhere, and find back in with a mail."""

from typing import Any

import pytest
from django.core.mail import EmailMessage
from rest_framework.test import APIClient

from players.accounts import create_account
from players.models import Player
from tests.api.conftest import CheckedClient, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

EMAIL, PASSWORD, NEW_PASSWORD = "ann@example.org", "seven silent swans", "eight eager elks"


@pytest.fixture
def account(ann: Player) -> Player:
    """Ann with an account that no mail was sent for lately."""
    create_account(player=ann, email=EMAIL, password=PASSWORD)
    Player.objects.update(mailed_at=None)
    ann.refresh_from_db()
    return ann


def log_in(client: APIClient, login: str = "ann", password: str = PASSWORD) -> Any:
    return client.post("/api/v1/tokens/", {"login": login, "password": password})


def code_in(mail: EmailMessage) -> str:
    return str(mail.body).split("\n\n")[3]


def test_a_guest_becomes_an_account_and_keeps_token_and_name(as_ann: CheckedClient) -> None:
    me = as_ann.put("/api/v1/me/account/", {"email": "Ann@Example.org", "password": PASSWORD}).json()
    assert (me["name"], me["is_guest"], me["email"], me["email_verified_at"]) == ("ann", False, EMAIL, None)
    assert as_ann.get("/api/v1/me/").json() == me


def test_making_the_same_account_again_changes_nothing(as_ann: CheckedClient) -> None:
    body = {"email": EMAIL, "password": PASSWORD}
    assert as_ann.put("/api/v1/me/account/", body).json() == as_ann.put("/api/v1/me/account/", body).json()
    other = as_ann.put("/api/v1/me/account/", {**body, "email": "other@example.org"})
    assert (other.status_code, other.json()["code"]) == (409, "has_account")


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"email": "ann"}, "bad_email", "/email"),
        ({"email": ""}, "invalid", "/email"),
        ({"password": "short"}, "bad_password", "/password"),
        ({"password": "x" * 1025}, "invalid", "/password"),
        ({"password": 7}, "invalid", "/password"),
    ],
)
def test_an_account_needs_an_address_and_a_good_password(
    as_ann: CheckedClient, change: dict[str, Any], code: str, pointer: str
) -> None:
    response = as_ann.put("/api/v1/me/account/", {"email": EMAIL, "password": PASSWORD} | change)
    assert (response.status_code, response.json()["code"]) == (400, code)
    assert response.json()["errors"][0]["pointer"] == pointer
    assert as_ann.get("/api/v1/me/").json()["is_guest"] is True


def test_an_address_is_one_accounts(as_bob: CheckedClient, account: Player) -> None:
    response = as_bob.put("/api/v1/me/account/", {"email": "ANN@example.org", "password": PASSWORD})
    assert (response.status_code, response.json()["code"]) == (409, "email_taken")


@pytest.mark.parametrize("login", ["ann", "ANN", EMAIL, "Ann@example.ORG"])
def test_logging_in_gives_a_token_that_works(api: CheckedClient, account: Player, login: str) -> None:
    response = log_in(api, login)
    assert response.status_code == 201
    assert response.json()["player"]["name"] == "ann"
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {response.json()['token']}")
    assert api.get("/api/v1/me/").json()["email"] == EMAIL


def test_a_log_in_may_have_a_label(api: CheckedClient, account: Player) -> None:
    body = {"login": "ann", "password": PASSWORD, "label": "phone"}
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {api.post('/api/v1/tokens/', body).json()['token']}")
    assert api.get("/api/v1/me/tokens/").json()["results"][0]["label"] == "phone"
    refused = api.post("/api/v1/tokens/", {**body, "label": "x" * 61})
    assert refused.json()["code"] == "bad_label"


def test_a_wrong_log_in_does_not_tell_what_was_wrong(
    api: CheckedClient, account: Player, bob: Player
) -> None:
    answers = [
        log_in(api, login, password)
        for login, password in [("ann", "wrong"), ("nobody", PASSWORD), (EMAIL, "wrong"), ("bob", PASSWORD)]
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["code"] == "bad_credentials"


def test_a_new_password_ends_every_other_token(as_ann: CheckedClient, account: Player) -> None:
    elsewhere = client_of(account)
    body = {"current_password": PASSWORD, "password": NEW_PASSWORD}
    assert as_ann.put("/api/v1/me/password/", body).status_code == 204
    assert as_ann.get("/api/v1/me/").status_code == 200
    assert elsewhere.get("/api/v1/me/").status_code == 401
    assert log_in(elsewhere).status_code == 401
    elsewhere.credentials()
    assert log_in(elsewhere, password=NEW_PASSWORD).status_code == 201


def test_a_session_outlives_its_own_change_of_password(account: Player) -> None:
    client, elsewhere = CheckedClient(), CheckedClient()
    client.force_login(account)
    elsewhere.force_login(account)
    body = {"current_password": PASSWORD, "password": NEW_PASSWORD}
    assert client.put("/api/v1/me/password/", body).status_code == 204
    assert client.get("/api/v1/me/").status_code == 200
    assert elsewhere.get("/api/v1/me/").status_code == 401


def test_a_password_is_changed_by_who_knows_it(as_ann: CheckedClient, account: Player) -> None:
    wrong = as_ann.put("/api/v1/me/password/", {"current_password": "wrong", "password": NEW_PASSWORD})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong_password")
    assert wrong.json()["errors"][0]["pointer"] == "/current_password"
    short = as_ann.put("/api/v1/me/password/", {"current_password": PASSWORD, "password": "short"})
    assert short.json()["code"] == "bad_password"


def test_a_guest_has_no_password_or_address_to_change(as_ann: CheckedClient) -> None:
    calls = {
        "password": {"current_password": "x", "password": NEW_PASSWORD},
        "email": {"current_password": "x", "email": EMAIL},
    }
    for name, body in calls.items():
        response = as_ann.put(f"/api/v1/me/{name}/", body)
        assert (response.status_code, response.json()["code"]) == (409, "no_account")


def test_the_code_that_was_mailed_verifies_the_address(
    as_ann: CheckedClient, api: CheckedClient, outbox: list[EmailMessage]
) -> None:
    as_ann.put("/api/v1/me/account/", {"email": EMAIL, "password": PASSWORD})
    code = code_in(outbox[-1])
    assert api.post("/api/v1/email-verifications/", {"token": code}).status_code == 204
    assert as_ann.get("/api/v1/me/").json()["email_verified_at"]
    assert api.post("/api/v1/email-verifications/", {"token": code}).status_code == 204


def test_another_address_counts_once_it_is_verified(
    as_ann: CheckedClient, api: CheckedClient, account: Player, outbox: list[EmailMessage]
) -> None:
    body = {"email": "lee@example.org", "current_password": PASSWORD}
    response = as_ann.put("/api/v1/me/email/", body)
    assert (response.status_code, response.content) == (202, b"")
    assert as_ann.get("/api/v1/me/").json()["email"] == EMAIL
    assert outbox[-1].to == ["lee@example.org"]
    assert api.post("/api/v1/email-verifications/", {"token": code_in(outbox[-1])}).status_code == 204
    assert as_ann.get("/api/v1/me/").json()["email"] == "lee@example.org"


def test_mails_are_not_sent_one_after_the_other(
    as_ann: CheckedClient, account: Player, outbox: list[EmailMessage]
) -> None:
    body = {"email": "lee@example.org", "current_password": PASSWORD}
    as_ann.put("/api/v1/me/email/", body)
    response = as_ann.put("/api/v1/me/email/", body)
    assert (response.status_code, response.json()["code"]) == (429, "mail_too_soon")
    assert 1 <= int(response.headers["Retry-After"]) <= 60


def test_a_forgotten_password_is_chosen_anew_with_a_mail(
    api: CheckedClient, as_ann: CheckedClient, account: Player, outbox: list[EmailMessage]
) -> None:
    assert api.post("/api/v1/password-resets/", {"email": EMAIL}).status_code == 202
    body = {"token": code_in(outbox[-1]), "password": NEW_PASSWORD}
    assert api.post("/api/v1/password-resets/confirm/", body).status_code == 204
    assert as_ann.get("/api/v1/me/").status_code == 401
    assert log_in(api, password=NEW_PASSWORD).status_code == 201
    again = api.post("/api/v1/password-resets/confirm/", body)
    assert (again.status_code, again.json()["code"]) == (400, "dead_link")


def test_a_reset_does_not_tell_who_has_an_account(
    api: CheckedClient, account: Player, outbox: list[EmailMessage]
) -> None:
    known, unknown = (
        api.post("/api/v1/password-resets/", {"email": email}) for email in (EMAIL, "nobody@example.org")
    )
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content) == (202, b"")
    assert len(outbox) == 1


@pytest.mark.parametrize("token", ["x", "a:b:c", "é", "🂡" * 100, "a" * 20_000])
def test_what_was_not_mailed_opens_nothing(api: CheckedClient, token: str) -> None:
    for path, more in (
        ("email-verifications/", {}),
        ("password-resets/confirm/", {"password": NEW_PASSWORD}),
    ):
        response = api.post(f"/api/v1/{path}", {"token": token, **more})
        assert (response.status_code, response.json()["code"]) == (400, "dead_link")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("put", "me/account/", {"email": EMAIL, "password": PASSWORD}),
        ("post", "tokens/", {"login": "ann", "password": PASSWORD}),
        ("put", "me/password/", {"current_password": PASSWORD, "password": NEW_PASSWORD}),
        ("put", "me/email/", {"email": EMAIL, "current_password": PASSWORD}),
        ("post", "email-verifications/", {"token": "x"}),
        ("post", "password-resets/", {"email": EMAIL}),
        ("post", "password-resets/confirm/", {"token": "x", "password": NEW_PASSWORD}),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_all_of_it_is_limited_by_address_and_answers_nothing_to_keep(
    as_ann: CheckedClient, as_bob: CheckedClient, account: Player, method: str, path: str, body: Any
) -> None:
    first, second = (getattr(client, method)(f"/api/v1/{path}", body) for client in (as_ann, as_bob))
    assert first.headers["RateLimit"].startswith('"login";r=59;')
    assert second.headers["RateLimit"].startswith('"login";r=58;')
    assert "no-store" in first.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["me/account/", "me/password/", "me/email/"])
def test_nobody_has_nothing_to_change(api: CheckedClient, path: str) -> None:
    assert api.put(f"/api/v1/{path}", {}).json()["code"] == "not_authenticated"
