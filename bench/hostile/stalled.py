"""Senders that stop halfway and stay: while they do, nobody else may have to wait for them."""

import itertools
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bench.hostile.framing import HOST, JSON
from bench.hostile.judging import Verdicts, faults_of
from bench.hostile.requests import Cast, Hostile
from bench.hostile.wire import ask

LOOKED_S = 6.0
"""How long others are looked after: shorter than the proxy's patience with the stalled."""
HALVES = [
    f"POST /api/v1/replay/ HTTP/1.1\r\n{HOST}{JSON}Content-Length: 90\r\n\r\n{{".encode(),
    f"POST /leagues/new/ HTTP/1.1\r\n{HOST}Content-Length: 9000\r\n\r\nname=".encode(),
    f"POST /api/v1/players/ HTTP/1.1\r\n{HOST}{JSON}Transfer-Encoding: chunked\r\n\r\n5\r\n{{".encode(),
    f"GET /api/v1/rules/ HTTP/1.1\r\n{HOST}X-Half: ".encode(),
]
OTHERS = [
    Hostile("a probe", 200, "", "/readyz"),
    Hostile("a board", 200, "", "/api/v1/challenges/today/leaderboard/"),
    Hostile("a page", 200, "", "/"),
    Hostile("a new guest", 201, "", "/api/v1/players/", "POST", b"{}"),
    Hostile("a start", 200, "", "/api/v1/challenges/today/attempts/", "POST", b"{}", who="ann's program"),
]


@contextmanager
def stalled(port: int, number: int) -> Iterator[None]:
    """Keep so many senders open that have said half of what they announced."""
    with ExitStack() as stack:
        for half in itertools.islice(itertools.cycle(HALVES), number):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            line.sendall(half)
        yield


def look_after_others(port: int, cast: Cast, verdicts: Verdicts, seconds: float = LOOKED_S) -> None:
    """Ask ordinary things for so long; each has to be answered as ever."""
    until = time.monotonic() + seconds
    for case in itertools.cycle(OTHERS):
        if time.monotonic() > until:
            return
        heard = ask(port, cast.message_of(case))
        faults = list(faults_of(case.path, heard, is_proxied=True))
        if [answer.status for answer in heard.answers] != [case.status]:
            faults.append(f"answered {[answer.status for answer in heard.answers]}")
        verdicts.add(case.name, heard, faults)
