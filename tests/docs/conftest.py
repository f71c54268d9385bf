"""A service as the README starts it."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import free_port

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a fresh service on the embedded default."""
    port = free_port()
    environment = {
        key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL")
    }
    environment |= {"DEMO": "1", "VAR_DIR": str(tmp_path_factory.mktemp("var")), "LOG_LEVEL": "ERROR"}
    manage = [sys.executable, "manage.py"]
    for command in (["migrate", "--verbosity=0"], ["schedule_ahead"], ["demo", "--players=5"]):
        subprocess.run([*manage, *command], check=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    serve = ["granian", "--interface", "wsgi", "--no-ws", "--port", str(port), "--workers-kill-timeout", "2"]
    command = [sys.executable, "-m", *serve, "--log-level", "error", "config.wsgi:application"]
    with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/readyz")
        yield address
        process.terminate()


def wait_for(url: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")
