"""A worker and a beat as processes, on the test's own database and Redis."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from celery import Task
from celery.beat import PersistentScheduler
from django.db import connection

from config.celery import app
from daily.tasks import schedule_ahead
from leaderboard.tasks import finish_overdue, repair_index, settle_due
from web.tasks import clear_sessions

TASKS: tuple[Task[[], None], ...] = (
    schedule_ahead,
    finish_overdue,
    settle_due,
    repair_index,
    clear_sessions,
)
"""All that the service has, in an order in which each finds done what it needs."""
ROOT = Path(__file__).parents[2]
TIMEOUT_S = 60
POLL_S = 0.05


class Processes:
    """What was started, each in a session of its own so that it is killed with all its children."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.running: list[subprocess.Popen[bytes]] = []

    def start_worker(self, *, concurrency: int = 2) -> subprocess.Popen[bytes]:
        """Start a worker. What is queued already it does as soon as it is up."""
        return self._start(
            "worker", "--concurrency", str(concurrency), "--without-mingle", "--without-gossip"
        )

    def start_beat(self, *, last_run_at: datetime) -> subprocess.Popen[bytes]:
        """Start a beat that was last up at this moment: what was missed since it asks for once, at once."""
        schedule = self.place / "celerybeat-schedule"
        _write_schedule(schedule, last_run_at)
        return self._start("beat", "--schedule", str(schedule), "--pidfile", "")

    def _start(self, command: str, *options: str) -> subprocess.Popen[bytes]:
        celery = [sys.executable, "-m", "celery", "--app", "config", "--skip-checks"]
        line = [*celery, command, "--loglevel", "INFO", *options]
        with self.log_path.open("ab") as log:
            process = subprocess.Popen(
                line, cwd=ROOT, env=environment(self.place), stdout=log, stderr=log, start_new_session=True
            )
        self.running.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End it and its children as a power cut would."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.running.remove(process)

    def wait_until[T](self, found: Callable[[], T]) -> T:
        """Come back with the first true answer; the logs tell why there was none in time."""
        deadline = time.monotonic() + TIMEOUT_S
        while not (answer := found()):
            assert time.monotonic() < deadline, self.log
            assert all(process.poll() is None for process in self.running), self.log
            time.sleep(POLL_S)
        return answer

    @property
    def log(self) -> str:
        """What they all have said so far."""
        return self.log_path.read_text()

    @property
    def log_path(self) -> Path:
        return self.place / "processes.log"


def environment(place: Path) -> dict[str, str]:
    """The tests' own, on the test's database, on a machine whose clock shows another zone's time."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    elsewhere = {"TZ": "Pacific/Chatham", "VAR_DIR": str(place), "LOG_LEVEL": "INFO"}
    return {**os.environ, "DATABASE_URL": database.geturl(), **elsewhere}


def _write_schedule(path: Path, last_run_at: datetime) -> None:
    scheduler = PersistentScheduler(app, schedule_filename=str(path), lazy=True)
    scheduler.setup_schedule()
    for entry in scheduler.schedule.values():
        entry.last_run_at = last_run_at
    scheduler.close()


def children_of(process: subprocess.Popen[bytes]) -> list[int]:
    """The process ids of a worker's pool."""
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def held_up() -> int:
    """How many database sessions wait for a lock of this one."""
    is_ours = "pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    return _count(f"SELECT count(*) FROM pg_locks WHERE NOT granted AND {is_ours}")


def locks_of_others() -> int:
    """How many locks other sessions hold or wait for in this database."""
    databases = "SELECT oid FROM pg_database WHERE datname = current_database()"
    return _count(f"SELECT count(*) FROM pg_locks WHERE database = ({databases}) AND pid <> pg_backend_pid()")


def _count(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


@pytest.fixture
def processes(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    """Ends what the test started before its database is emptied."""
    started = Processes(tmp_path)
    try:
        yield started
    finally:
        for process in list(started.running):
            started.kill(process)
