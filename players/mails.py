"""The mails we send: short, plain, without a name, since whoever types an address also chooses the name.

A mail leaves after the commit and on a thread of its own, so that no answer waits for a mail server, fails
with it, or tells by its duration that a mail was sent. One that does not get out is logged, without address and
text, and can be asked for again.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import Final

import structlog
from django.core.mail import EmailMessage
from django.db import transaction

from players.links import RESET_PASSWORD, VERIFY_EMAIL

POST: Final = ThreadPoolExecutor(2, thread_name_prefix="mail")
"""Finishes what it has when the process ends in order."""

logger = structlog.get_logger(__name__)


def send_verification(email: str, link: str) -> None:
    """Ask whether the address is the player's."""
    _send(
        email,
        "Confirm your address",
        "This address was given for a player of Pyramid Daily. If that was you, confirm it with this code"
        f" within {_span(VERIFY_EMAIL.lifetime)}:\n\n{link}\n\nIf it was not you, do nothing.",
    )


def send_reset(email: str, link: str) -> None:
    """Let the reader of the mailbox choose a new password."""
    _send(
        email,
        "Choose a new password",
        "Somebody asked for a new password for the account at Pyramid Daily with this address."
        " If that was you, choose one with this code within"
        f" {_span(RESET_PASSWORD.lifetime)}:\n\n{link}\n\n"
        "If it was not you, do nothing: the password stays as it is.",
    )


def tell_password_changed(email: str) -> None:
    """Tell an account's owner about a change that only they should have made."""
    _send(
        email,
        "Your password was changed",
        "The password of your account at Pyramid Daily was changed, and its other devices were logged out."
        " If that was not you, reset the password by mail.",
    )


def tell_email_changed(old_email: str) -> None:
    """Tell the address that an account had before."""
    _send(
        old_email,
        "Your address was changed",
        "Your account at Pyramid Daily has another email address now and sends no more mail to this one."
        " If that was not you, write to those who run the service.",
    )


def _span(lifetime: timedelta) -> str:
    return f"{lifetime.days} days" if lifetime.days else f"{lifetime.seconds // 60} minutes"


def _send(email: str, subject: str, text: str) -> None:
    message = EmailMessage(f"Pyramid Daily: {subject}", text + "\n", to=[email])
    transaction.on_commit(lambda: POST.submit(message.send).add_done_callback(_report))


def _report(outcome: Future[int]) -> None:
    if fault := outcome.exception():
        logger.warning("mail_failed", error=type(fault).__name__)
