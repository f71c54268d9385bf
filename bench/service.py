"""A whole deployment on this machine, from the dev wheels, made to be hurt.

PostgreSQL with its own settings, so that what it has acknowledged is on disk; Valkey, granian, a Celery
worker and a beat as the compose file runs them. A process that dies is started again, as docker compose does
it (``restart: unless-stopped``), and nothing else is ever done to one.
"""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, RLock, Thread
from typing import Any

import psycopg
import redis

from bench.client import Client
from bench.cpu import family_of
from tests.services import free_port, new_cluster, valkey_command

ROOT = Path(__file__).parents[1]
RESTART_AFTER_S = 0.3
START_TIMEOUT_S = 60
LOOK_EVERY_S = 0.05
BOUNDED = ["--maxmemory", "256mb", "--maxmemory-policy", "allkeys-lru"]
NO_LIMIT = "1000000/second"
MIGRATE = """
import django
from django.core.management import call_command
from io import StringIO

django.setup()
call_command("migrate", verbosity=0)
call_command("grant_access", "service", stdout=StringIO())
call_command("schedule_ahead", stdout=StringIO())
"""
GRANIAN = [
    "--interface",
    "wsgi",
    "--http1-buffer-size",
    "65536",
    "--http",
    "1",
    "--no-ws",
    "--blocking-threads",
    "4",
    "--workers-kill-timeout",
    "10",
]
GRANIAN += ["--respawn-failed-workers", "--log-level", "warning"]


