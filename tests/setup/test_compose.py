"""What docker-compose.yml and the Dockerfile say, done without Docker.

The image's folder is laid out by the Dockerfile's COPY lines; then migrate, web, worker and beat run with the
command lines, the environment and the health checks of the compose file against a PostgreSQL and a Valkey of
our own. Only addresses and paths are exchanged.
"""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import yaml
from psycopg import sql

from tests.services import free_port, postgres, valkey

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
CHOSEN = {
    "SECRET_KEY": "not-the-one-of-any-deployment-" + "0123456789abcdef" * 2,
    "POSTGRES_PASSWORD": "apassword",
    "SERVICE_PASSWORD": "another",
    "ALLOWED_HOSTS": "pyramid.example",
}
READY_TIMEOUT_S = 60
NOT_PACKED = [f"--ignore={folder}" for folder in ("admin", "drf_spectacular_sidecar", "rest_framework")]
"""Files that nobody here asks for, and that take long to pack; test_static_files collects them."""

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


def interpolate(value: Any, chosen: dict[str, str]) -> Any:
    """Fill in ``${NAME:?why}`` and ``${NAME:-default}`` as compose does; raises KeyError with why."""
    if isinstance(value, dict):
        return {key: interpolate(item, chosen) for key, item in value.items()}
    if isinstance(value, list):
        return [interpolate(item, chosen) for item in value]
    if not isinstance(value, str):
        return value

    def fill(match: re.Match[str]) -> str:
        name, operator, rest = match.groups()
        if name not in chosen and operator == ":?":
            raise KeyError(rest)
        return chosen.get(name, rest)

    return re.sub(r"(?<!\$)\$\{(\w+)(:[-?])([^}]*)\}", fill, value).replace("$$", "$")


@dataclass(frozen=True)
class Deployment:
    """The image's folder and the environment of each service, with addresses that exist here."""

    app: Path
    var: Path
    database: Path
    """Where PostgreSQL listens."""
    exchange: dict[str, str]

    @property
    def services(self) -> dict[str, Any]:
        services: dict[str, Any] = interpolate(COMPOSE["services"], CHOSEN)
        return services

    def environment(self, service: str) -> dict[str, str]:
        """The image's own environment and then the service's."""
        set_here = {name: value for name, value in self.services[service]["environment"].items() if value}
        values = {
            **image_environment(),
            **set_here,
            **self.exchange,
            "DATABASE_URL": self.database_url(service),
        }
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        here = {"VAR_DIR": str(self.var), "PROMETHEUS_MULTIPROC_DIR": str(self.var / f"{service}-metrics")}
        return {**values, **here, "PATH": path, "HOSTNAME": socket.gethostname()}

    def database_url(self, service: str) -> str:
        """The service's own, with the address exchanged."""
        url: str = self.services[service]["environment"]["DATABASE_URL"]
        return url.replace("@db:5432/pyramid", f"@/pyramid?host={self.database}")

    def command(self, service: str) -> list[str]:
        """The service's command line, or the image's."""
        own: list[str] | None = self.services[service].get("command")
        return own or image_list(r"^CMD (\[.*\])$")

    def health_check(self, service: str) -> list[str]:
        """The service's health check, or the image's, as a command line."""
        own: list[str] | None = self.services[service].get("healthcheck", {}).get("test")
        kind, *rest = own or ["CMD", *image_list(r"^    CMD (\[.*\])$")]
        command = ["/bin/sh", "-c", *rest] if kind == "CMD-SHELL" else rest
        return [part.replace("/var/lib/pyramid", str(self.var)) for part in command]

    def call(self, service: str, command: list[str]) -> subprocess.CompletedProcess[str]:
        """Run a command in this service's surroundings to its end."""
        return subprocess.run(
            command, cwd=self.app, env=self.environment(service), capture_output=True, text=True, check=False
        )

    def start(self, service: str) -> subprocess.Popen[bytes]:
        """Start a service, its output going to its log."""
        command, environment = self.command(service), self.environment(service)
        with (self.var / f"{service}.log").open("wb") as log:
            return subprocess.Popen(command, cwd=self.app, env=environment, stdout=log, stderr=log)

    def log(self, service: str) -> str:
        return (self.var / f"{service}.log").read_text()


def dockerfile(pattern: str) -> str:
    """The one place in the Dockerfile that looks like this."""
    [found] = re.findall(pattern, DOCKERFILE, re.MULTILINE)
    return str(found)


