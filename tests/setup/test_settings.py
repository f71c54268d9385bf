"""What the settings refuse and what they make up, read anew from an environment of their own."""

import os
import secrets
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.conf import Settings
from django.core.exceptions import ImproperlyConfigured

import config

SECRET = secrets.token_urlsafe(48)


def settings_of(var: Path, **environment: str) -> Any:
    """The settings that nothing but this environment makes; the tests' own stay as they are."""
    ours = {"VAR_DIR": str(var), "PATH": os.environ["PATH"], **environment}
    with (
        mock.patch.dict(os.environ, ours, clear=True),
        mock.patch.dict(sys.modules),
        mock.patch.object(config, "settings"),
    ):
        del sys.modules["config.settings"]
        return Settings("config.settings")


@pytest.mark.parametrize(
    "secret",
    ["", "short-" + "x7" * 10, "ab" * 40, "change-me-" + SECRET, "django-insecure-" + SECRET],
    ids=["missing", "short", "monotonous", "default", "startproject"],
)
def test_a_deployment_refuses_to_start_with_a_weak_secret(secret: str, tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"SECRET_KEY is missing, short or a default\."):
        settings_of(tmp_path, SECRET_KEY=secret)


def test_a_deployment_takes_its_secret_from_the_environment_and_keeps_no_copy(tmp_path: Path) -> None:
    assert settings_of(tmp_path, SECRET_KEY=SECRET).SECRET_KEY == SECRET
    assert not (tmp_path / "secret.key").exists()


def test_a_secret_that_was_replaced_may_be_told_so_that_nobody_is_logged_out(tmp_path: Path) -> None:
    assert settings_of(tmp_path, SECRET_KEY=SECRET).SECRET_KEY_FALLBACKS == []
    told = settings_of(tmp_path, SECRET_KEY=SECRET, SECRET_KEY_FALLBACKS="one,two")
    assert told.SECRET_KEY_FALLBACKS == ["one", "two"]


def test_a_database_whose_machine_is_gone_is_noticed(tmp_path: Path) -> None:
    url = "postgres://pyramid:apassword@db/pyramid"
    options = settings_of(tmp_path, SECRET_KEY=SECRET, DATABASE_URL=url).DATABASES["default"]["OPTIONS"]
    assert {name for name in options if "keepalives" in name or "time" in name} == {
        "connect_timeout",
        "keepalives_count",
        "keepalives_idle",
        "keepalives_interval",
        "tcp_user_timeout",
    }


def test_a_deployment_speaks_https_only(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, SECRET_KEY=SECRET)
    assert settings.SECURE_SSL_REDIRECT
    assert settings.SESSION_COOKIE_SECURE
    assert settings.CSRF_COOKIE_SECURE


def test_the_cookies_of_a_deployment_are_of_its_host_only(tmp_path: Path) -> None:
    over_https = settings_of(tmp_path, SECRET_KEY=SECRET)
    assert over_https.SESSION_COOKIE_NAME == "__Host-sessionid"
    assert over_https.CSRF_COOKIE_NAME == "__Host-csrftoken"
    assert over_https.SESSION_COOKIE_DOMAIN is None
    over_http = settings_of(tmp_path, SECRET_KEY=SECRET, SECURE_HTTPS="0")
    assert (over_http.SESSION_COOKIE_NAME, over_http.CSRF_COOKIE_NAME) == ("sessionid", "csrftoken")


def test_a_forwarded_protocol_is_believed_only_behind_a_proxy(tmp_path: Path) -> None:
    assert settings_of(tmp_path, SECRET_KEY=SECRET).SECURE_PROXY_SSL_HEADER is None
    behind = settings_of(tmp_path, SECRET_KEY=SECRET, TRUSTED_PROXIES="1")
    assert behind.SECURE_PROXY_SSL_HEADER == ("HTTP_X_FORWARDED_PROTO", "https")


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
    told = settings_of(tmp_path, **{"SECRET_KEY": SECRET} | environment).SITE_URL
    assert told == url


def test_a_demo_makes_up_a_secret_and_keeps_it_to_itself(tmp_path: Path) -> None:
    first, second = (settings_of(tmp_path / "var", DEMO="1").SECRET_KEY for _ in range(2))
    kept = tmp_path / "var" / "secret.key"
    assert first == second == kept.read_text()
    assert len(first) > 50
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("environment", [{}, {"DATABASE_URL": "", "REDIS_URL": ""}], ids=["unset", "empty"])
def test_nothing_set_means_sqlite_no_redis_and_tasks_on_the_spot(
    environment: dict[str, str], tmp_path: Path
) -> None:
    settings = settings_of(tmp_path, DEMO="1", **environment)
    assert settings.DATABASES["default"]["NAME"] == str(tmp_path / "db.sqlite3")
    assert settings.REDIS_URL == ""
    assert settings.CELERY_TASK_ALWAYS_EAGER


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
    with pytest.raises(ImproperlyConfigured, match=rf"^{name} is not a usable URL") as refused:
        settings_of(tmp_path, DEMO="1", **{name: url})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["postgres:///x?host=/run/postgresql", "postgresql://ann:pw@host:5432/x", "sqlite:////tmp/x"]
)
def test_a_url_of_a_database_that_is_supported_is_taken(url: str, tmp_path: Path) -> None:
    settings = settings_of(tmp_path, DEMO="1", DATABASE_URL=url)
    assert settings.DATABASES["default"]["NAME"] in ("x", "/tmp/x")
