"""What the settings refuse and what they make up, each in a process of its own."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

ASK = "from django.conf import settings; print(*[{question}])"
SECRET = secrets.token_urlsafe(48)


def ask(question: str, var: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Load the settings with nothing but this environment and print an expression over them."""
    command = [sys.executable, "-c", ASK.format(question=question)]
    env = {"DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": str(var), "PATH": os.environ["PATH"]}
    return subprocess.run(command, env=env | environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "secret",
    ["", "short-" + "x7" * 10, "ab" * 40, "change-me-" + SECRET, "django-insecure-" + SECRET],
    ids=["missing", "short", "monotonous", "default", "startproject"],
)
def test_a_deployment_refuses_to_start_with_a_weak_secret(secret: str, tmp_path: Path) -> None:
    answer = ask("settings.SECRET_KEY", tmp_path, SECRET_KEY=secret)
    assert answer.returncode != 0
    assert "ImproperlyConfigured: SECRET_KEY is missing, short or a default." in answer.stderr


def test_a_deployment_takes_its_secret_from_the_environment_and_keeps_no_copy(tmp_path: Path) -> None:
    answer = ask("settings.SECRET_KEY", tmp_path, SECRET_KEY=SECRET)
    assert answer.stdout.strip() == SECRET
    assert not (tmp_path / "secret.key").exists()


def test_a_secret_that_was_replaced_may_be_told_so_that_nobody_is_logged_out(tmp_path: Path) -> None:
    question = "settings.SECRET_KEY_FALLBACKS"
    assert ask(question, tmp_path, SECRET_KEY=SECRET).stdout.strip() == "[]"
    told = ask(question, tmp_path, SECRET_KEY=SECRET, SECRET_KEY_FALLBACKS="one,two")
    assert told.stdout.strip() == "['one', 'two']"


def test_a_database_whose_machine_is_gone_is_noticed(tmp_path: Path) -> None:
    url = "postgres://pyramid:apassword@db/pyramid"
    question = (
        "sorted(name for name in settings.DATABASE['OPTIONS'] if 'keepalives' in name or 'time' in name)"
    )
    answer = ask(question, tmp_path, SECRET_KEY=SECRET, DATABASE_URL=url)
    named = [
        "connect_timeout",
        "keepalives_count",
        "keepalives_idle",
        "keepalives_interval",
        "tcp_user_timeout",
    ]
    assert answer.stdout.strip() == str(named)


def test_a_deployment_speaks_https_only(tmp_path: Path) -> None:
    question = "settings.SECURE_SSL_REDIRECT, settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE"
    assert ask(question, tmp_path, SECRET_KEY=SECRET).stdout.strip() == "True True True"


def test_the_cookies_of_a_deployment_are_of_its_host_only(tmp_path: Path) -> None:
    question = "settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.SESSION_COOKIE_DOMAIN"
    over_https = ask(question, tmp_path, SECRET_KEY=SECRET).stdout.strip()
    assert over_https == "__Host-sessionid __Host-csrftoken None"
    over_http = ask(question, tmp_path, SECRET_KEY=SECRET, SECURE_HTTPS="0").stdout.strip()
    assert over_http == "sessionid csrftoken None"


def test_a_forwarded_protocol_is_believed_only_behind_a_proxy(tmp_path: Path) -> None:
    question = "settings.SECURE_PROXY_SSL_HEADER"
    assert ask(question, tmp_path, SECRET_KEY=SECRET).stdout.strip() == "None"
    behind = ask(question, tmp_path, SECRET_KEY=SECRET, TRUSTED_PROXIES="1")
    assert behind.stdout.strip() == "('HTTP_X_FORWARDED_PROTO', 'https')"


@pytest.mark.parametrize(
    ("environment", "url"),
    [
        ({"ALLOWED_HOSTS": "pyramid.example,www.pyramid.example"}, "https://pyramid.example"),
        ({"ALLOWED_HOSTS": ".pyramid.example"}, "https://pyramid.example"),
        ({"ALLOWED_HOSTS": "pyramid.example", "SECURE_HTTPS": "0"}, "http://pyramid.example"),
        ({"ALLOWED_HOSTS": "*"}, "http://localhost:8000"),
        ({"PORT": "8001"}, "http://localhost:8001"),
        ({"ALLOWED_HOSTS": "x.example", "SITE_URL": "https://play.example/"}, "https://play.example"),
    ],
)
def test_mails_link_to_where_the_site_is(environment: dict[str, str], url: str, tmp_path: Path) -> None:
    answer = ask("settings.SITE_URL", tmp_path, **{"SECRET_KEY": SECRET} | environment)
    assert answer.stdout.strip() == url


def test_a_demo_makes_up_a_secret_and_keeps_it_to_itself(tmp_path: Path) -> None:
    first, second = (ask("settings.SECRET_KEY", tmp_path / "var", DEMO="1").stdout for _ in range(2))
    kept = tmp_path / "var" / "secret.key"
    assert first == second == kept.read_text() + "\n"
    assert len(first) > 50
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("environment", [{}, {"DATABASE_URL": "", "REDIS_URL": ""}], ids=["unset", "empty"])
def test_nothing_set_means_sqlite_no_redis_and_tasks_on_the_spot(
    environment: dict[str, str], tmp_path: Path
) -> None:
    question = "settings.DATABASE['NAME'], settings.REDIS_URL, settings.CELERY_TASK_ALWAYS_EAGER"
    answer = ask(question, tmp_path, DEMO="1", **environment)
    assert answer.stdout.strip() == f"{tmp_path / 'db.sqlite3'}  True"


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "mysql://ann:secret@host/x"),
        ("DATABASE_URL", "postgres://ann:secret@host:port/x"),
        ("DATABASE_URL", "postgres://ann:secret@[host/x"),
        ("REDIS_URL", "nonsense"),
        ("REDIS_URL", "http://:secret@host"),
        ("REDIS_URL", "redis://:secret@host:port"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_and_not_repeated(name: str, url: str, tmp_path: Path) -> None:
    answer = ask("settings.REDIS_URL", tmp_path, DEMO="1", **{name: url})
    assert answer.returncode != 0
    last = answer.stderr.splitlines()[-1]
    assert f"ImproperlyConfigured: {name} is not a usable URL" in last
    assert "secret" not in last


@pytest.mark.parametrize(
    "url", ["postgres:///x?host=/run/postgresql", "postgresql://ann:pw@host:5432/x", "sqlite:////tmp/x"]
)
def test_a_url_of_a_database_that_is_supported_is_taken(url: str, tmp_path: Path) -> None:
    assert ask("settings.DATABASE['NAME']", tmp_path, DEMO="1", DATABASE_URL=url).stdout.strip() in (
        "x",
        "/tmp/x",
    )
