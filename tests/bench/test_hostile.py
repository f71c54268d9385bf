"""The hostile bench in short: what is no request, and what is made up, against a real server."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from bench.hostile import generated, handmade
from bench.hostile.framing import FRAMING
from bench.hostile.judging import Verdicts, faults_of
from bench.hostile.stage import make_cast, make_guest_cast
from bench.hostile.wire import Answer, Heard, answers_in, ask
from bench.service import GRANIAN, NO_LIMIT
from daily import clock
from daily.models import Challenge
from tests.cast import make_challenge
from tests.services import free_port

ROOT = Path(__file__).parents[2]
START_TIMEOUT_S = 60
CALLS, LOGS = 100, 100
NOT_FOUND = b'{"type": "", "title": "", "status": 404, "code": "not_found", "detail": ""}'


@pytest.fixture
def day(transactional_db: None) -> Challenge:
    """The day that is open by the server's clock."""
    return make_challenge(clock.now().date())


@pytest.fixture
def port(day: Challenge) -> Iterator[int]:
    """Where a granian serves from the database of the tests."""
    free = free_port()
    command = [sys.executable, "-m", "granian", "--port", str(free), "--workers", "1", *GRANIAN]
    with subprocess.Popen([*command, "config.wsgi:application"], cwd=ROOT, env=environment()) as process:
        try:
            wait_until_serving(free, process)
            yield free
        finally:
            process.terminate()
            process.wait()


def environment() -> dict[str, str]:
    """That of the tests, with its test database and without limits."""
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    limits = dict.fromkeys(("READ", "WRITE", "JOIN", "LOGIN", "SOLVE", "GUESS"), NO_LIMIT)
    return {
        **os.environ,
        "DATABASE_URL": url.geturl(),
        "LOG_LEVEL": "CRITICAL",
        **{f"THROTTLE_{scope}": limit for scope, limit in limits.items()},
    }


def wait_until_serving(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not is_serving(port):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_serving(port: int) -> bool:
    try:
        heard = ask(port, b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    except OSError:
        return False
    return [answer.status for answer in heard.answers] == [200]


@pytest.mark.postgres
@pytest.mark.redis
def test_neither_broken_bytes_nor_generated_requests_break_it(port: int, day: Challenge) -> None:
    """In one test, since the server takes most of the time."""
    verdicts, cast = Verdicts(), make_cast()
    handmade.send_framing(port, verdicts, is_proxied=False)
    assert verdicts.requests == len(FRAMING)
    generated.Logs(port, cast, day.deck, day.rules, verdicts).make(LOGS, 1)
    calls = Verdicts()
    generated.Calls(port, make_guest_cast, calls).make(CALLS, 1)
    assert calls.requests >= CALLS
    assert not [fault for fault in verdicts.faults + calls.faults if " took " not in fault]


def test_there_are_as_many_as_were_promised() -> None:
    assert handmade.NUMBER >= 150


def heard(status: int, kind: str = "", body: bytes = b"", *, seconds: float = 0.1, to: str = "") -> Heard:
    """One answer."""
    return Heard([Answer(status, {"content-type": kind, "location": to}, body)], seconds)


PROBLEM, PAGE = "application/problem+json", "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/", heard(500, PAGE, b"<h1>")),
        ("/", heard(200, seconds=2.5)),
        ("/api/v1/", heard(404, PAGE, b"<h1>Not found</h1>")),
        ("/api/v1/", heard(404, PROBLEM, b'{"status": 404, "code": "made_up"}')),
        ("/api/v1/", heard(400, PROBLEM, NOT_FOUND)),
        ("/", heard(404, PAGE, b"")),
        ("/", heard(404, PAGE, b'<h1>Traceback (most recent call last)</h1>  File "x"')),
        ("/", heard(302, to="//evil.example/")),
        ("/", heard(302, to="https://evil.example/")),
        ("/", heard(302, to="http://localhost.evil.example/")),
    ],
)
def test_a_broken_promise_is_noticed(path: str, said: Heard) -> None:
    assert list(faults_of(path, said, is_proxied=False))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/api/v1/", heard(404, PROBLEM, NOT_FOUND)),
        ("/", heard(404, PROBLEM, NOT_FOUND)),
        ("/", heard(404, PAGE, b"<h1>Not found</h1>")),
        ("/", heard(302, to="/account/login/")),
        ("/", heard(302, to="http://localhost/play/")),
        ("/", heard(304)),
    ],
)
def test_a_kept_promise_is_no_fault(path: str, said: Heard) -> None:
    assert not list(faults_of(path, said, is_proxied=False))


def test_a_refusal_without_a_word_is_granians_own_but_never_the_proxys() -> None:
    said = heard(431)
    assert not list(faults_of("/", said, is_proxied=False))
    assert list(faults_of("/", said, is_proxied=True))


def test_answers_on_one_connection_are_told_apart() -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    counted = b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nde"
    on_the_way = b"HTTP/1.1 100 Continue\r\n\r\n"
    told = [(answer.status, answer.body) for answer in answers_in(on_the_way + chunked + counted)]
    assert told == [(200, b"abc"), (404, b"de")]
