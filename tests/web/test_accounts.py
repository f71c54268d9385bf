"""Accounts on the site: becoming one, keeping it, leaving."""

import json
import re
from html import unescape
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from daily.models import Challenge
from players import accounts
from players.models import Player, Token
from players.services import issue_token
from tests.cast import make_player, record
from tests.players.conftest import outbox, quick_passwords  # noqa: F401  (fixtures)
from tests.web.test_guests import signed_in
from web.tasks import clear_sessions

pytestmark = pytest.mark.django_db
EMAIL, PASSWORD, NEW_PASSWORD = "ann@example.org", "seven silent swans", "eight eager eagles"
ACCOUNT, NEW, LOGIN = "/account/", "/account/new/", "/account/login/"


def become_account(player: Player, email: str = EMAIL) -> Player:
    """A player with an account and a confirmed address."""
    accounts.create_account(player=player, email=email, password=PASSWORD)
    Player.objects.filter(pk=player.pk).update(email_verified_at=player.created_at)
    player.refresh_from_db()
    return player


@pytest.fixture
def account(ann: Player, outbox: list[EmailMessage]) -> Player:  # noqa: F811
    return become_account(ann)


@pytest.fixture
def as_account(client: Client, account: Player) -> Client:
    """A browser in which the account is signed in."""
    client.force_login(account)
    return client


@pytest.fixture
def as_guest(client: Client, ann: Player) -> Client:
    """A browser in which a guest plays."""
    client.force_login(ann)
    return client


def enter(client: Client, who: str = "ann", password: str = PASSWORD, **others: str) -> Any:
    """Sign in on the page."""
    return client.post(LOGIN, {"name_or_email": who, "password": password, **others})


def text(response: Any) -> str:
    """A page as it is read."""
    page = unescape(re.sub(r"<[^>]*>", " ", response.content.decode()))
    return " ".join(page.split())


def link_in(mail: EmailMessage) -> str:
    """The path of the page that a mail names."""
    [path] = re.findall(r"^http://[^/]+(/account/\S+)$", str(mail.body), re.MULTILINE)
    return str(path)


# Signing up


def test_a_guest_keeps_everything_as_an_account(
    as_guest: Client,
    ann: Player,
    challenge: Challenge,
    outbox: list[EmailMessage],  # noqa: F811
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=90_000)
    response = as_guest.post(NEW, {"email": EMAIL, "password": PASSWORD})
    assert response.headers["Location"] == ACCOUNT
    ann.refresh_from_db()
    assert (ann.name, ann.is_guest, ann.email) == ("ann", False, EMAIL)
    assert ann.runs.get() == run
    assert signed_in(as_guest) == ann
    assert as_guest.get(ACCOUNT).status_code == 200
    assert len(outbox) == 1
    assert not EmailAddress.objects.exists()


def test_a_stranger_becomes_an_account_with_a_name(client: Client) -> None:
    client.post(NEW, {"name": "Zoe", "email": EMAIL, "password": PASSWORD})
    player = Player.objects.get()
    assert (player.name, player.is_guest, signed_in(client)) == ("Zoe", False, player)
    assert not Token.objects.exists()


def test_a_stranger_without_a_name_gets_one(client: Client) -> None:
    client.post(NEW, {"email": EMAIL, "password": PASSWORD})
    assert Player.objects.get().name


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("/days/2026-11-30/?limit=10", "/account/login/?next=%2Fdays%2F2026-11-30%2F%3Flimit%3D10"),
        ("/nothing/", "/account/login/?next=%2Fnothing%2F"),
        ("/account/reset/", "/account/login/"),
    ],
)
def test_the_header_signs_in_and_leads_back(
    client: Client, challenge: Challenge, address: str, link: str
) -> None:
    header = client.get(address).content.decode().partition("</header>")[0]
    assert f'<a href="{link}">Sign in</a>' in header


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"email": "nonsense"}, "This is not an email address."),
        ({"email": "bob@example.org"}, "Another account has this address."),
        ({"password": "short"}, "too short"),
        ({"name": "a"}, "at least 3 characters"),
        ({"name": "BOB"}, "Another player has this name"),
    ],
)
def test_a_refusal_stands_beside_its_field_and_leaves_nobody(
    client: Client, bob: Player, given: dict[str, str], says: str
) -> None:
    become_account(bob, "bob@example.org")
    response = client.post(NEW, {"name": "Zoe", "email": EMAIL, "password": PASSWORD, **given})
    assert response.status_code == 200
    assert says in text(response)
    assert list(response.context["form"].errors) == list(given)
    assert Player.objects.count() == 1
    assert signed_in(client) is None