def image_list(pattern: str) -> list[str]:
    """The command line at the one place in the Dockerfile that looks like this."""
    parts: list[str] = json.loads(dockerfile(pattern))
    return parts


def image_environment() -> dict[str, str]:
    """The final stage's ENV."""
    block = DOCKERFILE.rpartition("FROM ")[2]
    assignments = re.search(r"^ENV ((?:.*\\\n)*.*)$", block, re.MULTILINE)
    assert assignments
    return dict(part.split("=", 1) for part in shlex.split(assignments[1].replace("\\\n", " ")))


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """The image built and migrated, with a database and a Redis beside it."""
    app, var = tmp_path_factory.mktemp("app"), tmp_path_factory.mktemp("var")
    for line in re.findall(r"^COPY (?!--)(.*)$", DOCKERFILE, re.MULTILINE):
        *sources, target = line.split()
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, app / target)
            else:
                shutil.copy(ROOT / source, app / target)
    with postgres() as database, valkey() as index:
        home = Path(database.url.partition("host=")[2])
        make_database(database.url, home)
        exchange = {
            "REDIS_URL": index.url,
            "CELERY_BROKER_URL": index.url.removesuffix("0") + "1",
            "GRANIAN_HOST": "127.0.0.1",
            "GRANIAN_PORT": str(free_port()),
        }
        built = Deployment(app, var, home, exchange)
        collect = re.sub(
            r"\.venv/bin/", "", dockerfile(r"(\.venv/bin/python manage\.py collectstatic [^\\]*)")
        )
        for command in ([*shlex.split(collect), *NOT_PACKED], built.command("migrate")):
            done = built.call("migrate", command)
            assert done.returncode == 0, done.stderr
        yield built


def make_database(url: str, home: Path) -> None:
    """What the image of PostgreSQL makes of its environment; then every log-in takes its password."""
    environment = interpolate(COMPOSE["services"]["db"]["environment"], CHOSEN)
    user, name = environment["POSTGRES_USER"], environment["POSTGRES_DB"]
    with psycopg.connect(url, autocommit=True) as connection:
        password = sql.Literal(environment["POSTGRES_PASSWORD"])
        make = sql.SQL("CREATE ROLE {} SUPERUSER LOGIN PASSWORD {}").format(sql.Identifier(user), password)
        connection.execute(make)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        connection.execute(
            sql.SQL("COPY (VALUES ('local all all scram-sha-256')) TO {}").format(
                sql.Literal(str(home / "data" / "pg_hba.conf"))
            )
        )
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture(scope="module")
def running(deployment: Deployment) -> Iterator[Deployment]:
    """The deployment with web, worker and beat up, each healthy by its own check; each stops when told to."""
    processes = {name: deployment.start(name) for name in ("web", "worker", "beat")}
    try:
        for name, process in processes.items():
            wait_until_healthy(deployment, name, process)
        yield deployment
    finally:
        for process in processes.values():
            process.terminate()
        ended = {name: process.wait(timeout=15) for name, process in processes.items()}
    assert ended == dict.fromkeys(processes, 0)


