"""The plugin that starts the tests' servers."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
import redis

from tests import services

ROOT = Path(__file__).parents[2]
WAIT = """
import os, pathlib, signal

def test_wait():
    draft = pathlib.Path(__file__).with_name("draft")
    draft.write_text(os.environ["DATABASE_URL"] + "\\n" + os.environ["REDIS_URL"])
    draft.rename(draft.with_name("urls"))
    signal.pause()
"""


@pytest.mark.postgres
@pytest.mark.redis
def test_the_servers_stop_when_pytest_is_told_to(tmp_path: Path) -> None:
    (tmp_path / "test_wait.py").write_text(WAIT)
    bare = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    bare = {name: value for name, value in bare.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-n0", str(tmp_path / "test_wait.py")]
    with subprocess.Popen(command, cwd=ROOT, env=bare) as process:
        deadline = time.monotonic() + 60
        while not (tmp_path / "urls").exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        database, index = (tmp_path / "urls").read_text().split()
        psycopg.connect(database).close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == pytest.ExitCode.INTERRUPTED
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(database)
    with redis.Redis.from_url(index) as client, pytest.raises(redis.ConnectionError):
        client.ping()
    assert not Path(database.partition("host=")[2]).exists()


@pytest.mark.parametrize(
    ("url", "worker_url"),
    [
        ("redis://host:1234", "redis://host:1234/2"),
        ("redis://u:p@host/3?timeout=1", "redis://u:p@host/5?timeout=1"),
    ],
    ids=["default", "numbered"],
)
def test_each_worker_has_a_redis_database_of_its_own(
    url: str, worker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    monkeypatch.setenv("VAR_DIR", "/var/lib/tests")
    services._enter_worker(2)
    assert os.environ["REDIS_URL"] == worker_url
    assert os.environ["VAR_DIR"] == "/var/lib/tests/worker-2"
