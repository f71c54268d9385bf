"""How mail gets out, by the environment."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.setup.test_settings import SECRET, settings_of

SMTP = "django.core.mail.backends.smtp.EmailBackend"


def test_a_first_look_shows_mails_on_the_terminal(tmp_path: Path) -> None:
    mailer = settings_of(tmp_path, DEMO="1").MAILERS["default"]
    assert mailer["BACKEND"] == "django.core.mail.backends.console.EmailBackend"


def test_a_deployment_without_a_mail_server_never_prints_a_mail(tmp_path: Path) -> None:
    assert settings_of(tmp_path, SECRET_KEY=SECRET).MAILERS == {}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail.example.org", ("mail.example.org", None, False, False, None, None)),
        ("smtp+tls://me:p%40ss@mail.example.org:587", ("mail.example.org", 587, True, False, "me", "p@ss")),
        ("smtp+ssl://mail.example.org", ("mail.example.org", None, False, True, None, None)),
    ],
)
def test_a_mail_server_is_named_by_a_url(url: str, expected: tuple[object, ...], tmp_path: Path) -> None:
    mailer = settings_of(tmp_path, SECRET_KEY=SECRET, EMAIL_URL=url).MAILERS["default"]
    names = ("host", "port", "use_tls", "use_ssl", "username", "password")
    assert tuple(mailer["OPTIONS"][name] for name in names) == expected
    assert mailer["BACKEND"] == SMTP


def test_mails_come_from_who_the_deployment_says(tmp_path: Path) -> None:
    sender = "Pyramid <post@example.org>"
    told = settings_of(tmp_path, SECRET_KEY=SECRET, EMAIL_FROM=sender).DEFAULT_FROM_EMAIL
    assert told == sender


def test_ranking_the_verified_only_needs_a_mail_server(tmp_path: Path) -> None:
    verified = {"SECRET_KEY": SECRET, "RANKED_REQUIRES": "verified"}
    with pytest.raises(ImproperlyConfigured, match=r"^RANKED_REQUIRES=verified needs EMAIL_URL"):
        settings_of(tmp_path, **verified)
    assert settings_of(tmp_path, **verified, EMAIL_URL="smtp://localhost").MAILERS
