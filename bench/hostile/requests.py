"""Hostile requests as data, and as the bytes that are sent."""

import gzip
from dataclasses import dataclass, field
from typing import Final, Literal

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
BOMB: Final = gzip.compress(bytes(20_000_000))
"""Twenty kilobytes that unpack to twenty megabytes."""
PAGE: Final = "page"
"""In the place of a code: the answer is a page for people."""

type Who = Literal["nobody", "ann's program", "ann", "keeper"]
"""Ann is a guest with a token, a session, an attempt and a league, the keeper a member of staff."""


@dataclass(frozen=True)
class Hostile:
    """A request and what it deserves: a status and the code of its problem document, or ``PAGE``."""

    name: str
    status: int
    code: str
    path: str
    method: str = "GET"
    body: bytes = b""
    kind: str = JSON
    headers: dict[str, str] = field(default_factory=dict)
    who: Who = "nobody"


@dataclass(frozen=True)
class Raw:
    """Bytes that are hardly a request, or several, and the statuses of all that comes back.

    ``direct`` is what granian and the service answer, ``proxied`` what comes through the deployment's proxy.
    """

    name: str
    sent: bytes
    direct: tuple[int, ...]
    proxied: tuple[int, ...]
    hangs_up: bool = False
    """Whether the sender says no more after this, though more was announced."""
    is_wordless: bool = False
    """Whether even through the proxy there is only a status: it does not look into the values of headers."""


@dataclass(frozen=True)
class Cast:
    """Who the requests may speak for, and what they may name."""

    token: str
    sessions: dict[str, str]
    csrf: str
    names: dict[str, str]
    """What stands for ``{attempt}``, ``{league}``, ``{run}`` and ``{csrf}`` in paths, bodies and headers."""

    def fill(self, text: str) -> str:
        """The text with names in the place of their placeholders."""
        for name, value in self.names.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def headers_of(self, case: Hostile) -> dict[str, str]:
        """What a request is sent with, beside its host and its length."""
        headers = {"Content-Type": case.kind} if case.kind and case.method != "GET" else {}
        if case.who == "ann's program":
            headers["Authorization"] = f"Bearer {self.token}"
        elif case.who != "nobody":
            headers["Cookie"] = f"sessionid={self.sessions[case.who]}; csrftoken={self.csrf}"
        return headers | {name: self.fill(value) for name, value in case.headers.items()}

    def body_of(self, case: Hostile) -> bytes:
        """The body with its placeholders filled."""
        return self.fill(case.body.decode("latin-1")).encode("latin-1")

    def message_of(self, case: Hostile) -> bytes:
        """The bytes of a request over a connection of its own."""
        body = self.body_of(case)
        headers = {"Host": "localhost", "Connection": "close"}
        if body or case.method not in ("GET", "HEAD", "OPTIONS"):
            headers["Content-Length"] = str(len(body))
        lines = [f"{name}: {value}" for name, value in (headers | self.headers_of(case)).items()]
        head = "\r\n".join([f"{case.method} {self.fill(case.path)} HTTP/1.1", *lines])
        return f"{head}\r\n\r\n".encode("latin-1") + body
