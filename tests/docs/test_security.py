"""What docs/security.md claims: each requirement is there, each test it names exists; what no other holds."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth.hashers import PBKDF2PasswordHasher, get_hasher
from django.test import Client

from players.models import Player

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text()
ROOMS = ["api", "config", "daily", "games", "leaderboard", "players", "web"]
LEVEL_1 = {
    *(f"1.2.{n}" for n in range(1, 6)),
    *("1.3.1", "1.3.2", "1.5.1"),
    *("2.1.1", "2.2.1", "2.2.2", "2.3.1"),
    *("3.2.1", "3.2.2", "3.3.1", "3.4.1", "3.4.2", "3.5.1", "3.5.2", "3.5.3"),
    *("4.1.1", "4.4.1"),
    *("5.2.1", "5.2.2", "5.3.1", "5.3.2"),
    "6.1.1",
    *(f"6.2.{n}" for n in range(1, 9)),
    *("6.3.1", "6.3.2", "6.4.1", "6.4.2"),
    *("7.2.1", "7.2.2", "7.2.3", "7.2.4", "7.4.1", "7.4.2"),
    *("8.1.1", "8.2.1", "8.2.2", "8.3.1"),
    *("9.1.1", "9.1.2", "9.1.3", "9.2.1"),
    *(f"10.4.{n}" for n in range(1, 6)),
    *("11.3.1", "11.3.2", "11.4.1"),
    *("12.1.1", "12.2.1", "12.2.2"),
    "13.4.1",
    *("14.2.1", "14.3.1"),
    *("15.1.1", "15.2.1", "15.3.1"),
}
"""The requirements of level 1 in ASVS 5.0.0."""
ROW = re.compile(r"^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \|.*$", re.MULTILINE)
DANGEROUS = re.compile(
    r"^\s*(?:import|from) (?:subprocess|pickle|marshal|shelve|xml|ctypes)\b|os\.(?:system|popen|exec)"
    r"|(?<![\w.])(?:eval|exec)\(|new Function\(|document\.write|insertAdjacentHTML|\.innerHTML \+?= ",
    re.MULTILINE,
)


def test_each_requirement_is_walked_through_once() -> None:
    assert len(LEVEL_1) == 70
    walked = Counter(number for row in ROW.finditer(PAGE) for number in row[1].split(", "))
    assert walked == Counter(dict.fromkeys(LEVEL_1, 1))


def test_each_row_names_a_test_or_says_why_there_is_none() -> None:
    for row in ROW.finditer(PAGE):
        has_reason = re.search(r"n/a|\*operator\*|\[above\]|\*\*not quite\*\*|\| none \|", row[0])
        assert "::test_" in row[0] or has_reason, row[0]


def test_what_is_not_quite_met_is_listed() -> None:
    listed = PAGE.partition("## What is not met")[2]
    unmet = [row[1] for row in ROW.finditer(PAGE) if "not quite" in row[0].lower()]
    assert unmet
    assert all(f"**{number}**" in listed for number in unmet)


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE))
    assert len(named) > 60
    missing = [f"{path}::{name}" for path, name in named if f"def {name}(" not in (ROOT / path).read_text()]
    assert not missing


def test_the_service_starts_no_process_and_runs_no_text() -> None:
    sources = [
        path
        for room in ROOMS
        for kind in ("py", "js", "html")
        for path in (ROOT / room).rglob(f"*.{kind}")
        if path.relative_to(ROOT).parts[:2] != ("games", "pyramid") or "commands" not in path.parts
    ]
    assert len(sources) > 150
    assert not [f"{path}: {found[0]}" for path in sources if (found := DANGEROUS.search(path.read_text()))]


def test_the_image_is_built_from_an_allow_list() -> None:
    everything, *allowed = (ROOT / ".dockerignore").read_text().split()
    assert everything == "*"
    named = {line.removeprefix("!") for line in allowed if line.startswith("!")}
    assert named == {"manage.py", "pyproject.toml", "uv.lock", *ROOMS}


def test_containers_have_no_more_than_they_need() -> None:
    services: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    for name, service in services.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "privileged" not in service, name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ())), name
    final = (ROOT / "Dockerfile").read_text().rpartition("FROM ")[2]
    assert re.search(r"^USER 10001:10001$", final, re.MULTILINE)
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "purpose"), [("/account/login/", "current-password"), ("/account/new/", "new-password")]
)
def test_passwords_are_masked_and_may_be_pasted_and_remembered(
    page: str, purpose: str, client: Client
) -> None:
    shown = client.get(page).content.decode()
    [field] = re.findall(r'<input[^>]*name="password"[^>]*>', shown)
    assert 'type="password"' in field
    assert f'autocomplete="{purpose}"' in field
    assert "onpaste" not in shown


PASSWORD = "Seven silent swans, " + "x" * 60


@pytest.mark.parametrize(
    "other",
    [PASSWORD[:-1], PASSWORD.lower(), f" {PASSWORD}", f"{PASSWORD} "],
    ids=["shorter", "small", "a space before", "a space after"],
)
def test_a_password_counts_to_its_last_character(other: str, ann: Player) -> None:
    ann.set_password(PASSWORD)
    assert not ann.check_password(other)
    ann.email, ann.is_guest = "ann@pyramid.example", False
    ann.save()
    assert [log_in(other), log_in(PASSWORD)] == [401, 201]


def log_in(password: str) -> int:
    """The status that an attempt to log in gets."""
    body = {"login": "ann", "password": password}
    return Client().post("/api/v1/tokens/", body, content_type="application/json").status_code


def test_passwords_are_kept_by_a_slow_hash() -> None:
    hasher = get_hasher("default")
    assert isinstance(hasher, PBKDF2PasswordHasher)
    assert hasher.iterations >= 600_000


@pytest.mark.django_db
def test_a_session_that_was_signed_out_of_opens_nothing(client: Client, ann: Player) -> None:
    client.force_login(ann)
    stolen = client.cookies["sessionid"].value
    client.post("/account/logout/")
    client.cookies["sessionid"] = stolen
    assert client.get("/api/v1/me/").status_code == 401
