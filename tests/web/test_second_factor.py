"""The second step: an app, recovery codes, passkeys."""

import re
import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.mail import EmailMessage
from django.test import Client

from players import accounts
from players.models import Player
from tests.players.conftest import outbox, quick_passwords  # noqa: F401  (fixtures)
from tests.web.test_accounts import EMAIL, LOGIN, NEW_PASSWORD, PASSWORD, become_account, enter, link_in, text
from tests.web.test_guests import signed_in

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXP"
STEP, STEPS = "/account/login/step/", "/account/step/"


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no time step end meanwhile."""
    now_s = time.time()
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time.time", lambda: now_s)


def code(shift: int = 0, secret: str = SECRET) -> str:
    """What the app shows so many steps from now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + shift))


@pytest.fixture
def account(ann: Player, outbox: list[EmailMessage]) -> Player:  # noqa: F811
    return become_account(ann)


@pytest.fixture
def guarded(account: Player) -> Player:
    """An account with an app."""
    TOTP.activate(account, SECRET)
    return account


def log_in(**given: str) -> Any:
    """Ask the API for a token."""
    body = {"login": "ann", "password": PASSWORD, **given}
    return Client().post("/api/v1/tokens/", body, content_type="application/json")


def again(client: Client, page: str) -> Any:
    """Go to a page that asks for the password once more."""
    asked = client.get(page)
    return client.post(asked.headers["Location"], {"password": PASSWORD}, follow=True)


# Signing in


def test_the_password_alone_lets_nobody_in(client: Client, guarded: Player) -> None:
    assert enter(client, next="/practice/").headers["Location"] == STEP
    assert signed_in(client) is None
    assert client.post(STEP, {"code": code()}).headers["Location"] == "/practice/"
    assert signed_in(client) == guarded


def test_a_wrong_code_lets_nobody_in(client: Client, guarded: Player) -> None:
    enter(client)
    assert "This code is wrong" in text(client.post(STEP, {"code": "000000"}))
    assert signed_in(client) is None


def test_a_code_works_once_here_and_at_the_api(client: Client, guarded: Player) -> None:
    enter(client)
    client.post(STEP, {"code": code()})
    assert log_in(code=code()).json()["code"] == "wrong_code"
    other = Client()
    enter(other)
    assert "was used before" in text(other.post(STEP, {"code": code()}))


def test_an_earlier_code_does_not_work_after_a_later_one(guarded: Player) -> None:
    assert log_in(code=code()).status_code == 201
    assert log_in(code=code(-1)).status_code == 401
    assert log_in(code=code(1)).status_code == 201


@pytest.mark.parametrize("shift", [-2, 2])
def test_a_code_of_another_time_does_not_work(guarded: Player, shift: int) -> None:
    assert log_in(code=code(shift)).status_code == 401


def test_codes_are_guessed_a_few_times_only(client: Client, guarded: Player) -> None:
    for address in range(20):
        client.defaults["REMOTE_ADDR"] = f"192.0.2.{address}"
        enter(client)
        client.post(STEP, {"code": "000000"})
    client.defaults["REMOTE_ADDR"] = "198.51.100.1"
    assert "This was tried too often" in text(client.post(STEP, {"code": code()}))


def test_the_step_without_a_password_leads_back(client: Client, guarded: Player) -> None:
    assert client.get(STEP).headers["Location"] == LOGIN
    assert client.post(STEP, {"code": code()}).headers["Location"] == LOGIN


def test_a_guest_who_signs_in_gets_past_the_step(client: Client, guarded: Player) -> None:
    client.post("/guests/")
    enter(client)
    client.post(STEP, {"code": code()})
    assert signed_in(client) == guarded


def test_an_account_closed_meanwhile_is_not_let_in(client: Client, guarded: Player) -> None:
    enter(client)
    Player.objects.filter(pk=guarded.pk).update(is_active=False)
    response = client.post(STEP, {"code": code()}, follow=True)
    assert "There is no account" in text(response)
    assert signed_in(client) is None


def test_staff_need_it_for_the_admin_site(client: Client, guarded: Player) -> None:
    Player.objects.filter(pk=guarded.pk).update(is_staff=True, is_superuser=True)
    enter(client, next="/admin/")
    assert client.get("/admin/").status_code == 302
    client.post(STEP, {"code": code()})
    assert client.get("/admin/").status_code == 200


# Tokens


def test_a_token_needs_it_too(guarded: Player) -> None:
    refused = log_in()
    assert (refused.status_code, refused.json()["code"]) == (401, "second_factor_required")
    assert refused.json()["errors"][0]["pointer"] == "/code"
    assert log_in(code=code()).status_code == 201


def test_without_one_a_code_is_not_asked_for(account: Player) -> None:
    assert log_in().status_code == 201
    assert log_in(code="123456").status_code == 201


