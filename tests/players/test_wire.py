"""Redis on the wire: what comes back is the answer to what was asked, whatever went wrong before."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from players.wire import Wire
from tests.services import Server, valkey

pytestmark = pytest.mark.redis


@pytest.fixture
def server() -> Iterator[Server]:
    """A Redis of our own to hurt."""
    with valkey() as running:
        yield running
        running.process.send_signal(signal.SIGCONT)


@pytest.fixture
def wire(server: Server) -> Wire:
    return Wire(server.url, 0.25)


def test_the_answers_come_in_the_order_of_the_commands(wire: Wire) -> None:
    assert wire.ask(("SET", "a", 1), ("GET", "a"), ("GET", "b"), ("INCR", "a")) == ["OK", "1", None, 2]


def test_a_refused_command_leaves_no_answer_behind(wire: Wire) -> None:
    with pytest.raises(redis.ResponseError):
        wire.ask(("SET", "a", "word"), ("INCR", "a"), ("GET", "a"))
    assert wire.ask(("GET", "a")) == ["word"]


def test_an_answer_that_comes_too_late_is_nobodys(wire: Wire, server: Server) -> None:
    wire.ask(("SET", "a", 1))
    server.process.send_signal(signal.SIGSTOP)
    with pytest.raises(redis.TimeoutError):
        wire.ask(("GET", "a"))
    server.process.send_signal(signal.SIGCONT)
    assert wire.ask(("GET", "b")) == [None]


def test_a_redis_that_hung_up_is_called_again(wire: Wire, server: Server) -> None:
    [own] = wire.ask(("CLIENT", "ID"))
    Wire(server.url, 0.25).ask(("CLIENT", "KILL", "ID", own))
    assert wire.ask(("GET", "a")) == [None]
    assert wire.ask(("CLIENT", "ID")) != [own]


def test_a_forked_process_has_a_connection_of_its_own(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    [parents] = wire.ask(("CLIENT", "ID"))
    monkeypatch.setattr(os, "getpid", lambda: -1)  # which is all that tells a child
    assert wire.ask(("CLIENT", "ID")) != [parents]


def test_threads_that_are_gone_take_no_connection_from_others(wire: Wire) -> None:
    for _ in range(110):
        thread = threading.Thread(target=wire.ask, args=[("INCR", "a")])
        thread.start()
        thread.join()
    assert wire.ask(("INCR", "a")) == [111]


def test_threads_do_not_get_each_others_answers(wire: Wire) -> None:
    together = threading.Barrier(8)

    def echo(number: int) -> bool:
        together.wait()
        return all(wire.ask(("ECHO", f"{number}-{turn}")) == [f"{number}-{turn}"] for turn in range(50))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(echo, range(8)))