def wait_until_healthy(deployment: Deployment, service: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while (check := deployment.call(service, deployment.health_check(service))).returncode != 0:
        assert process.poll() is None, deployment.log(service)
        assert time.monotonic() < deadline, check.stderr + deployment.log(service)
        time.sleep(0.2)


def get(deployment: Deployment, path: str, **headers: str) -> httpx.Response:
    """Ask web as the proxy in front of it would."""
    return send(deployment, "GET", path, **headers)


def send(deployment: Deployment, method: str, path: str, json: Any = None, **headers: str) -> httpx.Response:
    """The same with another method and a body."""
    forwarded = {"Host": "pyramid.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    url = f"http://127.0.0.1:{deployment.exchange['GRANIAN_PORT']}{path}"
    return httpx.request(method, url, json=json, headers=forwarded | headers, timeout=10)


@pytest.mark.parametrize("name", CHOSEN)
def test_no_deployment_starts_without_choosing(name: str) -> None:
    chosen = {key: value for key, value in CHOSEN.items() if key != name}
    with pytest.raises(KeyError, match=name):
        interpolate(COMPOSE, chosen)


def test_the_services_reach_each_other_under_their_names(deployment: Deployment) -> None:
    environment = deployment.services["web"]["environment"]
    assert environment["DATABASE_URL"] == "postgres://service:another@db:5432/pyramid"
    assert environment["REDIS_URL"].startswith("redis://redis:6379/")
    assert environment["CELERY_BROKER_URL"].startswith("redis://redis:6379/")


def test_every_setting_reaches_the_containers() -> None:
    read = re.findall(r'(?:env\.\w+|_service_url)\(\s*"(\w+)"', (ROOT / "config" / "settings.py").read_text())
    never_there = {"DEBUG", "DEMO"}
    by_image = {"VAR_DIR", "PROMETHEUS_MULTIPROC_DIR"}
    assert by_image < set(image_environment())
    assert set(read) - never_there == set(COMPOSE["services"]["web"]["environment"]) | by_image


def test_only_the_proxy_is_reached_from_outside_and_by_its_configuration() -> None:
    services = COMPOSE["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    port = services["proxy"]["ports"][0].rpartition(":")[2]
    [mounted] = services["proxy"]["volumes"]
    source, target, mode = mounted.split(":")
    assert (target, mode) == ("/etc/nginx/nginx.conf", "ro")
    config = (ROOT / source).read_text()
    assert f"listen {port};" in config
    assert f"set $web web:{image_environment()['GRANIAN_PORT']};" in config
    assert port in " ".join(services["proxy"]["healthcheck"]["test"])


@pytest.mark.parametrize("service", ["web", "worker", "beat"])
def test_a_health_check_fails_while_its_service_is_down(
    service: str, deployment: Deployment, tmp_path: Path
) -> None:
    port = str(free_port())
    nowhere = {"GRANIAN_PORT": port, "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0"}
    down = replace(deployment, var=tmp_path, exchange=deployment.exchange | nowhere)
    assert down.call(service, down.health_check(service)).returncode != 0


def test_web_serves_the_day_and_its_pages_with_their_static_files(running: Deployment) -> None:
    assert get(running, "/api/v1/challenges/today/").status_code == 200
    assert get(running, "/admin/login/").headers["Location"].startswith("/account/login/")
    page = get(running, "/account/login/")
    assert page.status_code == 200
    [style] = re.findall(r'href="(/static/web/site\.[0-9a-f]+\.css)"', page.text)
    assert get(running, style).headers["Cache-Control"] == "max-age=315360000, public, immutable"


def test_web_speaks_the_protocol_that_the_proxy_speaks_and_no_other(running: Deployment) -> None:
    """Whose framing the proxy does not know, it cannot check."""
    address = ("127.0.0.1", int(running.exchange["GRANIAN_PORT"]))
    with socket.create_connection(address, timeout=10) as client:
        client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0")
        assert not client.recv(100)


def test_web_sends_plain_http_to_https_but_for_health_checks(running: Deployment) -> None:
    plain = {"X-Forwarded-Proto": "http"}
    assert (
        get(running, "/api/v1/rules/", **plain).headers["Location"] == "https://pyramid.example/api/v1/rules/"
    )
    assert get(running, "/readyz", **plain).status_code == 200


def test_web_refuses_a_host_it_does_not_go_by(running: Deployment) -> None:
    assert get(running, "/api/v1/rules/", Host="elsewhere.example").status_code == 400


def test_web_logs_each_request_as_one_json_object(running: Deployment) -> None:
    answer = get(running, "/api/v1/rules/")
    lines = [line for line in running.log("web").splitlines() if line.startswith("{")]
    assert [line for line in lines if json.loads(line).get("request_id") == answer.headers["X-Request-ID"]]


def test_whichever_process_is_asked_for_metrics_tells_of_all(running: Deployment) -> None:
    counter, asked = 'pyramid_requests_total{status="4xx",view="none"}', 40
    before = told(running, counter)
    for _ in range(asked):
        assert get(running, "/api/v1/games-that-are-none/").status_code == 404
    assert {told(running, counter) for _ in range(20)} == {before + asked}
    assert len(list((running.var / "web-metrics").glob("counter_*.db"))) == 2
    assert get(running, "/metrics").status_code == 403


def told(running: Deployment, sample: str) -> float:
    """What a scraper beside the deployment reads of a sample."""
    page = httpx.get(f"http://127.0.0.1:{running.exchange['GRANIAN_PORT']}/metrics", timeout=10).text
    return sum(float(line.rpartition(" ")[2]) for line in page.splitlines() if line.startswith(sample))


def test_the_worker_makes_the_days_it_is_asked_for(running: Deployment) -> None:
    with psycopg.connect(running.database_url("migrate"), autocommit=True) as connection:
        connection.execute("TRUNCATE daily_challenge CASCADE")
        command = ["celery", "--app", "config", "call", "daily.tasks.schedule_ahead"]
        assert running.call("worker", command).returncode == 0
        deadline = time.monotonic() + READY_TIMEOUT_S
        while connection.execute("SELECT count(*) FROM daily_challenge").fetchone() != (8,):
            assert time.monotonic() < deadline, running.log("worker")
            time.sleep(0.05)
    while told(running, 'pyramid_task_work_total{task="schedule_ahead"}') < 8:
        assert time.monotonic() < deadline, running.log("worker")
        time.sleep(0.05)


@pytest.mark.parametrize("service", ["web", "worker", "beat"])
def test_only_migrations_know_the_owner_of_the_tables(service: str, deployment: Deployment) -> None:
    assert CHOSEN["POSTGRES_PASSWORD"] in deployment.environment("migrate")["DATABASE_URL"]
    assert CHOSEN["POSTGRES_PASSWORD"] not in "".join(deployment.environment(service).values())


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE daily_run",
        "TRUNCATE daily_run CASCADE",
        "ALTER TABLE daily_run ADD COLUMN extra int",
        "ALTER TABLE daily_challenge DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        "CREATE TABLE extra (id int)",
    ],
)
def test_the_role_that_serves_changes_no_table(statement: str, deployment: Deployment) -> None:
    refused = pytest.raises(psycopg.errors.InsufficientPrivilege)
    with psycopg.connect(deployment.database_url("web")) as connection, refused:
        connection.execute(statement)


def test_migrating_again_is_right(deployment: Deployment) -> None:
    again = deployment.call("migrate", deployment.command("migrate"))
    assert (again.returncode, again.stdout.splitlines()[-1]) == (0, "service may serve.")


def test_a_player_does_everything_by_the_role_that_serves(running: Deployment) -> None:
    token = send(running, "POST", "/api/v1/players/").json()["token"]

    def me(method: str, path: str, body: Any = None) -> Any:
        answer = send(running, method, f"/api/v1/{path}", body, Authorization=f"Bearer {token}")
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    attempt = me("POST", "challenges/today/attempts/")["id"]
    me("PUT", f"attempts/{attempt}/checkpoint/", {"log": ["D"]})
    me("POST", f"attempts/{attempt}/run/", {"log": ["D", "D"]})
    assert me("GET", "challenges/today/leaderboard/?around=me")["me"]["rank"] >= 1
    league = me("POST", "leagues/", {"name": "Sunday Solvers"})["code"]
    me("DELETE", f"leagues/{league}/")
    me("PUT", "me/account/", {"email": "ann@pyramid.example", "password": "seven silent swans"})
    me("POST", "me/tokens/", {"label": "phone"})
    me("GET", "me/export/")
    me("DELETE", "me/", {"current_password": "seven silent swans"})


def test_an_admin_is_made_by_the_role_that_serves(running: Deployment) -> None:
    make = ["python", "manage.py", "createsuperuser", "--no-input", "--name", "keeper"]
    made = replace(running, exchange={**running.exchange, "DJANGO_SUPERUSER_PASSWORD": "seven silent swans"})
    done = made.call("web", make)
    assert done.returncode == 0, done.stderr


def test_every_cookie_is_for_this_host_over_https_only(running: Deployment) -> None:
    asked = get(running, "/account/new/")
    token = asked.cookies["__Host-csrftoken"]
    headers = {
        "X-CSRFToken": token,
        "Cookie": f"__Host-csrftoken={token}",
        "Referer": "https://pyramid.example/",
    }
    became = send(running, "POST", "/guests/", **headers)
    assert became.status_code in (204, 302), became.text
    cookies = [*asked.headers.get_list("Set-Cookie"), *became.headers.get_list("Set-Cookie")]
    assert len(cookies) >= 3
    for cookie in cookies:
        name, *attributes = cookie.split("; ")
        assert name.startswith("__Host-"), cookie
        assert {"Secure", "Path=/", "SameSite=Lax"} <= set(attributes), cookie
        assert not cookie.startswith("__Host-sessionid") or "HttpOnly" in attributes
