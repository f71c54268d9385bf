"""Guests become accounts, accounts log in, and a mailbox that is read proves who somebody is.

An account is a player with an address and a password; nothing else about the player changes. An address is
one account's at most, whether it was verified or not. Whoever gave another person's address cannot keep it
from them: a reset by mail makes the account theirs, and ends the tokens and links of whoever had it before.

*Guessing.* Every try at a password or code counts for the account it is about, from wherever it comes, and
for an account that is not there just the same. A second factor is asked for wherever the password alone
would let somebody in, and a reset keeps it.

*What is told about who has an account.* Logging in and asking for a reset answer the same, in about the same
time, whether there is such an account or not. Giving an address that another account has is refused with
``EmailTaken``: silence there would promise an account that does not exist. Limits on how often one may ask
belong in front of it.
"""

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from players import mails
from players.emails import normalise_email
from players.errors import (
    BadCredentials,
    BadPassword,
    EmailTaken,
    HasAccount,
    MailTooSoon,
    NoAccount,
    PlayerDeleted,
    WrongPassword,
)
from players.links import RESET_PASSWORD, VERIFY_EMAIL, make_link, open_link
from players.lookalikes import skeleton
from players.models import Player, Token
from players.names import MAX_CODE_POINTS
from players.second_factor import check_code, has_second_factor
from players.services import issue_token, lock, revoke_all_tokens
from players.throttling import count_guess

MAIL_INTERVAL: Final = timedelta(minutes=1)
"""The least time between two links mailed for one player."""


@transaction.atomic
def create_account(*, player: Player, email: str, password: str) -> None:
    """Make a guest an account that keeps its name, tokens, runs and ranks, and mail it a link to verify.

    The same again changes nothing. Runs made as a guest stay ranked or unranked, as was decided when they
    were submitted. Raises BadEmail, BadPassword, EmailTaken, HasAccount, PlayerDeleted.
    """
    email = normalise_email(email)
    lock(player)
    if player.is_guest:
        _choose_password(player, password)
        player.is_guest, player.email_verified_at = False, None
        _take_email(player, email)
        _mail_verification(player, email, timezone.now())
    elif player.email != email or not player.check_password(password):
        raise HasAccount


@transaction.atomic
def verify_email(*, link: str) -> Player:
    """Believe that the player reads the address a link was mailed to, which becomes the account's.

    The same link again changes nothing. Raises DeadLink, EmailTaken.
    """
    player, email = open_link(VERIFY_EMAIL, link)
    if player.email != email or player.email_verified_at is None:
        old_email = player.email if player.email_verified_at else None
        player.email_verified_at = timezone.now()
        _take_email(player, email)
        if old_email:
            mails.tell_email_changed(old_email)
    return player


@transaction.atomic
def change_email(*, player: Player, email: str, current_password: str) -> None:
    """Mail a link to another address, which replaces the account's once the link is used.

    With the present address that link is sent again, or nothing if it is verified.
    Raises BadEmail, EmailTaken, MailTooSoon, NoAccount, PlayerDeleted, WrongPassword.
    """
    email, now = normalise_email(email), timezone.now()
    lock(player)
    _check_present_password(player, current_password)
    if player.email == email and player.email_verified_at:
        return
    if Player.objects.with_email(email).exclude(pk=player.pk).exists():
        raise EmailTaken
    if wait := _rest_of_interval(player, now):
        raise MailTooSoon(wait=wait.total_seconds())
    _mail_verification(player, email, now)


@transaction.atomic
def change_password(
    *, player: Player, current_password: str, password: str, keep: Token | None = None
) -> None:
    """Change the password and end every session and token, but for one to ``keep``.

    Raises BadPassword, NoAccount, PlayerDeleted, WrongPassword.
    """
    lock(player)
    _check_present_password(player, current_password)
    _replace_password(player, password, keep)


@transaction.atomic
def request_reset(*, email: str) -> None:
    """Mail a link to choose a new password, if an account has that address and none was sent just now.

    Whether one has is not told. Raises BadEmail.
    """
    accounts = Player.objects.with_email(normalise_email(email)).filter(is_guest=False, is_active=True)
    player, now = accounts.select_for_update(no_key=True).first(), timezone.now()
    if player and player.email and not _rest_of_interval(player, now):
        _note_mail(player, now)
        mails.send_reset(player.email, make_link(RESET_PASSWORD, player, player.email))


