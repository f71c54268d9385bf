"""The mails we send: short, plain, without a name, since whoever types an address also chooses the name.

A mail leaves after the commit and on a thread of its own, so that no answer waits for a mail server, fails
with it, or tells by its duration that a mail was sent. One that does not get out is logged, without its
address or text, and can be asked for again.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage as RawMail
from email.policy import Policy, default
from functools import partial
from textwrap import fill
from typing import Any, Final, override

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction

from players.links import RESET_PASSWORD, VERIFY_EMAIL

POST: Final = ThreadPoolExecutor(2, thread_name_prefix="mail")
"""Finishes what it has when the process ends in order."""
LONGEST_LINE: Final = 998
"""That a mail may have (RFC 5322)."""

wrap = partial(fill, break_long_words=False, break_on_hyphens=False)
logger = structlog.get_logger(__name__)


class PlainMail(EmailMessage):
    """A mail whose lines are as long as they are, so that a link can be copied from a terminal too."""

    @override
    def message(self, *, policy: Policy[Any] | None = None) -> RawMail[Any, Any]:
        return super().message(policy=(policy or default).clone(max_line_length=LONGEST_LINE))


def send_verification(email: str, link: str) -> None:
    """Ask whether the address is the player's."""
    within = _span(VERIFY_EMAIL.lifetime)
    _send(
        email,
        "Confirm your address",
        "This address was given for a player of Pyramid Daily."
        f" If that was you, confirm it within {within} on this page:",
        _page("verify", link),
        "Programs confirm it with this code:",
        link,
        "If it was not you, do nothing.",
    )


def send_reset(email: str, link: str) -> None:
    """Let the reader of the mailbox choose a new password."""
    within = _span(RESET_PASSWORD.lifetime)
    _send(
        email,
        "Choose a new password",
        "Somebody asked for a new password for the account at Pyramid Daily with this address."
        f" If that was you, choose one within {within} on this page:",
        _page("reset", link),
        "Programs choose one with this code:",
        link,
        "If it was not you, do nothing: the password stays as it is.",
    )


def tell_password_changed(email: str) -> None:
    """Tell an account's owner about a change that only they should have made."""
    _send(
        email,
        "Your password was changed",
        "The password of your account at Pyramid Daily was changed, and its other devices were logged out.",
        "If that was not you, reset the password by mail.",
    )


def tell_second_factor_changed(email: str) -> None:
    """Tell an account's owner about another change that only they should have made."""
    _send(
        email,
        "Your second step was changed",
        "How you sign in to your account at Pyramid Daily was changed: an authenticator app, a passkey or the"
        " recovery codes.",
        "If that was not you, change your password and write to those who run the service.",
    )


def tell_email_changed(old_email: str) -> None:
    """Tell the address that an account had before."""
    _send(
        old_email,
        "Your address was changed",
        "Your account at Pyramid Daily has another email address now and sends no more mail to this one.",
        "If that was not you, write to those who run the service.",
    )


def _page(kind: str, link: str) -> str:
    """The address of the page for a link; the site's own name, whatever host somebody asked it by."""
    return f"{settings.SITE_URL}/account/{kind}/{link}/"


def _span(lifetime: timedelta) -> str:
    return f"{lifetime.days} days" if lifetime.days else f"{lifetime.seconds // 60} minutes"


def _send(email: str, subject: str, *paragraphs: str) -> None:
    text = "\n\n".join(map(wrap, paragraphs))
    mail = PlainMail(f"Pyramid Daily: {subject}", text + "\n", to=[email])
    transaction.on_commit(lambda: POST.submit(mail.send).add_done_callback(_report))


def _report(outcome: Future[int]) -> None:
    if fault := outcome.exception():
        logger.warning("mail_failed", error=type(fault).__name__)
