"""Clients as the API guide wants them: each keeps its connection, and asks again until it is answered."""

import http.client
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from threading import Barrier, Event, Lock
from typing import Any, NamedTuple, Self

TIMEOUT_S = 20
PATIENCE_S = 90
"""How long a client keeps asking: longer than any outage may last."""
NO_ANSWER = (OSError, http.client.HTTPException)
SERVICE_FAILED = 500


class Answer(NamedTuple):
    """What came back, and after how many seconds."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes
    seconds: float

    @property
    def document(self) -> Any:
        """The body's JSON."""
        return json.loads(self.body)


class Client:
    """One connection, for one thread."""

    def __init__(self, port: int, *, timeout_s: float = TIMEOUT_S, is_over: Event | None = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)
        self._is_over = is_over or Event()
        self._rng = Random()
        self.failures: Counter[str] = Counter()
        """What `insist` got instead of an answer, and how often."""

    def ask(self, method: str, path: str, *, token: str = "", body: Any = None, **headers: str) -> Answer:
        """Ask once. Raises OSError or HTTPException (``NO_ANSWER``) where there is no answer."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        begun = time.perf_counter()
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), sent)
            answer = self._connection.getresponse()
            text = answer.read()
        except BaseException:
            self._connection.close()
            raise
        return Answer(answer.status, answer.headers, text, time.perf_counter() - begun)

    def insist(self, method: str, path: str, *, token: str = "", body: Any = None) -> Answer:
        """Ask until something else comes back than a failure of the service.

        It does not wait as long as ``Retry-After`` asks: more to bear for the service. Raises TimeoutError.
        """
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and not self._is_over.is_set():
            try:
                answer = self.ask(method, path, token=token, body=body)
            except NO_ANSWER as fault:
                self.failures[type(fault).__name__] += 1
            else:
                if answer.status < SERVICE_FAILED:
                    return answer
                self.failures[str(answer.status)] += 1
            time.sleep(self._rng.uniform(0.1, 0.4))
        raise TimeoutError(f"{method} {path} was not answered.")


class Crowd:
    """Clients that ask at once, each in a thread of its own. When one fails, all stop."""

    def __init__(self, port: int, size: int, *, timeout_s: float = TIMEOUT_S) -> None:
        self._is_over = Event()
        self.clients = [Client(port, timeout_s=timeout_s, is_over=self._is_over) for _ in range(size)]
        self._pool = ThreadPoolExecutor(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind:
            self._is_over.set()
        self._pool.shutdown(cancel_futures=bool(kind))

    def send[R](self, work: Callable[[Client], R]) -> list[Future[R]]:
        """Let every client do this."""
        return [self._pool.submit(work, client) for client in self.clients]

    def map[T, R](self, work: Callable[[Client, T], R], items: Iterable[T]) -> list[R]:
        """Let the clients do this with the items, each with the next one left; in no order."""
        left = _Shared(items)
        futures = self.send(lambda client: [work(client, item) for item in left])
        return [result for future in futures for result in future.result()]

    def at_once[R](self, calls: list[Callable[[Client], R]]) -> list[R]:
        """Let as many clients make one call each, all let go at the same moment."""
        gate = Barrier(len(calls))

        def call(client: Client, work: Callable[[Client], R]) -> R:
            gate.wait()
            return work(client)

        pairs = zip(self.clients, calls, strict=True)
        return [future.result() for future in [self._pool.submit(call, *pair) for pair in pairs]]

    @property
    def failures(self) -> Counter[str]:
        """What all of them got instead of answers."""
        return sum((client.failures for client in self.clients), Counter())


class _Shared[T]:
    """Items for many threads, each for one of them."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items, self._lock = iter(items), Lock()

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        with self._lock:
            return next(self._items)