class Service:
    """A process with all that it starts, kept running as long as it is wanted."""

    def __init__(self, name: str, command: list[Any], place: Path, **how: Any) -> None:
        self.name, self.log = name, place / f"{name}.log"
        self._command, self._how = command, how
        self._lock = RLock()
        self._is_wanted = False
        self._died_at: float | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process that was started, which changes when it had to be started again."""
        assert self._process is not None
        return self._process.pid

    @property
    def pids(self) -> list[int]:
        """The process and all that it has started."""
        return family_of(self.pid)

    def start(self) -> None:
        """Start it, and keep it running from now on."""
        self._is_wanted = True
        self._spawn()

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """End it and its children as a power cut would; one that is dead just now when it is back."""
        wait_for(lambda: self.is_running)
        with self._lock:
            self._send(signal.SIGSTOP, [self.pid])  # so that it starts no further ones meanwhile
            self._send(signal.SIGKILL, self.pids)
            if self._process:
                self._process.wait()

    def kill_one(self, rng: Random) -> None:
        """End one of its children, or itself where it has none."""
        wait_for(lambda: self.is_running)
        if children := self.pids[1:]:
            self._send(signal.SIGKILL, [rng.choice(children)])
        else:
            self.kill()

    def stop(self) -> None:
        """End it and leave it so."""
        with self._lock:
            self._is_wanted = False
            if self.is_running:
                self.kill()

    def freeze(self) -> None:
        """Let it and its children do nothing, with every connection open."""
        self._send(signal.SIGSTOP, self.pids)

    def thaw(self) -> None:
        """Let it go on."""
        self._send(signal.SIGCONT, self.pids)

    def look_after(self) -> None:
        """Start it again if it has been dead for a moment and is wanted."""
        with self._lock:
            if not self._is_wanted or self.is_running:
                self._died_at = None
            elif self._died_at is None:
                self._died_at = time.monotonic()
            elif time.monotonic() - self._died_at > RESTART_AFTER_S:
                self._spawn()

    def _spawn(self) -> None:
        with self._lock, self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, start_new_session=True, **self._how
            )
            self._died_at = None

    @staticmethod
    def _send(what: signal.Signals, pids: list[int]) -> None:
        for pid in pids:
            try:
                os.kill(pid, what)
            except ProcessLookupError:
                continue


class Deployment:
    """The services, where they are, and who looks after them."""

    def __init__(self, place: Path) -> None:
        self.port, self.db_port, redis_port = free_port(), free_port(), free_port()
        self.redis_url = f"redis://127.0.0.1:{redis_port}/0"
        self.environment = self._make_environment(place, redis_port)
        (place / "var").mkdir()
        self.db = self._make_db(place)
        self.redis = Service("redis", [*valkey_command(redis_port), *BOUNDED], place, cwd=place)
        self.place = place
        self.web = self._make_web("web", "config.wsgi:application", self.port)
        python = {"cwd": ROOT, "env": {**os.environ, **self.environment}}
        celery = [sys.executable, "-m", "celery", "--app", "config"]
        worker = [*celery, "worker", "--loglevel", "INFO", "--concurrency", "2"]
        self.worker = Service("worker", worker, place, **python)
        self.beat = Service("beat", [*celery, "beat", "--loglevel", "INFO"], place, **python)

    @property
    def services(self) -> tuple[Service, ...]:
        """All, in the order in which they start."""
        return self.db, self.redis, self.web, self.worker, self.beat

    def start(self) -> None:
        """Start everything, on an empty database with its days made."""
        self.db.start()
        self.redis.start()
        wait_for(self.is_db_up)
        wait_for(self._is_redis_up)
        _migrate(self.environment, self.owner_url)
        for service in (self.web, self.worker, self.beat):
            service.start()
        self.wait_until_ready()

    def wait_until_ready(self, timeout_s: float = START_TIMEOUT_S) -> float:
        """Come back when it serves with all its parts; how many seconds that took. Raises TimeoutError."""
        return wait_for(self._is_ready, timeout_s)

    def look_after(self, until: Event) -> None:
        """Start again what dies."""
        while not until.wait(LOOK_EVERY_S):
            for service in self.services:
                service.look_after()

    def stop(self) -> None:
        """End everything."""
        for service in reversed(self.services):
            service.stop()

    @property
    def owner_url(self) -> str:
        """The database as the owner of the tables sees it."""
        return self._db_url("postgres")

    def further_web(self, application: str, **variables: str) -> tuple[Service, int]:
        """Another web server beside the first, not started, which nobody looks after; and its port."""
        port = free_port()
        return self._make_web(f"web {port}", application, port, **variables), port

    def _make_web(self, name: str, application: str, port: int, **variables: str) -> Service:
        granian = [sys.executable, "-m", "granian", "--port", str(port), "--workers", "2", *GRANIAN]
        environment = {**os.environ, **self.environment, **variables}
        return Service(name, [*granian, application], self.place, cwd=ROOT, env=environment)

    def _make_environment(self, place: Path, redis_port: int) -> dict[str, str]:
        """The service's own, with limits that one client for thousands of players does not reach."""
        limits = dict.fromkeys(("READ", "WRITE", "JOIN", "LOGIN", "SOLVE", "GUESS"), NO_LIMIT)
        return {
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{redis_port}/1",
            "DATABASE_URL": self._db_url("service"),
            "DAYS_AHEAD": "1",  # the solver takes a second for each
            "DEMO": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "WARNING",
            "PROMETHEUS_MULTIPROC_DIR": str(place / "metrics"),
            "REDIS_URL": self.redis_url,
            "SECRET_KEY": secrets.token_urlsafe(48),
            "SERVICE_PASSWORD": secrets.token_urlsafe(24),
            "VAR_DIR": str(place / "var"),
        } | {f"THROTTLE_{scope}": limit for scope, limit in limits.items()}

    def _make_db(self, place: Path) -> Service:
        home = place / "db"
        home.mkdir()
        command, account = new_cluster(home)
        command += [f"--port={self.db_port}", "--listen_addresses=127.0.0.1"]
        return Service("db", command, place, cwd=home, **account)

    def _db_url(self, role: str) -> str:
        return f"postgres://{role}@127.0.0.1:{self.db_port}/postgres"

    def is_db_up(self) -> bool:
        """Whether PostgreSQL takes connections."""
        try:
            psycopg.connect(self.owner_url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _is_redis_up(self) -> bool:
        with redis.Redis.from_url(self.redis_url, socket_timeout=1) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def _is_ready(self) -> bool:
        try:
            answer = Client(self.port).ask("GET", "/readyz")
        except (OSError, HTTPException):
            return False
        return answer.status == 200 and not answer.document["degraded"]


@contextmanager
def deployment(minutes: float) -> Iterator[Deployment]:
    """Run one for at most so long; this process's environment and Django are set up to look into it.

    Whatever happens, Ctrl-C and SIGTERM too, ends it. Raises TimeoutError.
    """
    with TemporaryDirectory(prefix="pyramid-bench-", dir="/tmp") as folder, _bounded(minutes):
        place, is_over = Path(folder), Event()
        place.chmod(0o755)  # for the account that PostgreSQL runs as
        running = Deployment(place)
        keeper = Thread(target=running.look_after, args=[is_over])
        try:
            running.start()
            _set_up_django(running.environment)
            keeper.start()
            yield running
        except BaseException:
            _show_logs(running)
            raise
        finally:
            is_over.set()
            if keeper.ident:
                keeper.join()
            running.stop()


@contextmanager
def _bounded(minutes: float) -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TimeoutError(f"It is not done after {minutes:g} minutes.")

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 60 * minutes)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def wait_for(is_so: Callable[[], bool], timeout_s: float = START_TIMEOUT_S) -> float:
    """Come back when it is so; how many seconds that took. Raises TimeoutError."""
    begun = time.monotonic()
    while not is_so():
        if time.monotonic() - begun > timeout_s:
            raise TimeoutError(f"After {timeout_s:g} s it is still not so: {is_so}.")
        time.sleep(LOOK_EVERY_S)
    return time.monotonic() - begun


def load_averages() -> str:
    """How busy the machine has been, by the last 1, 5 and 15 minutes."""
    return " ".join(f"{figure:.1f}" for figure in os.getloadavg())


def _migrate(environment: dict[str, str], owner_url: str) -> None:
    """What the one-shot service of the compose file does, as the owner of the tables, and today's deal."""
    as_owner = {**os.environ, **environment, "DATABASE_URL": owner_url}
    subprocess.run([sys.executable, "-c", MIGRATE], check=True, cwd=ROOT, env=as_owner)


def _set_up_django(environment: dict[str, str]) -> None:
    os.environ.update(environment)
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR")  # what this process counts is nobody's business
    import django

    django.setup()


def _show_logs(running: Deployment, lines: int = 10) -> None:
    for service in running.services:
        if service.log.exists():
            last = [line[:160] for line in service.log.read_text().splitlines()[-lines:]]
            print(f"--- {service.name}", *last, sep="\n", file=sys.stderr)