def test_who_signs_up_goes_on_where_they_were(client: Client) -> None:
    page = client.get(NEW, {"next": "/practice/"})
    assert 'name="next" value="/practice/"' in page.content.decode()
    response = client.post(NEW, {"email": EMAIL, "password": PASSWORD, "next": "/practice/"})
    assert response.headers["Location"] == "/practice/"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "/\\evil.example"])
def test_nobody_is_led_to_another_site(client: Client, account: Player, elsewhere: str) -> None:
    assert enter(client, next=elsewhere).headers["Location"] == "/"
    other = Client()
    response = other.post(NEW, {"email": "zoe@example.org", "password": PASSWORD, "next": elsewhere})
    assert response.headers["Location"] == ACCOUNT


# Signing in and out


@pytest.mark.parametrize("who", ["ann", "ANN", "\u0430nn", "ann@example.org", " ANN@example.org "])
def test_an_account_signs_in_by_any_spelling(client: Client, account: Player, who: str) -> None:
    assert enter(client, who).status_code == 302
    assert signed_in(client) == account


@pytest.mark.parametrize(
    ("who", "password"),
    [("ann", "wrong"), ("nobody", PASSWORD), ("nobody@example.org", PASSWORD), ("bob", " ")],
)
def test_a_wrong_sign_in_does_not_tell_what_was_wrong(
    client: Client, account: Player, bob: Player, who: str, password: str
) -> None:
    response = enter(client, who, password)
    assert "There is no account with this name or address and this password." in text(response)
    assert signed_in(client) is None


