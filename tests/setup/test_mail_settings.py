"""How mail gets out, by the environment."""

from pathlib import Path

import pytest

from tests.setup.test_settings import SECRET, ask

SMTP = "django.core.mail.backends.smtp.EmailBackend"


def test_a_first_look_shows_mails_on_the_terminal(tmp_path: Path) -> None:
    answer = ask("settings.MAILERS['default']['BACKEND']", tmp_path, DEMO="1")
    assert answer.stdout.strip() == "django.core.mail.backends.console.EmailBackend"


def test_a_deployment_without_a_mail_server_never_prints_a_mail(tmp_path: Path) -> None:
    assert ask("settings.MAILERS", tmp_path, SECRET_KEY=SECRET).stdout.strip() == "{}"


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("smtp://mail.example.org", "('mail.example.org', None, False, False, None, None)"),
        ("smtp+tls://me:p%40ss@mail.example.org:587", "('mail.example.org', 587, True, False, 'me', 'p@ss')"),
        ("smtp+ssl://mail.example.org", "('mail.example.org', None, False, True, None, None)"),
    ],
)
def test_a_mail_server_is_named_by_a_url(url: str, options: str, tmp_path: Path) -> None:
    names = "'host', 'port', 'use_tls', 'use_ssl', 'username', 'password'"
    question = f"itemgetter({names})(settings.MAILERS['default']['OPTIONS']),"
    question = "__import__('operator')." + question + "settings.MAILERS['default']['BACKEND']"
    answer = ask(question, tmp_path, SECRET_KEY=SECRET, EMAIL_URL=url)
    assert answer.stdout.strip() == f"{options} {SMTP}"


def test_mails_come_from_who_the_deployment_says(tmp_path: Path) -> None:
    sender = "Pyramid <post@example.org>"
    answer = ask("settings.DEFAULT_FROM_EMAIL", tmp_path, SECRET_KEY=SECRET, EMAIL_FROM=sender)
    assert answer.stdout.strip() == sender


def test_ranking_the_verified_only_needs_a_mail_server(tmp_path: Path) -> None:
    answer = ask("settings.MAILERS", tmp_path, SECRET_KEY=SECRET, RANKED_REQUIRES="verified")
    assert "ImproperlyConfigured: RANKED_REQUIRES=verified needs EMAIL_URL" in answer.stderr
    answer = ask(
        "settings.MAILERS",
        tmp_path,
        SECRET_KEY=SECRET,
        RANKED_REQUIRES="verified",
        EMAIL_URL="smtp://localhost",
    )
    assert answer.returncode == 0