def test_a_wrong_password_tells_nothing_of_a_second_step(guarded: Player) -> None:
    assert log_in(password="wrong").json()["code"] == "bad_credentials"


def test_a_refused_label_uses_no_code_up(guarded: Player) -> None:
    assert log_in(code=code(), label="\n").status_code == 400
    assert log_in(code=code()).status_code == 201


def test_a_reset_keeps_it(client: Client, guarded: Player, outbox: list[EmailMessage]) -> None:  # noqa: F811
    Player.objects.update(mailed_at=None)
    client.post("/account/reset/", {"email": EMAIL})
    client.post(link_in(outbox[-1]), {"password": NEW_PASSWORD})
    assert enter(client, password=NEW_PASSWORD).headers["Location"] == STEP


# Setting it up


def test_an_app_is_set_up_with_recovery_codes(
    client: Client,
    account: Player,
    outbox: list[EmailMessage],  # noqa: F811
) -> None:
    enter(client)
    page = again(client, f"{STEPS}app/")
    assert 'src="data:image/svg+xml;base64,' in page.content.decode()
    secret = page.context["form"].secret
    outbox.clear()
    done = client.post(f"{STEPS}app/", {"code": code(secret=secret)}, follow=True)
    recovery = re.findall(r"<code>(\d{8})</code>", done.content.decode())
    assert len(recovery) == 10
    assert "second step was changed" in outbox[0].subject
    other = Client()
    enter(other)
    assert other.post(STEP, {"code": recovery[0]}).status_code == 302
    assert log_in(code=recovery[0]).status_code == 401
    assert log_in(code=recovery[1]).status_code == 201


def test_a_wrong_first_code_sets_nothing_up(client: Client, account: Player) -> None:
    enter(client)
    again(client, f"{STEPS}app/")
    client.post(f"{STEPS}app/", {"code": "000000"})
    assert not Authenticator.objects.exists()


def test_setting_up_takes_the_password_once_more(client: Client, account: Player) -> None:
    client.force_login(account)
    asked = client.get(f"{STEPS}app/").headers["Location"]
    assert asked == "/account/again/?next=%2Faccount%2Fstep%2Fapp%2F"
    assert "present password" in text(client.post(asked, {"password": "wrong"}))
    assert client.post(f"{STEPS}app/", {"code": code()}).headers["Location"].startswith("/account/again/")


def test_an_app_is_removed_with_its_recovery_codes(client: Client, guarded: Player) -> None:
    client.force_login(guarded)
    assert "Remove the app" in text(again(client, f"{STEPS}app/remove/"))
    client.post(f"{STEPS}app/remove/")
    assert not Authenticator.objects.exists()
    assert log_in().status_code == 201


def test_an_address_that_is_not_confirmed_bars_it(client: Client, ann: Player) -> None:
    accounts.create_account(player=ann, email=EMAIL, password=PASSWORD)
    enter(client)
    for page in (f"{STEPS}app/", f"{STEPS}passkeys/new/"):
        assert "Confirm your address first" in text(client.get(page, follow=True))


@pytest.mark.parametrize("page", ["", "app/", "codes/", "passkeys/", "passkeys/new/", "codes/download/"])
def test_guests_make_an_account_first(client: Client, ann: Player, page: str) -> None:
    client.force_login(ann)
    assert client.get(STEPS + page).headers["Location"] == "/account/new/"


@pytest.mark.parametrize("page", ["", "app/", "app/remove/", "codes/", "passkeys/"])
def test_strangers_sign_in_first(client: Client, page: str) -> None:
    assert client.get(STEPS + page).headers["Location"].startswith(LOGIN)


@pytest.mark.parametrize(
    "credential",
    [
        "",
        "{}",
        "[]",
        "null",
        '{"id": "x"}',
        '{"response": 1}',
        '"text"',
        '{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA","userHandle":"AA"}}',
    ],
)
def test_a_passkey_that_makes_no_sense_is_refused(client: Client, guarded: Player, credential: str) -> None:
    form = {"credential": credential}
    assert client.get("/account/login/passkey/", headers={"accept": "application/json"}).status_code == 200
    assert client.post("/account/login/passkey/", form).status_code == 302
    enter(client)
    assert client.post(STEP, form).status_code == 200
    assert signed_in(client) is None
    client.force_login(guarded)
    again(client, f"{STEPS}passkeys/new/")
    assert client.post(f"{STEPS}passkeys/new/", form).status_code == 200
    assert Authenticator.objects.count() == 1


def test_staff_help_who_lost_everything(client: Client, guarded: Player) -> None:
    client.force_login(Player.objects.create_superuser("keeper", PASSWORD))
    chosen = {"action": "remove_second_factors", "_selected_action": [guarded.pk]}
    client.post("/admin/players/player/", chosen)
    assert not Authenticator.objects.exists()
