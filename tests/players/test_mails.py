"""Mails leave after the commit, by their own thread, and say little."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import wait
from email import policy
from email.policy import Policy
from threading import Barrier
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.db import transaction
from pytest_django import Settings

from players import mails

EMAIL = "ann@example.org"
LINK = "a-secret-link"


def settle_post() -> None:
    """Wait until both threads of the post are free, so that all posted before is out."""
    both_free = Barrier(2)
    wait([mails.POST.submit(both_free.wait) for _ in range(2)])


@pytest.mark.django_db(transaction=True)
def test_a_mail_leaves_after_the_commit(mailoutbox: list[EmailMessage]) -> None:
    with transaction.atomic():
        mails.send_verification(EMAIL, LINK)
        settle_post()
        assert not mailoutbox
    settle_post()
    [mail] = mailoutbox
    assert (mail.to, mail.from_email) == ([EMAIL], "Pyramid Daily <pyramid@localhost>")


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_mails_nothing(mailoutbox: list[EmailMessage]) -> None:
    with transaction.atomic():
        mails.send_verification(EMAIL, LINK)
        transaction.set_rollback(True)
    settle_post()
    assert not mailoutbox


@pytest.mark.django_db(transaction=True)
def test_a_mail_that_does_not_get_out_harms_nobody_and_is_logged_without_its_secrets(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.MAILERS = {}
    with caplog.at_level(logging.WARNING):
        mails.send_reset(EMAIL, LINK)
        settle_post()
    assert "mail_failed" in caplog.text
    assert "MailerDoesNotExist" in caplog.text
    assert EMAIL not in caplog.text
    assert LINK not in caplog.text


@pytest.mark.parametrize("send", [mails.send_verification, mails.send_reset])
@pytest.mark.django_db
def test_a_link_stands_alone_between_empty_lines(
    outbox: list[EmailMessage], settings: Settings, send: Callable[[str, str], None]
) -> None:
    settings.SITE_URL = "https://pyramid.example"
    send(EMAIL, LINK)
    _, page, _, code, *_ = str(outbox[0].body).split("\n\n")
    assert page.startswith("https://pyramid.example/account/")
    assert page.endswith(f"/{LINK}/")
    assert code == LINK


@pytest.mark.parametrize("rules", [policy.default, policy.SMTP])
@pytest.mark.django_db
def test_a_long_link_is_one_line_as_the_mail_travels(outbox: list[EmailMessage], rules: Policy[Any]) -> None:
    link = "x-y_z:" * 80
    mails.send_verification(EMAIL, link)
    assert link.encode() in outbox[0].message(policy=rules).as_bytes().splitlines()
