"""A broker that is dead or frozen: who queues a task knows within seconds, and everything else goes on."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select

import pytest

from daily import clock
from tests.cast import make_challenge
from tests.services import free_port, valkey
from tests.tasks.processes import ROOT, TIMEOUT_S, environment

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
LONGEST_S = 5
WEB = """
import sys, time
import django
django.setup()
from django.test import Client
from kombu.exceptions import OperationalError
import config.urls
from daily.tasks import schedule_ahead

def queue():
    try:
        schedule_ahead.delay()
    except OperationalError:
        return "refused"
    return "queued"

def read():
    page = "/api/v1/challenges/today/leaderboard/"
    return Client(headers={"host": "localhost"}).get(page).status_code

for line in sys.stdin:
    begun = time.monotonic()
    answer = {"queue": queue, "read": read}[line.strip()]()
    print(answer, time.monotonic() - begun, flush=True)
"""


class Web:
    """A process that can do what a web process does, one thing after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def do(self, what: str) -> str:
        """Let it ``queue`` a task or ``read`` a page; what came of it, within seconds."""
        assert self.process.stdin
        assert self.process.stdout
        print(what, file=self.process.stdin, flush=True)
        assert select([self.process.stdout], [], [], TIMEOUT_S)[0], f"it has not done with {what}"
        answer, seconds = self.process.stdout.readline().split()
        assert float(seconds) < LONGEST_S
        return answer


@contextmanager
def web(redis_url: str, place: Path) -> Iterator[Web]:
    """A web process whose broker, index and limits are all on this Redis."""
    variables = environment(place) | {"REDIS_URL": redis_url, "CELERY_BROKER_URL": redis_url}
    with subprocess.Popen(
        [sys.executable, "-c", WEB],
        cwd=ROOT,
        env=variables,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        try:
            yield Web(process)
        finally:
            process.kill()


@pytest.fixture(autouse=True)
def today(transactional_db: None) -> None:
    """Have something to read."""
    make_challenge(clock.now().date())


def test_a_dead_broker_is_known_at_once_and_pages_are_served(tmp_path: Path) -> None:
    with web(f"redis://127.0.0.1:{free_port()}/0", tmp_path) as process:
        assert [process.do("queue"), process.do("read"), process.do("queue")] == ["refused", "200", "refused"]


def test_a_broker_that_freezes_is_known_within_seconds_and_used_again_when_it_thaws(tmp_path: Path) -> None:
    with valkey() as server, web(server.url, tmp_path) as process:
        assert [process.do("queue"), process.do("read")] == ["queued", "200"]
        server.process.send_signal(signal.SIGSTOP)
        assert [process.do("queue"), process.do("read"), process.do("queue")] == ["refused", "200", "refused"]
        server.process.send_signal(signal.SIGCONT)
        assert [process.do("queue"), process.do("read")] == ["queued", "200"]
