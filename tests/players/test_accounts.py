"""Guests become accounts, log in, and change what they log in with."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.mail import EmailMessage
from django.test import Client, RequestFactory
from django.utils import timezone
from rest_framework.exceptions import APIException

from players import accounts
from players.deletion import anonymise
from players.errors import (
    BadCredentials,
    BadEmail,
    BadLabel,
    BadPassword,
    DeadLink,
    EmailTaken,
    HasAccount,
    MailTooSoon,
    NoAccount,
    PlayerDeleted,
    WrongPassword,
)
from players.models import Player, Token
from players.services import issue_token, rename
from players.tokens import digest_of
from tests.cast import NOON
from tests.threads import Aside, at_once

pytestmark = pytest.mark.django_db

EMAIL = "ann@example.org"
NEW_EMAIL = "lee@example.org"
PASSWORD = "seven silent swans"
NEW_PASSWORD = "eight eager elks"


@pytest.fixture
def account(ann: Player) -> Player:
    """Ann with an account, whose address is verified."""
    sign_up(ann)
    Player.objects.filter(pk=ann.pk).update(email_verified_at=NOON, mailed_at=None)
    ann.refresh_from_db()
    return ann


def sign_up(player: Player, email: str = EMAIL, password: str = PASSWORD) -> None:
    accounts.create_account(player=player, email=email, password=password)


def kept(player: Player) -> Player:
    """The player as the database has it."""
    return Player.objects.get(pk=player.pk)


def link_in(mail: EmailMessage) -> str:
    return str(mail.body).split("\n\n")[3]


# A guest becomes an account


def test_a_guest_becomes_an_account_and_keeps_name_and_tokens(ann: Player) -> None:
    token, _ = issue_token(player=ann)
    sign_up(ann, " Ann@Example.org ")
    assert (kept(ann).name, kept(ann).is_guest, kept(ann).email) == ("ann", False, EMAIL)
    assert kept(ann).check_password(PASSWORD)
    assert kept(ann).email_verified_at is None
    assert list(Token.objects.active()) == [token]


def test_signing_up_mails_a_link_that_verifies_the_address(ann: Player, outbox: list[EmailMessage]) -> None:
    sign_up(ann)
    [mail] = outbox
    assert mail.to == [EMAIL]
    assert accounts.verify_email(link=link_in(mail)) == ann
    assert kept(ann).email_verified_at is not None


def test_an_address_that_staff_noted_is_not_verified_by_signing_up(ann: Player) -> None:
    Player.objects.filter(pk=ann.pk).update(email=NEW_EMAIL, email_verified_at=NOON)
    sign_up(ann)
    assert (kept(ann).email, kept(ann).email_verified_at) == (EMAIL, None)


def test_signing_up_the_same_again_changes_nothing(ann: Player, outbox: list[EmailMessage]) -> None:
    sign_up(ann)
    before = Player.objects.values().get(pk=ann.pk)
    sign_up(ann, "ANN@example.org")
    assert Player.objects.values().get(pk=ann.pk) == before
    assert len(outbox) == 1


@pytest.mark.parametrize("other", [{"email": NEW_EMAIL}, {"password": NEW_PASSWORD}])
def test_an_account_does_not_sign_up_otherwise(account: Player, other: dict[str, str]) -> None:
    with pytest.raises(HasAccount) as refused:
        sign_up(account, **other)
    assert (refused.value.status_code, refused.value.default_code) == (409, "has_account")
    assert (kept(account).email, kept(account).check_password(PASSWORD)) == (EMAIL, True)


@pytest.mark.parametrize("email", [EMAIL, "ANN@EXAMPLE.ORG"])
def test_an_address_is_one_accounts_only(
    account: Player, bob: Player, email: str, outbox: list[EmailMessage]
) -> None:
    with pytest.raises(EmailTaken) as refused:
        sign_up(bob, email)
    refusal = refused.value
    assert (refusal.status_code, refusal.default_code, refusal.pointer) == (409, "email_taken", "/email")
    assert (bob.is_guest, kept(bob).is_guest, kept(bob).has_usable_password()) == (True, True, False)
    assert not outbox


def test_a_bad_address_makes_no_account(ann: Player) -> None:
    with pytest.raises(BadEmail):
        sign_up(ann, "ann")
    assert kept(ann).is_guest


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("", "password_too_short"),
        ("short", "password_too_short"),
        ("1234567890", "password_too_common"),
        ("83920175839201", "password_entirely_numeric"),
    ],
)
def test_a_weak_password_makes_no_account(ann: Player, password: str, code: str) -> None:
    with pytest.raises(BadPassword) as refused:
        sign_up(ann, password=password)
    assert (refused.value.code, refused.value.status_code, refused.value.pointer) == (code, 400, "/password")
    assert kept(ann).is_guest


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_race_for_one_address_has_one_winner_and_refusals_only() -> None:
    guests = [Player.objects.create(name=f"guest {letter}", password="!") for letter in "abcdefgh"]
    emails = [EMAIL, "ANN@example.org"] * 4
    calls: list[Callable[[], object]] = [partial(sign_up, *pair) for pair in zip(guests, emails, strict=True)]
    outcomes = at_once(calls)
    refusals = [outcome for outcome in outcomes if isinstance(outcome, APIException)]
    assert {refusal.default_code for refusal in refusals} == {"email_taken"}
    assert len(refusals) == 7
    assert Player.objects.get(is_guest=False).email == EMAIL


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_guest_who_signs_up_twice_at_once_has_one_account(ann: Player) -> None:
    emails = [EMAIL, NEW_EMAIL] * 4
    calls: list[Callable[[], object]] = [partial(sign_up, kept(ann), email) for email in emails]
    outcomes = at_once(calls)
    refusals = [outcome for outcome in outcomes if isinstance(outcome, APIException)]
    assert len(refusals) == 4
    assert {refusal.default_code for refusal in refusals} == {"has_account"}
    assert kept(ann).email in emails


# Verifying and changing the address


def test_a_link_used_twice_changes_nothing_more(ann: Player, outbox: list[EmailMessage]) -> None:
    sign_up(ann)
    accounts.verify_email(link=link_in(outbox[0]))
    verified_at = kept(ann).email_verified_at
    accounts.verify_email(link=link_in(outbox[0]))
    assert kept(ann).email_verified_at == verified_at


def test_a_new_address_counts_once_it_is_verified(account: Player, outbox: list[EmailMessage]) -> None:
    accounts.change_email(player=account, email=NEW_EMAIL, current_password=PASSWORD)
    assert (kept(account).email, kept(account).email_verified_at) == (EMAIL, NOON)
    assert outbox[0].to == [NEW_EMAIL]
    accounts.verify_email(link=link_in(outbox[0]))
    assert kept(account).email == NEW_EMAIL
    assert kept(account).email_verified_at != NOON


def test_the_old_address_is_told_of_the_new_one(account: Player, outbox: list[EmailMessage]) -> None:
    accounts.change_email(player=account, email=NEW_EMAIL, current_password=PASSWORD)
    accounts.verify_email(link=link_in(outbox[0]))
    assert [mail.to for mail in outbox] == [[NEW_EMAIL], [EMAIL]]


def test_an_address_left_behind_is_free_again(
    account: Player, bob: Player, outbox: list[EmailMessage]
) -> None:
    accounts.change_email(player=account, email=NEW_EMAIL, current_password=PASSWORD)
    accounts.verify_email(link=link_in(outbox[0]))
    sign_up(bob, EMAIL)
    assert kept(bob).email == EMAIL


def test_an_older_link_is_dead_once_the_address_changed(ann: Player, outbox: list[EmailMessage]) -> None:
    sign_up(ann)
    Player.objects.update(mailed_at=None)
    accounts.change_email(player=ann, email=NEW_EMAIL, current_password=PASSWORD)
    accounts.verify_email(link=link_in(outbox[1]))
    with pytest.raises(DeadLink):
        accounts.verify_email(link=link_in(outbox[0]))
    assert kept(ann).email == NEW_EMAIL


def test_the_same_address_gets_its_link_again_until_it_is_verified(
    ann: Player, outbox: list[EmailMessage]
) -> None:
    sign_up(ann)
    Player.objects.update(mailed_at=None)
    accounts.change_email(player=ann, email="Ann@example.org", current_password=PASSWORD)
    accounts.verify_email(link=link_in(outbox[1]))
    accounts.change_email(player=ann, email=EMAIL, current_password=PASSWORD)
    assert [mail.to for mail in outbox] == [[EMAIL], [EMAIL]]


def test_an_address_somebody_has_is_refused_before_a_mail_is_sent(
    account: Player, bob: Player, outbox: list[EmailMessage]
) -> None:
    sign_up(bob, NEW_EMAIL)
    outbox.clear()
    with pytest.raises(EmailTaken):
        accounts.change_email(player=account, email=NEW_EMAIL, current_password=PASSWORD)
    assert not outbox


def test_an_address_that_was_taken_meanwhile_is_refused_by_its_link(
    account: Player, bob: Player, outbox: list[EmailMessage]
) -> None:
    accounts.change_email(player=account, email=NEW_EMAIL, current_password=PASSWORD)
    sign_up(bob, NEW_EMAIL)
    with pytest.raises(EmailTaken):
        accounts.verify_email(link=link_in(outbox[0]))
    assert (kept(account).email, kept(account).email_verified_at) == (EMAIL, NOON)


def test_links_are_mailed_once_a_minute(ann: Player, outbox: list[EmailMessage]) -> None:
    sign_up(ann)
    with pytest.raises(MailTooSoon) as refused:
        accounts.change_email(player=ann, email=NEW_EMAIL, current_password=PASSWORD)
    assert refused.value.status_code == 429
    assert 50 < vars(refused.value)["wait"] <= 60
    Player.objects.update(mailed_at=timezone.now() - accounts.MAIL_INTERVAL)
    accounts.change_email(player=ann, email=NEW_EMAIL, current_password=PASSWORD)
    assert len(outbox) == 2


CHANGES: dict[str, dict[str, Any]] = {
    "change_email": {"email": NEW_EMAIL},
    "change_password": {"password": NEW_PASSWORD},
}


@pytest.mark.parametrize(("verb", "values"), CHANGES.items())
def test_a_change_needs_the_present_password(account: Player, verb: str, values: dict[str, Any]) -> None:
    before = Player.objects.values().get(pk=account.pk)
    with pytest.raises(WrongPassword) as refused:
        getattr(accounts, verb)(player=account, current_password="wrong", **values)
    assert (refused.value.status_code, refused.value.pointer) == (403, "/current_password")
    assert Player.objects.values().get(pk=account.pk) == before


@pytest.mark.parametrize(("verb", "values"), CHANGES.items())
def test_a_guest_has_nothing_to_change(ann: Player, verb: str, values: dict[str, Any]) -> None:
    with pytest.raises(NoAccount):
        getattr(accounts, verb)(player=ann, current_password="", **values)


@pytest.mark.parametrize(("verb", "values"), CHANGES.items())
def test_a_deleted_player_changes_nothing(account: Player, verb: str, values: dict[str, Any]) -> None:
    anonymise(player=kept(account), now=NOON)
    with pytest.raises(PlayerDeleted):
        getattr(accounts, verb)(player=account, current_password=PASSWORD, **values)


# Logging in


@pytest.mark.parametrize("who", ["ann", "ANN", EMAIL, " Ann@Example.ORG "])
def test_an_account_logs_in_by_name_or_address(account: Player, who: str) -> None:
    token, secret = accounts.log_in(name_or_email=who, password=PASSWORD, label="phone")
    assert (token.player, token.label, token.digest) == (account, "phone", digest_of(secret))
    assert kept(account).last_login is not None


def test_an_account_logs_in_before_its_address_is_verified(ann: Player) -> None:
    sign_up(ann)
    assert accounts.log_in(name_or_email=EMAIL, password=PASSWORD)


def refusal_of(who: str, password: str) -> tuple[object, ...]:
    with pytest.raises(BadCredentials) as refused:
        accounts.log_in(name_or_email=who, password=password)
    return refused.value.status_code, refused.value.default_code, refused.value.detail


def test_nobody_learns_which_half_was_wrong(account: Player, bob: Player) -> None:
    wrong = [(EMAIL, "wrong"), ("ann", ""), ("bob", ""), ("bob", PASSWORD), ("nobody", PASSWORD)]
    wrong += [("", PASSWORD), ("x@example.org", PASSWORD), ("@", PASSWORD), ("\0", PASSWORD)]
    assert len({refusal_of(*pair) for pair in wrong}) == 1
    assert refusal_of("ann", "wrong")[:2] == (401, "bad_credentials")
    assert not Token.objects.exists()


def test_a_closed_account_does_not_log_in(account: Player) -> None:
    Player.objects.filter(pk=account.pk).update(is_active=False)
    assert refusal_of(EMAIL, PASSWORD)


@pytest.mark.parametrize("who", ["ann", "bob", "nobody", "x@example.org"])
def test_every_attempt_costs_one_hash(
    account: Player, bob: Player, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(hasher: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(hasher, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    refusal_of(who, "wrong")
    assert len(hashed) == 1


def test_a_bad_label_leaves_no_token(account: Player) -> None:
    with pytest.raises(BadLabel):
        accounts.log_in(name_or_email=EMAIL, password=PASSWORD, label="\n")
    assert not Token.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_who_logs_in_while_the_password_changes_gets_no_token(account: Player, aside: Aside) -> None:
    late = aside.start_and_hold(
        lambda: accounts.log_in(name_or_email=EMAIL, password=PASSWORD), "players.accounts._find"
    )
    checked = kept(account)
    accounts.change_password(player=checked, current_password=PASSWORD, password=NEW_PASSWORD)
    aside.go.set()
    assert isinstance(late.result(), BadCredentials)
    assert not Token.objects.exists()


# Changing and resetting the password


def test_a_new_password_ends_every_token_but_the_one_in_use(account: Player) -> None:
    used, _ = issue_token(player=account)
    issue_token(player=account)
    accounts.change_password(player=account, current_password=PASSWORD, password=NEW_PASSWORD, keep=used)
    assert list(Token.objects.active()) == [used]
    assert kept(account).check_password(NEW_PASSWORD)


def test_a_new_password_ends_every_token_where_none_is_in_use(account: Player) -> None:
    issue_token(player=account)
    accounts.change_password(player=account, current_password=PASSWORD, password=NEW_PASSWORD)
    assert not Token.objects.active().exists()


def test_a_new_password_ends_every_session(account: Player, client: Client) -> None:
    client.force_login(account)
    request = RequestFactory().get("/")
    request.session = client.session
    assert get_user(request) == account
    accounts.change_password(player=account, current_password=PASSWORD, password=NEW_PASSWORD)
    request.session = client.session
    assert not get_user(request).is_authenticated


def test_a_weak_new_password_changes_nothing(account: Player) -> None:
    issue_token(player=account)
    with pytest.raises(BadPassword):
        accounts.change_password(player=account, current_password=PASSWORD, password="short")
    assert kept(account).check_password(PASSWORD)
    assert Token.objects.active().exists()


def test_the_owner_is_told_of_a_new_password(account: Player, outbox: list[EmailMessage]) -> None:
    accounts.change_password(player=account, current_password=PASSWORD, password=NEW_PASSWORD)
    [mail] = outbox
    assert mail.to == [EMAIL]
    assert NEW_PASSWORD not in str(mail.body)


def test_an_address_nobody_verified_is_told_nothing(ann: Player, outbox: list[EmailMessage]) -> None:
    sign_up(ann)
    outbox.clear()
    accounts.change_password(player=ann, current_password=PASSWORD, password=NEW_PASSWORD)
    assert not outbox


def test_a_password_is_reset_by_mail(account: Player, outbox: list[EmailMessage]) -> None:
    issue_token(player=account)
    accounts.request_reset(email=" ANN@example.org")
    assert outbox[0].to == [EMAIL]
    assert accounts.reset_password(link=link_in(outbox[0]), password=NEW_PASSWORD) == account
    assert kept(account).check_password(NEW_PASSWORD)
    assert not Token.objects.active().exists()


def test_a_reset_link_works_once(account: Player, outbox: list[EmailMessage]) -> None:
    accounts.request_reset(email=EMAIL)
    accounts.reset_password(link=link_in(outbox[0]), password=NEW_PASSWORD)
    with pytest.raises(DeadLink):
        accounts.reset_password(link=link_in(outbox[0]), password=PASSWORD)
    assert kept(account).check_password(NEW_PASSWORD)


def test_a_weak_password_leaves_the_reset_link_alive(account: Player, outbox: list[EmailMessage]) -> None:
    accounts.request_reset(email=EMAIL)
    with pytest.raises(BadPassword):
        accounts.reset_password(link=link_in(outbox[0]), password="short")
    accounts.reset_password(link=link_in(outbox[0]), password=NEW_PASSWORD)
    assert kept(account).check_password(NEW_PASSWORD)


def test_a_reset_proves_that_the_mailbox_is_read(ann: Player, outbox: list[EmailMessage]) -> None:
    sign_up(ann)
    Player.objects.update(mailed_at=None)
    accounts.request_reset(email=EMAIL)
    accounts.reset_password(link=link_in(outbox[1]), password=NEW_PASSWORD)
    assert kept(ann).email_verified_at is not None


def test_a_reset_ends_what_somebody_else_had_begun(account: Player, outbox: list[EmailMessage]) -> None:
    accounts.change_email(player=account, email=NEW_EMAIL, current_password=PASSWORD)
    Player.objects.update(mailed_at=None)
    accounts.request_reset(email=EMAIL)
    accounts.reset_password(link=link_in(outbox[1]), password=NEW_PASSWORD)
    with pytest.raises(DeadLink):
        accounts.verify_email(link=link_in(outbox[0]))
    assert kept(account).email == EMAIL


@pytest.mark.parametrize("change", [{"is_guest": True}, {"is_active": False}, {"email": NEW_EMAIL}])
def test_a_reset_for_no_account_mails_nothing_and_says_nothing(
    account: Player, change: dict[str, Any], outbox: list[EmailMessage]
) -> None:
    Player.objects.filter(pk=account.pk).update(**change)
    accounts.request_reset(email=EMAIL)
    assert not outbox


def test_a_mailbox_is_not_flooded_with_resets(account: Player, outbox: list[EmailMessage]) -> None:
    for _ in range(3):
        accounts.request_reset(email=EMAIL)
    assert len(outbox) == 1
    Player.objects.update(mailed_at=timezone.now() - accounts.MAIL_INTERVAL - timedelta(seconds=1))
    accounts.request_reset(email=EMAIL)
    assert len(outbox) == 2


# What needs proof


def test_a_guest_has_no_password_to_repeat(ann: Player) -> None:
    accounts.check_present_password(player=ann, current_password="")


def test_an_account_repeats_its_password(account: Player) -> None:
    accounts.check_present_password(player=account, current_password=PASSWORD)
    with pytest.raises(WrongPassword):
        accounts.check_present_password(player=account, current_password="")


def test_a_rename_leaves_the_account_as_it_is(account: Player) -> None:
    rename(player=account, name="Zoe")
    assert accounts.log_in(name_or_email="zoe", password=PASSWORD)
    assert refusal_of("ann", PASSWORD)