@transaction.atomic
def reset_password(*, link: str, password: str) -> Player:
    """Choose a new password by a mailed link; it verifies the address and ends every session and token.

    Raises BadPassword, DeadLink.
    """
    player, _ = open_link(RESET_PASSWORD, link)
    player.email_verified_at = player.email_verified_at or timezone.now()
    _replace_password(player, password, None)
    return player


def log_in(*, name_or_email: str, password: str, code: str = "", label: str = "") -> tuple[Token, str]:
    """A new token of the account, and its secret, which is shown this once.

    ``code`` is for accounts with a second step: one of the app, or a recovery code, which is used up.
    Raises BadCredentials, BadLabel, SecondFactorRequired, TooManyGuesses, WrongCode.
    """
    player = check_credentials(name_or_email=name_or_email, password=password)
    return _enter(player, code, label)


def check_credentials(*, name_or_email: str, password: str) -> Player:
    """The account with this name or address and password, who may have to show a second factor yet.

    Hashes one password, whoever is named. Raises BadCredentials, TooManyGuesses.
    """
    count_guess(f"login:{_key_of(name_or_email)}")
    player = _find(name_or_email) or Player()
    if not player.check_password(password) or not player.is_active:
        raise BadCredentials
    return player


def check_present_password(*, player: Player, current_password: str) -> None:
    """Refuse what is not to be had with a stolen token alone; a guest has no password and passes.

    Raises TooManyGuesses, WrongPassword.
    """
    if player.is_guest:
        return
    count_guess(f"present:{player.pk}")
    if not player.check_password(current_password):
        raise WrongPassword


def _check_present_password(player: Player, current_password: str) -> None:
    if player.is_guest:
        raise NoAccount
    check_present_password(player=player, current_password=current_password)


def _key_of(name_or_email: str) -> str:
    """One text for all spellings of a name, or of an address; the same limits with an account and without."""
    if "@" in name_or_email:
        return name_or_email.strip().lower()
    return skeleton(name_or_email[:MAX_CODE_POINTS])


def _find(name_or_email: str) -> Player | None:
    if "@" in name_or_email:
        return Player.objects.with_email(name_or_email.strip()).first()
    try:
        return Player.objects.get_by_natural_key(name_or_email)
    except Player.DoesNotExist:
        return None


@transaction.atomic
def _enter(player: Player, code: str, label: str) -> tuple[Token, str]:
    """Issue the token, with the second factor where there is one."""
    confirm_entry(player=player)
    if has_second_factor(player):
        check_code(player=player, code=code)
    player.last_login = timezone.now()
    player.save(update_fields=["last_login"])
    return issue_token(player=player, label=label)


def confirm_entry(*, player: Player) -> None:
    """Hold the row of a player whose password was checked, unless it was changed or closed since.

    Call it in a transaction. Raises BadCredentials.
    """
    checked = player.password
    try:
        lock(player)
    except PlayerDeleted:
        raise BadCredentials from None
    if player.password != checked or not player.is_active:
        raise BadCredentials


def _choose_password(player: Player, password: str) -> None:
    try:
        validate_password(password, player)
    except ValidationError as fault:
        raise BadPassword(fault.error_list[0].code or "bad_password", " ".join(fault.messages)) from None
    player.set_password(password)


def _replace_password(player: Player, password: str, keep: Token | None) -> None:
    _choose_password(player, password)
    player.save(update_fields=["password", "email_verified_at"])
    revoke_all_tokens(player=player, keep=keep)
    if player.email and player.email_verified_at:
        mails.tell_password_changed(player.email)


def _take_email(player: Player, email: str) -> None:
    """Save the player with this address, unless somebody has it. Raises EmailTaken."""
    player.email = email
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError:
        player.refresh_from_db()
        raise EmailTaken from None


def _rest_of_interval(player: Player, now: datetime) -> timedelta | None:
    """How long no further link may be mailed, or None."""
    rest = player.mailed_at + MAIL_INTERVAL - now if player.mailed_at else timedelta()
    return rest if rest > timedelta() else None


def _mail_verification(player: Player, email: str, now: datetime) -> None:
    _note_mail(player, now)
    mails.send_verification(email, make_link(VERIFY_EMAIL, player, email))


def _note_mail(player: Player, now: datetime) -> None:
    player.mailed_at = now
    player.save(update_fields=["mailed_at"])
