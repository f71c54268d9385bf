"""Requests a second of the service on PostgreSQL and Redis, beside a bare DRF view in the same run.

    python -m bench.http [--players 2000] [--runs 0] [--workers 2] [--rounds 5]

Starts PostgreSQL and Redis from the dev wheels (or takes ``DATABASE_URL`` and ``REDIS_URL``), makes players
with tokens and started attempts, serves with granian, and sends bursts of each kind in turn, so that all meet
the same machine. ``--runs`` puts so many runs on today's board beforehand.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from random import Random

from bench.load import Measured, burst, request
from tests.services import free_port, postgres, valkey

KINDS = ("bare view", "submit", "board page", "around me", "today", "today 304")


def main() -> None:
    """Measure and print."""
    options = _options()
    with ExitStack() as stack:
        _enter_services(stack)
        players = _prepare(options.players, options.runs)
        server = stack.enter_context(_server(options.workers))
        measured = _measure(server, players, options.rounds, options.connections)
    _print(measured)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=2000, help="who submit once each")
    parser.add_argument("--runs", type=int, default=0, help="runs on the board beforehand")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=8)
    return parser.parse_args()


def _enter_services(stack: ExitStack) -> None:
    os.environ.update(DEMO="1", LOG_LEVEL="ERROR", DJANGO_SETTINGS_MODULE="bench.settings")
    for name, server in (("DATABASE_URL", postgres), ("REDIS_URL", valkey)):
        if not os.environ.get(name):
            os.environ[name] = stack.enter_context(server()).url


def _prepare(players: int, runs: int) -> list[tuple[str, str, list[str]]]:
    """Fill a new database with a field of runs, and players: token, started attempt and a log for each."""
    import django
    from django.core.management import call_command

    django.setup()
    from bench.field import fill_board, start_players

    call_command("migrate", verbosity=0)
    call_command("schedule_ahead", stdout=StringIO())
    fill_board(runs, Random(1))
    return start_players(players, Random(2))


@contextmanager
def _server(workers: int) -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws", "--port", str(port)]
    command += ["--workers", str(workers), "--blocking-threads", "4", "--workers-kill-timeout", "5"]
    process = subprocess.Popen([*command, "config.wsgi:application"], start_new_session=True)
    try:
        _wait(port)
        yield port
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _wait(port: int) -> None:
    for _ in range(200):
        try:
            if burst(port, [request("GET", "/readyz")], 1).statuses[200]:
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


def _measure(
    port: int, players: list[tuple[str, str, list[str]]], rounds: int, connections: int
) -> dict[str, Measured]:
    measured = {kind: Measured() for kind in KINDS}
    burst(port, [request("GET", "/api/v1/challenges/today/")] * 50, connections)
    for turn in range(rounds):
        share = players[turn::rounds]
        for kind in KINDS:
            measured[kind].add(burst(port, _requests(kind, share, port), connections))
    return measured


def _requests(kind: str, players: list[tuple[str, str, list[str]]], port: int) -> list[bytes]:
    board, today = "/api/v1/challenges/today/leaderboard/", "/api/v1/challenges/today/"
    match kind:
        case "bare view":
            return [request("POST", "/bare/", token=token, body=b"{}") for token, _, _ in players]
        case "submit":
            return [
                request(
                    "POST",
                    f"/api/v1/attempts/{attempt}/run/",
                    token=token,
                    body=json.dumps({"log": log}).encode(),
                )
                for token, attempt, log in players
            ]
        case "board page":
            return [request("GET", board)] * len(players)
        case "around me":
            return [request("GET", f"{board}?around=me", token=token) for token, _, _ in players]
        case "today 304":
            return [request("GET", today, headers=f"If-None-Match: {_etag(port, today)}\r\n")] * len(players)
        case _:
            return [request("GET", today)] * len(players)


def _etag(port: int, path: str) -> str:
    from urllib.request import urlopen

    with urlopen(f"http://127.0.0.1:{port}{path}") as answer:
        return str(answer.headers["ETag"])


def _print(measured: dict[str, Measured]) -> None:
    bare = measured["bare view"].per_second
    print(f"{'':12} {'req/s':>8} {'ratio':>6} {'p50 ms':>7} {'p95 ms':>7} {'p99 ms':>7}  answers")
    for kind, figures in measured.items():
        p50, p95, p99 = (figures.percentile(share) for share in (0.5, 0.95, 0.99))
        ratio, answers = figures.per_second / bare, dict(figures.statuses)
        print(f"{kind:12} {figures.per_second:8.0f} {ratio:6.2f} {p50:7.1f} {p95:7.1f} {p99:7.1f}  {answers}")


if __name__ == "__main__":
    main()
