"""A service that cannot start says why in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def manage(var: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Call Django's command line with nothing but this environment."""
    env = {"VAR_DIR": str(var), "PATH": os.environ["PATH"], **environment}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({}, "SECRET_KEY is missing"),
        ({"DEMO": "1", "DATABASE_URL": "nonsense"}, "DATABASE_URL is not a usable URL"),
        ({"DEMO": "1", "REDIS_URL": "http://redis"}, "REDIS_URL is not a usable URL"),
        ({"DEMO": "1", "DATABASE_URL": "postgres://ann:pw@127.0.0.1:1/x"}, "connection failed"),
        ({"DEMO": "1", "DATABASE_URL": "sqlite:////nowhere/at/all"}, "unable to open database file"),
    ],
    ids=["secret", "database", "redis", "refused", "unreadable"],
)
def test_what_prevents_a_start_is_one_line(environment: dict[str, str], reason: str, tmp_path: Path) -> None:
    answer = manage(tmp_path, "migrate", **environment)
    assert (answer.returncode, answer.stdout) == (1, "")
    [line] = answer.stderr.splitlines()
    assert line.startswith(f"Cannot start: {reason}")


def test_the_traceback_is_there_for_whoever_asks(tmp_path: Path) -> None:
    answer = manage(tmp_path, "migrate", "--traceback")
    assert answer.returncode == 1
    assert answer.stderr.startswith("Traceback")
