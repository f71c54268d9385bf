"""An upgrade without a pause: the new version's migrations run first, so the old version runs on for a while.

What the migrations since the last version may do is checked by itself; then the last version is taken out of
git, where it is at hand, and both versions serve the same players on the new schema.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from django.db import migrations, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from tests.services import free_port, postgres, valkey

ROOT = Path(__file__).parents[2]
LAST_VERSION = "21d85cdd5a99d5e2848e116f1458a2faa4e3fdbe"
"""The commit that runs where this version will be taken to. Move it, and what follows, at each release."""
LAST_MIGRATIONS = {"players": "0002_accounts", "daily": "0005_turnout", "leaderboard": "0002_expulsion"}
EXAMINED: dict[tuple[str, str], str] = {}
"""Migrations that run code of their own, each with why the last version does not mind."""
READY_TIMEOUT_S = 60

HARMLESS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.AlterModelManagers,
    migrations.AlterModelOptions,
)


# --- What a migration may do


def new_migrations() -> Iterator[Migration]:
    """Our migrations that the last version does not have."""
    loader = MigrationLoader(None)
    for room, last in LAST_MIGRATIONS.items():
        known = set(loader.graph.forwards_plan((room, last)))
        for key, migration in sorted(loader.disk_migrations.items()):
            if key[0] == room and key not in known:
                yield migration


def refused(found: list[Migration]) -> list[str]:
    """What these migrations do that the last version may stumble over."""
    made = {
        (migration.app_label, operation.name_lower)
        for migration in found
        for operation in migration.operations
        if isinstance(operation, migrations.CreateModel)
    }
    return [
        f"{migration.app_label}.{migration.name}: {operation.describe()}"
        for migration in found
        for operation in migration.operations
        if (migration.app_label, migration.name) not in EXAMINED
        and (migration.app_label, str(getattr(operation, "model_name", "")).lower()) not in made
        and not is_additive(operation)
    ]


def is_additive(operation: Operation) -> bool:
    """Whether code that knows nothing of it can go on reading and writing."""
    if isinstance(operation, migrations.AddField):
        return is_left_out_safely(operation.field)
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return all(map(is_additive, operation.database_operations))
    return isinstance(operation, HARMLESS)


def is_left_out_safely(field: models.Field[object, object]) -> bool:
    """Whether a row can be inserted by who does not name this column. A default of Django's is not enough."""
    return field.null or field.has_db_default() or field.generated or field.many_to_many is True


def test_the_migrations_since_the_last_version_only_add() -> None:
    assert refused(list(new_migrations())) == []


def test_the_last_version_is_named_by_migrations_that_there_are() -> None:
    loader = MigrationLoader(None)
    assert set(LAST_MIGRATIONS.items()) <= loader.disk_migrations.keys()
    assert {app for app, _ in EXAMINED} <= LAST_MIGRATIONS.keys()


ADDS = [
    migrations.CreateModel("League", [("id", models.BigAutoField(primary_key=True))]),
    migrations.AddField("run", "note", models.TextField(null=True)),
    migrations.AddField("run", "remark", models.TextField(db_default="")),
    migrations.AddIndex("run", models.Index(fields=["won"], name="run_won")),
    migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("run", "won")]),
]
MORE_THAN_ADDS = [
    migrations.AddField("run", "note", models.TextField(default="")),
    migrations.RemoveField("run", "won"),
    migrations.RenameField("run", "won", "cleared_all"),
    migrations.AlterField("run", "won", models.IntegerField()),
    migrations.DeleteModel("Look"),
    migrations.RenameModel("Look", "Glance"),
    migrations.AddConstraint("run", models.CheckConstraint(condition=models.Q(moves__gt=0), name="moved")),
    migrations.RunSQL("DROP TABLE daily_look"),
    migrations.RunPython(migrations.RunPython.noop),
    migrations.SeparateDatabaseAndState([migrations.RemoveField("run", "won")]),
]


def one_migration(*operations: Operation) -> Migration:
    written = type("Migration", (Migration,), {"operations": operations})
    made: Migration = written("0099_a_test", "daily")
    return made


