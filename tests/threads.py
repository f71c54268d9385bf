"""Threads that meet where a test wants them to: calls that wait to be let go, and waits for a lock."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pkgutil import resolve_name
from threading import Barrier, Event, current_thread
from typing import Any

import pytest
from django.db import connection, transaction
from rest_framework.exceptions import APIException

TIMEOUT_S = 20
WAITING = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def at_once[T](calls: list[Callable[[], T]]) -> list[T | APIException]:
    """Run the calls in as many threads, all let go at the same moment; a refusal is a result."""
    gate = Barrier(len(calls))

    def call(work: Callable[[], T]) -> T | APIException:
        gate.wait()
        return _refusal_or_result(work)

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(call, calls))


def _refusal_or_result[T](work: Callable[[], T]) -> T | APIException:
    try:
        return work()
    except APIException as refusal:
        return refusal
    finally:
        connection.close()


class Aside:
    """Calls that run in threads of their own, the first of them held up where the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor) -> None:
        self.monkeypatch = monkeypatch
        self.pool = pool
        self.go = Event()

    def start[T](self, work: Callable[[], T]) -> Future[T | APIException]:
        """Run the call in a thread."""
        return self.pool.submit(_refusal_or_result, work)

    def start_and_hold[T](self, work: Callable[[], T], place: str) -> Future[T | APIException]:
        """Run the call in a thread until it has done ``place``, a dotted name of what it calls."""
        arrived, name = Event(), f"aside-{id(work)}"
        self._hold_after(place, name, arrived)

        def held() -> T | APIException:
            current_thread().name = name
            return _refusal_or_result(work)

        future = self.pool.submit(held)
        assert arrived.wait(TIMEOUT_S), future
        return future

    def start_and_hold_uncommitted[T](self, submit: Callable[[], T]) -> Future[T | APIException]:
        """`start_and_hold` for a submission whose run is stored and counted, and not committed yet."""
        return self.start_and_hold(transaction.atomic(submit), "leaderboard.services.tell_index")

    def _hold_after(self, place: str, name: str, arrived: Event) -> None:
        original = resolve_name(place)

        def then_wait(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if current_thread().name == name:
                arrived.set()
                assert self.go.wait(TIMEOUT_S)
            return result

        self.monkeypatch.setattr(place, then_wait)

    def wait_until_waiting(self, number: int = 1) -> None:
        """Come back when so many of the threads wait for a lock of another."""
        deadline = time.monotonic() + TIMEOUT_S
        while waiting() < number:
            assert time.monotonic() < deadline, "nobody waits for a lock"
            time.sleep(0.01)


def waiting() -> int:
    """How many connections to this database wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # or a transaction sees the same all the time
        cursor.execute(WAITING)
        return int(cursor.fetchone()[0])


@pytest.fixture
def aside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Aside]:
    """Threads beside the test's own; whatever is held is let go in the end."""
    with ThreadPoolExecutor(16) as pool, _letting_go(Aside(monkeypatch, pool)) as threads:
        yield threads


@contextmanager
def _letting_go(threads: Aside) -> Iterator[Aside]:
    try:
        yield threads
    finally:
        threads.go.set()
