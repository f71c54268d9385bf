"""Requests a second and CPU of the service on PostgreSQL and Redis, beside a bare DRF view in the same run.

The bare view is Django's and DRF's own: the middleware of ``startproject``, token authentication, one query.

    python -m bench.http [--runs 100000] [--players 2000] [--rounds 5] [--workers 2] [--connections 8]

Starts PostgreSQL and Redis from the dev wheels (or takes ``DATABASE_URL`` and ``REDIS_URL``, whose CPU it
does not know), puts ``--runs`` runs on today's board, makes players with tokens and started attempts, serves
with granian, and sends bursts of each kind in turn, so that all meet the same machine.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from io import StringIO
from random import Random
from urllib.request import urlopen

from bench.cpu import used_s
from bench.load import Measured, burst, request
from tests.services import free_port, postgres, valkey

BOARD, TODAY = "/api/v1/challenges/today/leaderboard/", "/api/v1/challenges/today/"
DJANGO = "django.core.wsgi:get_wsgi_application", "--factory"
GOALS = {"bare view": 1.0, "start": 0.6, "submit": 0.6, "today 304": 1.0}
"""Requests a second beside the bare view; what is only read shall reach 0.9."""
HEAD = "req/s  ratio  goal    p50    p95    p99  CPU ms: web    db redis  answers"


@dataclass(frozen=True)
class Caller:
    """A player who has started, and a log to submit."""

    token: str
    attempt: str
    log: list[str]


@dataclass
class Field:
    """Who asks, and where the server is."""

    port: int
    bare_port: int
    callers: list[Caller]
    starters: list[str]
    """Tokens of players who have not started."""


@dataclass
class Cost(Measured):
    """A burst and the CPU seconds that each process used in it."""

    cpu_s: dict[str, float] = field(default_factory=dict)

    def cpu_ms(self, name: str) -> float:
        """Milliseconds of CPU a request, of one process and its children."""
        return 1000 * self.cpu_s.get(name, 0.0) / max(1, len(self.latencies_ms))


def main() -> None:
    """Measure and print."""
    options = _options()
    with ExitStack() as stack:
        pids = _enter_services(stack)
        callers, starters = _prepare(options.players, options.runs)
        server = stack.enter_context(_server(options.workers, "bench.settings", "config.wsgi:application"))
        bare = stack.enter_context(_server(options.workers, "bench.bare_settings", *DJANGO))
        pids |= {"web": server.pid, "bare": bare.pid}
        asked = Field(server.port, bare.port, callers, starters)
        costs = _measure(asked, pids, options.rounds, options.connections)
    _print(costs, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=2000, help="who start, submit and look once each")
    parser.add_argument("--runs", type=int, default=0, help="runs on the board beforehand")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=8)
    return parser.parse_args()


def _enter_services(stack: ExitStack) -> dict[str, int]:
    """Start what is not there yet; the process ids of what was started."""
    os.environ.update(DEMO="1", LOG_LEVEL="ERROR", DJANGO_SETTINGS_MODULE="bench.settings")
    pids = {}
    for name, variable, start in (("db", "DATABASE_URL", postgres), ("redis", "REDIS_URL", valkey)):
        if not os.environ.get(variable):
            server = stack.enter_context(start())
            os.environ[variable], pids[name] = server.url, server.process.pid
    return pids


def _prepare(players: int, runs: int) -> tuple[list[Caller], list[str]]:
    """Fill a new database with a field of runs, players who have started and others who have not."""
    import django
    from django.core.management import call_command

    django.setup()
    from bench.field import fill_board, make_guests, start_players

    call_command("migrate", verbosity=0)
    call_command("schedule_ahead", stdout=StringIO())
    fill_board(runs, Random(1))
    callers = [Caller(*started) for started in start_players(players, Random(2))]
    return callers, make_guests(players, Random(3))


@dataclass(frozen=True)
class Server:
    """A running web server."""

    port: int
    pid: int


@contextmanager
def _server(workers: int, settings: str, *target: str) -> Iterator[Server]:
    port, environment = free_port(), {**os.environ, "DJANGO_SETTINGS_MODULE": settings}
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws", "--port", str(port)]
    command += ["--workers", str(workers), "--blocking-threads", "4", "--workers-kill-timeout", "5"]
    process = subprocess.Popen([*command, *target], env=environment, start_new_session=True)
    try:
        _wait(port)
        yield Server(port, process.pid)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _wait(port: int) -> None:
    for _ in range(200):
        try:
            burst(port, [request("GET", "/healthz")], 1)
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


def _measure(asked: Field, pids: dict[str, int], rounds: int, connections: int) -> dict[str, Cost]:
    costs = {kind: Cost() for kind in KINDS}
    burst(asked.port, [request("GET", TODAY)] * 50, connections)
    for turn in range(rounds):
        share = replace(asked, callers=asked.callers[turn::rounds], starters=asked.starters[turn::rounds])
        for kind, make in KINDS.items():
            requests, port = make(share), asked.bare_port if kind == "bare view" else asked.port
            before = {name: used_s(pid) for name, pid in pids.items()}
            costs[kind].add(burst(port, requests, connections))
            for name, pid in pids.items():
                costs[kind].cpu_s[name] = costs[kind].cpu_s.get(name, 0.0) + used_s(pid) - before[name]
    return costs


def _bare(asked: Field) -> list[bytes]:
    return [request("POST", "/bare/", token=caller.token, body=b"{}") for caller in asked.callers]


def _start(asked: Field) -> list[bytes]:
    return [request("POST", f"{TODAY}attempts/", token=token, body=b"{}") for token in asked.starters]


def _submit(asked: Field) -> list[bytes]:
    return [
        request(
            "POST",
            f"/api/v1/attempts/{caller.attempt}/run/",
            token=caller.token,
            body=json.dumps({"log": caller.log}).encode(),
        )
        for caller in asked.callers
    ]


def _page(asked: Field) -> list[bytes]:
    return [request("GET", BOARD)] * len(asked.callers)


def _around_me(asked: Field) -> list[bytes]:
    return [request("GET", f"{BOARD}?around=me", token=caller.token) for caller in asked.callers]


def _my_standing(asked: Field) -> list[bytes]:
    return [request("GET", f"/api/v1/runs/{caller.attempt}/", token=caller.token) for caller in asked.callers]


def _today(asked: Field) -> list[bytes]:
    return [request("GET", TODAY)] * len(asked.callers)


def _today_304(asked: Field) -> list[bytes]:
    with urlopen(f"http://127.0.0.1:{asked.port}{TODAY}") as answer:
        condition = f"If-None-Match: {answer.headers['ETag']}\r\n"
    return [request("GET", TODAY, headers=condition)] * len(asked.callers)


KINDS: dict[str, Callable[[Field], list[bytes]]] = {
    "bare view": _bare,
    "start": _start,
    "submit": _submit,
    "page": _page,
    "around me": _around_me,
    "my standing": _my_standing,
    "today": _today,
    "today 304": _today_304,
}
"""The kinds of requests in the order of a round: who looks for a standing has submitted before."""


def _print(costs: dict[str, Cost], options: argparse.Namespace) -> None:
    load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg())
    print(f"{options.runs} runs on the board, {options.connections} connections; load averages {load}")
    print(f"{'':12} {HEAD:>75}")
    for kind, cost in costs.items():
        print(_line(kind, cost, costs["bare view"]))


def _line(kind: str, cost: Cost, bare: Cost) -> str:
    ratio, goal = cost.per_second / bare.per_second, GOALS.get(kind, 0.9)
    latencies = " ".join(f"{cost.percentile(share):6.1f}" for share in (0.5, 0.95, 0.99))
    web_ms = cost.cpu_ms("web") + cost.cpu_ms("bare")
    cpu = f"{web_ms:12.2f} {cost.cpu_ms('db'):5.2f} {cost.cpu_ms('redis'):5.2f}"
    return (
        f"{kind:12} {cost.per_second:7.0f} {ratio:6.2f} {goal:5.1f} {latencies} {cpu}  {dict(cost.statuses)}"
    )


if __name__ == "__main__":
    main()