def test_signing_in_hashes_one_password_whoever_is_named(
    client: Client, account: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    monkeypatch.setattr(Player, "check_password", lambda _, password: hashed.append(password))
    for who in ("ann", EMAIL, "nobody", "nobody@example.org"):
        enter(client, who)
    assert hashed == [PASSWORD] * 4


def test_a_closed_account_neither_signs_in_nor_stays_in(as_account: Client, account: Player) -> None:
    Player.objects.filter(pk=account.pk).update(is_active=False)
    assert as_account.get(ACCOUNT).status_code == 302
    assert "There is no account" in text(enter(Client()))


def test_the_session_and_the_csrf_token_change_with_who_one_is(client: Client, account: Player) -> None:
    client.get(LOGIN)
    client.post("/guests/")
    before = {name: client.cookies[name].value for name in ("sessionid", "csrftoken")}
    enter(client)
    assert all(client.cookies[name].value != value for name, value in before.items())
    assert not Session.objects.filter(pk=before["sessionid"]).exists()


def test_a_guest_is_warned_before_signing_in_as_somebody_else(account: Player, client: Client) -> None:
    client.force_login(make_player("Visitor"))
    assert "the guest Visitor" in text(client.get(LOGIN))
    enter(client)
    assert signed_in(client) == account


def test_who_is_signed_in_is_led_on(as_account: Client) -> None:
    assert as_account.get(LOGIN, {"next": "/practice/"}).headers["Location"] == "/practice/"
    assert as_account.get(NEW).headers["Location"] == ACCOUNT


def test_signing_out_takes_a_press(as_account: Client, account: Player) -> None:
    assert "You are signed in as ann" in text(as_account.get("/account/logout/"))
    assert signed_in(as_account) == account
    assert as_account.post("/account/logout/").headers["Location"] == "/"
    assert signed_in(as_account) is None


def test_a_guest_is_told_that_signing_out_is_for_good(as_guest: Client) -> None:
    assert "nobody can sign in as you again" in text(as_guest.get("/account/logout/"))


def test_the_account_page_asks_strangers_to_sign_in(client: Client) -> None:
    assert client.get(ACCOUNT).headers["Location"] == f"{LOGIN}?next={ACCOUNT}"


# Mailed links


def test_opening_a_link_confirms_nothing_and_a_press_does(
    as_guest: Client,
    ann: Player,
    outbox: list[EmailMessage],  # noqa: F811
) -> None:
    as_guest.post(NEW, {"email": EMAIL, "password": PASSWORD})
    path, reader = link_in(outbox[0]), Client()
    assert "Confirm the address" in text(reader.get(path))
    ann.refresh_from_db()
    assert ann.email_verified_at is None
    assert reader.post(path).headers["Location"] == LOGIN
    ann.refresh_from_db()
    assert ann.email_verified_at


def test_a_link_that_was_cut_says_so(client: Client) -> None:
    assert "was cut" in text(client.get("/account/verify/abc/"))
    assert "was cut" in text(client.post("/account/verify/abc/"))
    assert "was cut" in text(client.get("/account/reset/abc/"))


def test_a_forgotten_password_is_chosen_anew(
    client: Client,
    account: Player,
    outbox: list[EmailMessage],  # noqa: F811
) -> None:
    outbox.clear()
    Player.objects.update(mailed_at=None)
    assert "Look into your mail" in text(client.post("/account/reset/", {"email": EMAIL}))
    path = link_in(outbox[0])
    assert client.post(path, {"password": NEW_PASSWORD}).headers["Location"] == LOGIN
    assert "used before" in text(client.get(path))
    assert enter(client).status_code == 200
    assert enter(client, password=NEW_PASSWORD).status_code == 302


def test_asking_for_a_reset_does_not_tell_who_has_an_account(client: Client, account: Player) -> None:
    pages = [text(client.post("/account/reset/", {"email": email})) for email in (EMAIL, "no@example.org")]
    assert pages[0] == pages[1]


# Keeping


def test_name_and_country_change_together_or_not_at_all(as_guest: Client, ann: Player, bob: Player) -> None:
    as_guest.post("/account/profile/", {"name": "Zoe", "country": "NL"})
    ann.refresh_from_db()
    assert (ann.name, ann.country) == ("Zoe", "NL")
    response = as_guest.post("/account/profile/", {"name": "Bob", "country": ""})
    assert "Another player has this name" in text(response)
    ann.refresh_from_db()
    assert (ann.name, ann.country) == ("Zoe", "NL")


def test_another_address_gets_a_mail_first(
    as_account: Client,
    account: Player,
    outbox: list[EmailMessage],  # noqa: F811
) -> None:
    Player.objects.update(mailed_at=None)
    wrong = {"email": "new@example.org", "current_password": "wrong"}
    assert "not the account's present password" in text(as_account.post("/account/email/", wrong)).replace(
        "&#x27;", "'"
    )
    as_account.post("/account/email/", wrong | {"current_password": PASSWORD})
    account.refresh_from_db()
    assert account.email == EMAIL
    as_account.post(link_in(outbox[-1]))
    account.refresh_from_db()
    assert account.email == "new@example.org"


def test_another_password_ends_everything_but_this_session(as_account: Client, account: Player) -> None:
    other = Client()
    enter(other)
    issue_token(player=account)
    as_account.post("/account/password/", {"current_password": PASSWORD, "password": NEW_PASSWORD})
    assert as_account.get(ACCOUNT).status_code == 200
    assert other.get(ACCOUNT).status_code == 302
    assert not Token.objects.active().exists()


def test_a_token_is_shown_once_and_ended(as_guest: Client, ann: Player) -> None:
    page = as_guest.post("/account/tokens/", {"label": "<script>"}).content.decode()
    [secret] = re.findall(r"<code>(pyd_[^<…]+)</code>", page)
    bearer = {"authorization": f"Bearer {secret}"}
    assert Client().get("/api/v1/me/", headers=bearer).json()["name"] == "ann"
    again = as_guest.get(ACCOUNT).content.decode()
    assert secret not in again
    assert "<bdi>&lt;script&gt;</bdi>" in again
    as_guest.post(f"/account/tokens/{Token.objects.get().pk}/revoke/")
    assert Client().get("/api/v1/me/", headers=bearer).status_code == 401


def test_nobody_ends_anothers_token(as_guest: Client, bob: Player) -> None:
    token, _ = issue_token(player=bob)
    assert as_guest.post(f"/account/tokens/{token.pk}/revoke/").status_code == 404


# Leaving


def test_the_export_is_the_one_of_the_api(as_account: Client, account: Player) -> None:
    response = as_account.get("/account/export/")
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert json.loads(response.content)["player"]["email"] == EMAIL


def test_an_account_leaves_with_its_password(as_account: Client, account: Player) -> None:
    as_account.post("/account/delete/", {"current_password": "wrong"})
    assert Player.objects.get().deleted_at is None
    assert as_account.post("/account/delete/", {"current_password": PASSWORD}).headers["Location"] == "/"
    assert Player.objects.get().deleted_at
    assert signed_in(as_account) is None


def test_a_guest_leaves_by_typing_the_name(as_guest: Client) -> None:
    as_guest.post("/account/delete/", {"name": "Ann"})
    assert Player.objects.get().deleted_at is None
    as_guest.post("/account/delete/", {"name": "ann"})
    assert Player.objects.get().deleted_at


# Everything


PAGES = [
    "account", "sign-up", "change-email", "change-password", "forgotten", "delete", "export"
]  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("who", ["nobody", "guest", "account"])
def test_account_pages_are_kept_nowhere(
    client: Client,
    ann: Player,
    page: str,
    who: str,
    outbox: list[EmailMessage],  # noqa: F811
) -> None:
    if who != "nobody":
        client.force_login(become_account(ann) if who == "account" else ann)
    response = client.get(reverse(f"web:{page}"))
    assert response.status_code in (200, 302)
    assert "no-store" in response.headers["Cache-Control"]
    assert "private" in response.headers["Cache-Control"]


@pytest.mark.parametrize("path", [NEW, LOGIN, "/account/reset/", "/account/verify/abc/", "/account/logout/"])
def test_forms_of_other_sites_are_refused(path: str) -> None:
    assert Client(enforce_csrf_checks=True).post(path, {}).status_code == 403


def test_guesses_count_for_the_account_from_wherever_they_come(client: Client, account: Player) -> None:
    for address in range(20):
        client.defaults["REMOTE_ADDR"] = f"192.0.2.{address}"
        enter(client, password="wrong")
    client.defaults["REMOTE_ADDR"] = "198.51.100.1"
    assert "This was tried too often" in text(enter(client))
    assert signed_in(client) is None
    assert enter(client, who=EMAIL).status_code == 302


def test_tries_count_for_the_network_whoever_they_are_about(client: Client) -> None:
    for number in range(60):
        enter(client, who=f"nobody{number}")
    refused = enter(client, who="somebody")
    assert refused.status_code == 429
    assert "Retry-After" in refused.headers


def test_staff_enter_the_admin_site_by_the_same_door(client: Client) -> None:
    keeper = Player.objects.create_superuser("keeper", PASSWORD)
    asked = client.get("/admin/", follow=True)
    assert asked.redirect_chain[-1][0] == f"{LOGIN}?next=%2Fadmin%2F"
    assert enter(client, "keeper", next="/admin/").headers["Location"] == "/admin/"
    assert signed_in(client) == keeper
    assert client.get("/admin/").status_code == 200
    assert client.cookies["sessionid"]["max-age"] == 14 * 24 * 60 * 60


def test_accounts_without_rights_stay_outside_the_admin_site(as_account: Client) -> None:
    assert as_account.get("/admin/", follow=True).status_code == 403


def test_what_nobody_began_is_soon_forgotten_and_a_player_is_not(client: Client, account: Player) -> None:
    client.get("/account/login/passkey/", headers={"accept": "application/json"})
    assert client.cookies["sessionid"]["max-age"] == 60 * 60
    enter(client)
    assert client.cookies["sessionid"]["max-age"] == 365 * 24 * 60 * 60


def test_sessions_that_have_ended_are_cleared(client: Client, account: Player) -> None:
    enter(client)
    clear_sessions.apply()
    assert Session.objects.count() == 1
    Session.objects.update(expire_date=account.created_at)
    clear_sessions.apply()
    assert not Session.objects.exists()
