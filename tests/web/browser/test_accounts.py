"""Accounts in a real browser: a guest becomes one, with an app, with a passkey."""

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Page, expect

from players.models import Player
from tests.cast import make_player
from tests.web.browser.accessibility import Axe
from tests.web.browser.watch import NewContext, SignIn
from tests.web.test_accounts import EMAIL, PASSWORD, become_account

PHONE = {"width": 360, "height": 640}
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def account(transactional_db: None) -> Player:
    return become_account(make_player("ann"))


def sign_in_by_password(page: Page) -> None:
    page.goto("/account/login/")
    page.get_by_label("Name or email address").fill("ANN")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def confirm_password(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


def add_key(page: Page) -> None:
    """Give the device a finger on its sensor."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})


@pytest.mark.browser_context_args(viewport=PHONE, java_script_enabled=False)
def test_a_guest_becomes_an_account_and_comes_back_without_javascript(page: Page, sign_in: SignIn) -> None:
    guest = make_player("Grace")
    sign_in(page, guest)
    page.goto("/account/")
    page.get_by_role("link", name="Make an account").click()
    page.get_by_label("Email address").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Grace")
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto("/account/")
    page.get_by_label("Name or email address").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(re.compile("/account/$"))
    guest.refresh_from_db()
    assert not guest.is_guest


def test_an_app_is_set_up_and_asked_for(page: Page, account: Player) -> None:
    sign_in_by_password(page)
    page.goto("/account/step/app/")
    confirm_password(page)
    secret = page.locator("code").inner_text()
    page.get_by_label("Authenticator code").fill(
        format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    )
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    code = page.locator("code").first.inner_text()
    page.goto("/account/logout/")
    page.get_by_role("button", name="Sign out").click()
    sign_in_by_password(page)
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="ann")).to_be_visible()


def test_a_passkey_signs_in_by_itself_and_as_second_step(page: Page, account: Player) -> None:
    add_key(page)
    sign_in_by_password(page)
    page.goto("/account/step/passkeys/new/")
    confirm_password(page)
    page.get_by_label("Name of the passkey").fill("Ann's phone")
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    assert str(Authenticator.objects.get(type="webauthn")) == "Ann's phone"

    page.goto("/account/logout/")
    page.get_by_role("button", name="Sign out").click()
    page.goto("/account/login/?next=/account/step/passkeys/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url(re.compile("/account/step/passkeys/$"))
    expect(page.get_by_role("link", name="Rename Ann's phone")).to_be_visible()

    page.goto("/account/logout/")
    page.get_by_role("button", name="Sign out").click()
    sign_in_by_password(page)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("link", name="ann")).to_be_visible()


def test_a_passkey_nobody_has_says_so(new_context: NewContext) -> None:
    page = new_context().new_page()
    add_key(page)
    page.goto("/account/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert").filter(has_text="cancelled")).to_be_visible()


def test_countries_have_names(page: Page, account: Player, sign_in: SignIn) -> None:
    sign_in(page, account)
    page.goto("/account/")
    page.get_by_label("Country").select_option(label="Netherlands")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Country")).to_have_value("NL")
    account.refresh_from_db()
    assert account.country == "NL"


@pytest.mark.parametrize("path", ["/account/login/", "/account/new/", "/account/reset/"])
@pytest.mark.browser_context_args(viewport=PHONE)
def test_a_strangers_pages_are_accessible_and_fit_a_phone(page: Page, axe: Axe, path: str) -> None:
    page.goto(path)
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("path", ["", "email/", "password/", "delete/", "step/", "logout/"])
@pytest.mark.browser_context_args(viewport=PHONE)
def test_an_accounts_pages_are_accessible_and_fit_a_phone(
    page: Page, account: Player, sign_in: SignIn, axe: Axe, path: str
) -> None:
    sign_in(page, account)
    page.goto(f"/account/{path}")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