@pytest.mark.parametrize("operation", ADDS, ids=lambda operation: operation.describe())
def test_what_only_adds_is_taken(operation: Operation) -> None:
    assert refused([one_migration(operation)]) == []


@pytest.mark.parametrize("operation", MORE_THAN_ADDS, ids=lambda operation: operation.describe())
def test_what_does_more_than_add_is_refused(operation: Operation) -> None:
    assert len(refused([one_migration(operation)])) == 1


def test_a_table_that_is_new_itself_may_be_shaped_at_will() -> None:
    making = migrations.CreateModel("Prize", [("id", models.BigAutoField(primary_key=True))])
    shaping = migrations.AddField("Prize", "note", models.TextField())
    assert refused([one_migration(making, shaping)]) == []


# --- Both versions at once


@pytest.fixture(scope="module")
def last_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The last version's code."""
    place = tmp_path_factory.mktemp("last-version")
    archive = subprocess.run(["git", "archive", LAST_VERSION], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip(f"the last version, {LAST_VERSION}, is not in this clone")
    subprocess.run(["tar", "-x", "-C", place], input=archive.stdout, check=True)
    return place


@contextmanager
def serving(code: Path, environment: dict[str, str]) -> Iterator[httpx.Client]:
    """A client of this version."""
    port = free_port()
    serve = ["granian", "--interface", "wsgi", "--no-ws", "--port", str(port), "--workers-kill-timeout", "2"]
    command = [sys.executable, "-m", *serve, "--log-level", "error", "config.wsgi:application"]
    with subprocess.Popen(command, cwd=code, env=environment) as process:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                wait_until_ready(client, process)
                yield client
        finally:
            process.terminate()


def wait_until_ready(client: httpx.Client, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while True:
        try:
            if client.get("/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.postgres
@pytest.mark.redis
def test_the_last_version_and_this_one_serve_the_same_players(last_version: Path, tmp_path: Path) -> None:
    with postgres() as database, valkey() as index:
        urls = {"DATABASE_URL": database.url, "REDIS_URL": index.url}
        here = {"DEMO": "1", "VAR_DIR": str(tmp_path), "LOG_LEVEL": "WARNING", "DAYS_AHEAD": "1"}
        environment = os.environ | urls | here
        manage(ROOT, environment, "migrate", "--verbosity=0")
        for code in (last_version, ROOT):
            manage(code, environment, "schedule_ahead")
        with serving(last_version, environment) as old, serving(ROOT, environment) as new:
            players = [player for joining in (old, new) for player in play(joining, old, new)]
            for client in (old, new):
                board = client.get("/api/v1/challenges/today/leaderboard/").json()
                assert {row["player"] for row in board["results"]} == set(players)
        for code in (last_version, ROOT):
            manage(code, environment, "shell", "-c", TASKS)


TASKS = """
from daily.tasks import schedule_ahead
from leaderboard.tasks import finish_overdue, repair_index, settle_due
for task in (schedule_ahead, finish_overdue, settle_due, repair_index):
    task()
"""


def manage(code: Path, environment: dict[str, str], *arguments: str) -> None:
    """Django's command line of this version."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=code, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def play(joining: httpx.Client, old: httpx.Client, new: httpx.Client) -> Iterator[str]:
    """Two players who join at one version; each plays at both, the one this way round, the other that way."""
    for first, second in ((old, new), (new, old)):
        joined = joining.post("/api/v1/players/").raise_for_status().json()
        headers = {"Authorization": f"Bearer {joined['token']}"}
        begun = first.post("/api/v1/challenges/today/attempts/", headers=headers).raise_for_status().json()
        attempt = f"/api/v1/attempts/{begun['id']}/"
        second.put(attempt + "checkpoint/", json={"log": ["D"]}, headers=headers).raise_for_status()
        run = second.post(attempt + "run/", json={"log": ["D", "D"]}, headers=headers)
        assert run.status_code == 201
        again = first.post(attempt + "run/", json={"log": ["D", "D"]}, headers=headers)
        assert (again.status_code, again.json()["standing"]) == (200, run.json()["standing"])
        yield first.get("/api/v1/me/", headers=headers).raise_for_status().json()["name"]
