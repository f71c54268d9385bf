"""Redis as every request asks it: a connection for each thread, and nothing between it and the socket.

redis-py's client spends more on retries, events and metrics of its own, none of which is wanted here, than it
takes to ask; its connections do the rest.
"""

import os
from functools import partial
from threading import local
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

type Command = tuple[str | int, ...]


class Wire:
    """A Redis that is asked at most once, and that fails as soon as it does not answer."""

    def __init__(self, url: str, timeout_s: float, connect_timeout_s: float | None = None) -> None:
        read = redis.ConnectionPool.from_url(
            url,
            decode_responses=True,
            socket_timeout=timeout_s,
            socket_connect_timeout=connect_timeout_s or timeout_s,
            retry=Retry(NoBackoff(), 0),
        )
        self._make = partial(read.connection_class, **read.connection_kwargs)
        self._thread = local()

    def ask(self, *commands: Command) -> list[Any]:
        """The answers to some commands, in one round trip. Raises RedisError, the first there is."""
        connection = self._connected()
        try:
            connection.send_packed_command(connection.pack_commands(commands))
            answers = [_read(connection) for _ in commands]
        except BaseException:
            connection.disconnect()  # or the next answer would be this one's
            raise
        for answer in answers:
            if isinstance(answer, redis.ResponseError):
                raise answer
        return answers

    def _connected(self) -> Any:
        """The thread's connection, a new one where Redis has hung up meanwhile and after a fork."""
        connection = getattr(self._thread, "connection", None)
        if connection is None or connection.pid != os.getpid():
            connection = self._connect()
        connection.connect()
        if _has_hung_up(connection):
            connection.disconnect()
            connection.connect()
        return connection

    def _connect(self) -> Any:
        self._thread.connection = self._make()
        return self._thread.connection


def _has_hung_up(connection: Any) -> bool:
    """Whether there is something to read, which nobody asked for."""
    try:
        return bool(connection.can_read())
    except (redis.RedisError, OSError):
        return True


def _read(connection: Any) -> Any:
    try:
        return connection.read_response()
    except redis.ResponseError as refusal:
        return refusal
