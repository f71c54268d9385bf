"""Passwords are hashed quickly here: their strength is Django's business. Mails are posted on the spot."""

from collections.abc import Callable
from concurrent.futures import Future

import pytest
from django.core.mail import EmailMessage
from django.db import transaction
from pytest_django import Settings

from players import mails
from tests.threads import aside  # noqa: F401  (a fixture)


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


class PostAtOnce:
    """The post, without threads."""

    def submit(self, send: Callable[[], int]) -> Future[int]:
        outcome: Future[int] = Future()
        outcome.set_result(send())
        return outcome


@pytest.fixture
def outbox(monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage]) -> list[EmailMessage]:
    """What was mailed, the newest last. Tests never commit, so mails do not wait for it."""
    monkeypatch.setattr(mails, "POST", PostAtOnce())
    monkeypatch.setattr(transaction, "on_commit", lambda leave: leave())
    return mailoutbox
