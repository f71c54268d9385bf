"""Redis may die, freeze or lose what it has; PostgreSQL may stop and come back. How long anybody notices.

    python -m bench.faults [--players 24] [--outage 6] [--minutes 15] [NAME ...]

During each fault of Redis so many players start and submit, each of which has to be done within a second,
and every board and page has to be right at once; afterwards the index has to be whole and the worker at work
within a minute. Without PostgreSQL every call has to be refused within two seconds, as a problem that tells
when to try again; full service has to be back within five seconds of its return. Nobody restarts anything.
``NAME`` picks faults. Ends with 1 where a promise is broken.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from random import Random
from typing import Any

import redis

from bench.client import NO_ANSWER, Answer, Client, Crowd
from bench.service import Deployment, deployment, load_averages, wait_for
from bench.stories import API, Journal, Story, join, log_for

CLIENTS = 8
MOST_S, REFUSED_S, BACK_S = 1.0, 2.0, 5.0
FROZEN_S = 20.0
"""How long a call may hang on a PostgreSQL that is frozen: its longest statement, and a new connection."""
WORKER_BACK_S = 62.0
"""A beat a minute, and the moment it takes."""
RESTARTS = 5
CALLS = (
    ("POST", f"{API}/challenges/today/attempts/"),
    ("POST", f"{API}/attempts/00000000-0000-4000-8000-000000000000/run/"),
    ("GET", f"{API}/challenges/today/leaderboard/"),
    ("GET", f"{API}/challenges/today/leaderboard/?around=me"),
    ("GET", f"{API}/challenges/today/"),
    ("GET", f"{API}/leaderboards/all-time/"),
    ("GET", f"{API}/players/me/"),
    ("GET", "/readyz"),
)
"""What is tried while PostgreSQL is away."""


@dataclass
class Outcome:
    """What came of a fault: figures, and what was not as promised."""

    name: str
    figures: dict[str, float] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def note(self, what: str, seconds: float, most_s: float) -> None:
        """Add a figure, which is to be no more than so much."""
        self.figures[what] = seconds
        if seconds > most_s:
            self.broken.append(f"{what} took {seconds:.2f} s, more than {most_s:g} s")

    def __str__(self) -> str:
        figures = ", ".join(f"{what} {seconds:.2f} s" for what, seconds in self.figures.items())
        return "\n  ".join([f"{self.name}: {figures}", *self.broken])


@dataclass
class Bench:
    """What is hurt, and by whom it is noticed."""

    service: Deployment
    crowd: Crowd
    journal: Journal
    rng: Random
    players: int
    outage_s: float

    def play(self, outcome: Outcome, *, most_s: float | None = MOST_S) -> None:
        """Let new players start and submit once, in so much time. Anything else is a broken promise."""
        stories = self.crowd.map(lambda client, _: join(client, self.journal), range(self.players))
        starts = self.crowd.map(partial(self._start, outcome), stories)
        submits = self.crowd.map(partial(self._submit, outcome), stories)
        for what, seconds in (("start", starts), ("submit", submits)):
            outcome.note(f"slowest {what}", max(seconds), most_s or max(seconds))

    def _start(self, outcome: Outcome, client: Client, story: Story) -> float:
        answer = client.ask("POST", f"{API}/challenges/today/attempts/", token=story.token, body={})
        if _accepted(answer, outcome):
            story.attempt = answer.document
        return answer.seconds

    def _submit(self, outcome: Outcome, client: Client, story: Story) -> float:
        log = log_for(story, self.rng)
        path = f"{API}/attempts/{story.attempt['id']}/run/"
        answer = client.ask("POST", path, token=story.token, body={"log": log})
        if _accepted(answer, outcome):
            story.log, story.run = log, answer.document
        return answer.seconds

    def check_views(self, outcome: Outcome) -> None:
        """Compare every page with what the players were told."""
        from bench import agreement

        verdict = agreement.compare(self.journal, self.crowd, self.rng)
        outcome.broken += [*verdict.lost, *verdict.doubled, *verdict.wrong][:5]

    def wait_for_worker(self, outcome: Outcome) -> None:
        """Come back when the worker has repaired the index."""
        from bench import agreement
        from daily import clock
        from daily.models import TaskReport

        ended_at, days = clock.now(), agreement.days_of(self.journal)
        reports = TaskReport.objects.filter(name="repair_index", succeeded_at__gt=ended_at)
        try:
            back_s = wait_for(reports.exists, 3 * WORKER_BACK_S)
            whole_s = wait_for(partial(agreement.is_index_whole, days), WORKER_BACK_S)
        except TimeoutError as late:
            outcome.broken.append(str(late))
        else:
            outcome.note("worker back", back_s, WORKER_BACK_S)
            outcome.note("index whole", back_s + whole_s, WORKER_BACK_S)


def _accepted(answer: Answer, outcome: Outcome) -> bool:
    if answer.status != 201:
        outcome.broken.append(f"{answer.status}: {answer.body[:200]!r}")
    return answer.status == 201


# --- Redis


@contextmanager
def nothing(_: Deployment) -> Iterator[None]:
    """No fault at all, to compare with."""
    yield


@contextmanager
def killed(service: Deployment) -> Iterator[None]:
    """Redis is not there."""
    service.redis.stop()
    yield
    service.redis.start()


@contextmanager
def frozen(service: Deployment) -> Iterator[None]:
    """Redis takes connections and says nothing."""
    service.redis.freeze()
    yield
    service.redis.thaw()


@contextmanager
def flushed(service: Deployment) -> Iterator[None]:
    """Redis has forgotten everything, the queue too."""
    with _redis(service) as client:
        client.flushall()
    yield


@contextmanager
def full(service: Deployment) -> Iterator[None]:
    """Redis takes no writes."""
    with _redis(service) as client:
        _configure(client, "noeviction", 1)
        yield
        _configure(client, "allkeys-lru", 256 * 1024 * 1024)


@contextmanager
def evicting(service: Deployment) -> Iterator[None]:
    """Redis has no room, and drops what was not used for a while, and then what was."""
    with _redis(service) as client:
        used: Any = client.info("memory")
        _configure(client, "allkeys-lru", used["used_memory"] + 500_000)
        for number in range(5000):
            client.set(f"junk:{number}", "x" * 1000)
        yield
        _configure(client, "allkeys-lru", 256 * 1024 * 1024)


@contextmanager
def restarted(service: Deployment) -> Iterator[None]:
    """Redis dies and comes back empty, five times."""
    for _ in range(RESTARTS):
        service.redis.kill()
        time.sleep(1)
    yield


@contextmanager
def _redis(service: Deployment) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(service.redis_url, socket_timeout=2) as client:
        yield client


def _configure(client: redis.Redis, policy: str, most_bytes: int) -> None:
    client.config_set("maxmemory-policy", policy)
    client.config_set("maxmemory", most_bytes)


def hurt_redis(bench: Bench, fault: Callable[[Deployment], Any]) -> Outcome:
    """Play and look during the fault; wait for the worker after it."""
    outcome, until = Outcome(f"redis {fault.__name__}"), time.monotonic() + bench.outage_s
    with fault(bench.service):
        bench.play(outcome)
        bench.check_views(outcome)
        time.sleep(max(0, until - time.monotonic()))
    bench.wait_for_worker(outcome)
    bench.check_views(outcome)
    return outcome


# --- PostgreSQL


def stop_postgres(bench: Bench) -> Outcome:
    """PostgreSQL is not there for a while."""
    outcome = Outcome("postgres away")
    pids = _pids(bench.service)
    bench.service.db.stop()
    outcome.note("slowest refusal", _refusals(bench, outcome), REFUSED_S)
    bench.service.db.start()
    _return_of_postgres(bench, outcome, pids)
    return outcome


def restart_postgres(bench: Bench) -> Outcome:
    """PostgreSQL dies and comes back, five times."""
    outcome = Outcome("postgres restarted")
    pids = _pids(bench.service)
    for _ in range(RESTARTS):
        bench.service.db.kill()
        time.sleep(1)
    _return_of_postgres(bench, outcome, pids)
    return outcome


def freeze_postgres(bench: Bench) -> Outcome:
    """PostgreSQL takes connections and says nothing."""
    outcome = Outcome("postgres frozen")
    pids = _pids(bench.service)
    bench.service.db.freeze()
    try:
        outcome.note("slowest refusal", _refusals(bench, outcome), FROZEN_S)
    finally:
        bench.service.db.thaw()
    _return_of_postgres(bench, outcome, pids)
    return outcome


def _pids(service: Deployment) -> list[int]:
    """Of what must not have to be started again."""
    return [each.pid for each in (service.web, service.worker, service.beat)]


def _refusals(bench: Bench, outcome: Outcome) -> float:
    """How long the slowest refusal took while PostgreSQL is away; each has to say when to try again."""
    token, until = bench.journal.stories[0].token, time.monotonic() + bench.outage_s

    def keep_trying(client: Client) -> float:
        calls, slowest = cycle(CALLS), 0.0
        while time.monotonic() < until:
            slowest = max(slowest, _refusal(client, outcome, *next(calls), token))
        return slowest

    return max(future.result() for future in bench.crowd.send(keep_trying))


def _refusal(client: Client, outcome: Outcome, method: str, path: str, token: str) -> float:
    try:
        answer = client.ask(method, path, token=token, body={"log": []} if path.endswith("run/") else None)
    except NO_ANSWER as fault:
        outcome.broken.append(f"{method} {path}: {fault!r}")
        return 0
    kind, wait = answer.headers["Content-Type"], answer.headers["Retry-After"]
    if (answer.status, kind) != (503, "application/problem+json") or not wait:
        outcome.broken.append(f"{method} {path}: {answer.status}, {kind}, Retry-After {wait}")
    return answer.seconds


def _return_of_postgres(bench: Bench, outcome: Outcome, pids: list[int]) -> None:
    wait_for(bench.service.is_db_up)
    outcome.note("full service", wait_for(partial(_is_full_service, bench)), BACK_S)
    bench.play(outcome)
    if _pids(bench.service) != pids:
        outcome.broken.append("A process had to be started again.")
    from django.db import connection

    connection.close()
    bench.wait_for_worker(outcome)
    bench.check_views(outcome)


def _is_full_service(bench: Bench) -> bool:
    """Whether every client gets an answer at once, several times."""
    token = bench.journal.stories[0].token
    paths = [f"{API}/players/me/", f"{API}/challenges/today/leaderboard/?around=me"] * 5

    def all_well(client: Client) -> bool:
        return all(client.ask("GET", path, token=token).status == 200 for path in paths)

    return all(future.result() for future in bench.crowd.send(all_well))


FAULTS: dict[str, Callable[[Bench], Outcome]] = {
    fault.__name__: partial(hurt_redis, fault=fault)
    for fault in (nothing, killed, frozen, flushed, full, evicting, restarted)
} | {"away": stop_postgres, "again": restart_postgres, "stopped": freeze_postgres}


def main() -> int:
    """Go through the faults, and print what came of each."""
    options = _options()
    with (
        deployment(options.minutes) as service,
        Crowd(service.port, CLIENTS, timeout_s=2 * FROZEN_S) as crowd,
    ):
        bench = Bench(service, crowd, Journal(), Random(1), options.players, options.outage)
        bench.play(Outcome("warming up"), most_s=None)
        outcomes = []
        for name in options.names or FAULTS:
            outcomes.append(FAULTS[name](bench))
            print(outcomes[-1], flush=True)
    broken = sum(bool(outcome.broken) for outcome in outcomes)
    print(f"{len(outcomes)} faults, {broken} with a broken promise; load averages {load_averages()}")
    return 1 if broken else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FAULTS))
    parser.add_argument("--players", type=int, default=24, help="who play during each fault")
    parser.add_argument("--outage", type=float, default=6, help="the least seconds that a fault lasts")
    parser.add_argument("--minutes", type=float, default=15, help="give up after so long")
    options = parser.parse_args()
    if unknown := set(options.names) - FAULTS.keys():
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    return options


if __name__ == "__main__":
    sys.exit(main())
