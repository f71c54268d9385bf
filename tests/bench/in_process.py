"""What the benches take for a client and a crowd, in the test's own process."""

import json
from collections.abc import Callable, Iterable
from http.client import HTTPMessage
from typing import Any

from rest_framework.test import APIClient

from bench.client import Answer


class InProcess:
    """A client of the service, and a crowd of one."""

    def __init__(self) -> None:
        self.clients = [self]

    def ask(self, method: str, path: str, *, token: str = "", body: Any = None, **headers: str) -> Answer:
        """Ask once."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        path, _, query = path.partition("?")
        data = "" if body is None else json.dumps(body)
        answer = APIClient().generic(method, path, data, "application/json", headers=sent, QUERY_STRING=query)
        told = HTTPMessage()
        for name, value in answer.headers.items():
            told[name] = value
        for cookie in answer.cookies.values():
            told["Set-Cookie"] = cookie.OutputString()
        return Answer(answer.status_code, told, answer.content, 0)

    insist = ask
    """Once is enough here."""

    def map[T, R](self, work: Callable[[Any, T], R], items: Iterable[T]) -> list[R]:
        """Do this with the items."""
        return [work(self, item) for item in items]


def in_process() -> Any:
    """What the bench takes for a client or a crowd."""
    return InProcess()
