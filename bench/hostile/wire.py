"""A client that says anything: bytes go out as they are, whatever comes back is taken apart."""

import selectors
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass

PATIENCE_S = 5.0
"""How long an answer may take; a promise is broken long before."""


@dataclass(frozen=True)
class Answer:
    """What came back; ``status`` 0 where that is no answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    def header(self, name: str) -> str:
        """A header's value, empty without it."""
        return self.headers.get(name, "")


@dataclass(frozen=True)
class Heard:
    """Every answer on a connection, and how long it took until the last word."""

    answers: list[Answer]
    seconds: float


def ask(port: int, sent: bytes, *, hangs_up: bool = False) -> Heard:
    """Say it on a connection of its own and hear what comes until the other side is done."""
    begun = time.perf_counter()
    heard, ended = _talk(port, sent, hangs_up=hangs_up)
    return Heard(list(answers_in(heard)), ended - begun)


def _talk(port: int, sent: bytes, *, hangs_up: bool) -> tuple[bytes, float]:
    """What was heard, and when the last of it; where nothing was, when it was clear that nothing would be."""
    heard, rest, ended = b"", memoryview(sent), 0.0
    deadline = time.monotonic() + PATIENCE_S
    with (
        socket.create_connection(("127.0.0.1", port), PATIENCE_S) as line,
        selectors.DefaultSelector() as wait,
    ):
        line.settimeout(0)
        wait.register(line, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while (left_s := deadline - time.monotonic()) > 0:
            try:
                for _, events in wait.select(left_s):
                    if events & selectors.EVENT_READ:
                        if not (piece := line.recv(65536)):
                            return heard, ended or time.perf_counter()
                        heard, ended = heard + piece, time.perf_counter()
                    if events & selectors.EVENT_WRITE:
                        rest = rest[line.send(rest) :]
                        if not rest:
                            wait.modify(line, selectors.EVENT_READ)
                            if hangs_up:
                                line.shutdown(socket.SHUT_WR)
            except BrokenPipeError:  # an answer may have come before
                wait.modify(line, selectors.EVENT_READ)
            except OSError:
                return heard, ended or time.perf_counter()
    return heard, ended or time.perf_counter()


def answers_in(heard: bytes) -> Iterator[Answer]:
    """The answers one after the other; those on the way (100) are left out."""
    while heard:
        head, _, rest = heard.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        status = int(first[9:12]) if first.startswith("HTTP/1.") and first[9:12].isdigit() else 0
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body, heard = _body(headers, rest, status)
        if status != 100:
            yield Answer(status, headers, body)


def _body(headers: dict[str, str], rest: bytes, status: int) -> tuple[bytes, bytes]:
    """The body and what follows it."""
    if status in (100, 204, 304):
        return b"", rest
    if "chunked" in headers.get("transfer-encoding", ""):
        return _dechunked(rest)
    length = headers.get("content-length")
    size = int(length) if length and length.isdigit() else len(rest)
    if rest[:7] == b"HTTP/1." or not rest:  # the answer to a HEAD
        return b"", rest
    return rest[:size], rest[size:]


def _dechunked(rest: bytes) -> tuple[bytes, bytes]:
    body = b""
    while rest:
        size_line, _, rest = rest.partition(b"\r\n")
        size = int(size_line.split(b";")[0] or b"0", 16)
        if size == 0:
            return body, rest.partition(b"\r\n")[2]
        body, rest = body + rest[:size], rest[size + 2 :]
    return body, b""
