"""Memory stays flat under a steady mixed load.

    python -m bench.soak [--minutes 60] [--rate 30] [--clients 8] [--growth 10]

Guests join, play and look at their results, others look around in the API and on the pages, at a rate that
leaves much of the machine idle. Meanwhile the memory of each service is sampled every ten seconds: its own
and its share of what its processes share, without programs and libraries. After a warm-up, a sixth of the
time, neither web nor worker nor beat may grow by more than ``--growth`` percent, from the median of the next
sixth to that of the last, and no call may go wrong. Ends with 1 where that is not so, as it does when there
was no time to get warm: a web goes on growing for its first two or three minutes.

The data grows with every player who joins. PostgreSQL takes more memory until its shared buffers are full,
and Redis for each standing; ``redis data`` is what it says it uses. They are told of and not judged.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import linear_regression, median
from threading import Event
from time import monotonic
from typing import Any

import redis

from bench.client import Crowd
from bench.load import Measured
from bench.memory import own_mb
from bench.service import Deployment, deployment, load_averages
from bench.traffic import Seen, Traffic

WARM_UP = 1 / 6
SAMPLE_EVERY_S, FEWEST_SAMPLES = 10, 36
TO_START_AND_STOP_MIN = 5
BYTES_A_MB, S_AN_HOUR = 1024 * 1024, 3600
JUDGED = ("web", "worker", "beat")
ID = re.compile("[0-9a-f-]{36}")
SHOWN, LOGGED = 5, 30
"""Lines about what went wrong, and lines of the web's log."""


@dataclass(frozen=True)
class Trend:
    """How much memory there was after the warm-up and at the end, and how fast it grew meanwhile."""

    after_mb: float
    end_mb: float
    mb_an_hour: float

    @property
    def growth(self) -> float:
        """Percent from after the warm-up to the end."""
        return 100 * (self.end_mb - self.after_mb) / self.after_mb


@dataclass
class Memory:
    """The memory of each service over time."""

    seconds: list[float] = field(default_factory=list)
    mb: list[dict[str, float]] = field(default_factory=list)

    def add(self, seconds: float, mb: dict[str, float]) -> None:
        """Add a sample of all."""
        self.seconds.append(seconds)
        self.mb.append(mb)

    def trends(self) -> dict[str, Trend]:
        """What became of each after the warm-up."""
        return {name: self._trend(name) for name in self.mb[0]}

    def _trend(self, name: str) -> Trend:
        size = round(len(self.mb) * WARM_UP)
        seconds, mb = self.seconds[size:], [sample[name] for sample in self.mb[size:]]
        slope = linear_regression(seconds, mb).slope
        return Trend(median(mb[:size]), median(mb[-size:]), slope * S_AN_HOUR)


def main() -> int:
    """Load, sample, and print what came of it."""
    options = _options()
    seconds = 60 * options.minutes
    with (
        deployment(options.minutes + TO_START_AND_STOP_MIN) as service,
        Crowd(service.port, options.clients) as crowd,
    ):
        before = _processes(service)
        with _sampled(service, min(SAMPLE_EVERY_S, seconds / FEWEST_SAMPLES)) as memory:
            seen = Traffic(options.rate, Random(1)).run(crowd, seconds)
        is_same = _processes(service) == before
        mistakes = mistakes_in(seen)
        if mistakes:
            print(*service.web.log.read_text().splitlines()[-LOGGED:], sep="\n", file=sys.stderr)
    trends = memory.trends()
    faults = [*mistakes, *growths(trends, options.growth)]
    faults += [] if is_same else ["A process had to be started again."]
    _print(seen, seconds, trends, faults)
    return 1 if faults else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60, help="how long the load lasts")
    parser.add_argument("--rate", type=float, default=30, help="calls a second")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--growth", type=float, default=10, help="percent of memory that may be added")
    return parser.parse_args()


def _processes(service: Deployment) -> list[set[int]]:
    """Of what must not have to be started again; PostgreSQL has one for each connection besides."""
    whole = (service.web, service.worker, service.beat, service.redis)
    return [{service.db.pid}, *(set(each.pids) for each in whole)]


@contextmanager
def _sampled(service: Deployment, every_s: float) -> Iterator[Memory]:
    """Sample the memory of the services in the meantime."""
    memory, is_over, begun = Memory(), Event(), monotonic()

    def sample() -> None:
        while not is_over.wait(every_s):
            memory.add(monotonic() - begun, _mb(service))

    with ThreadPoolExecutor(1) as sampler:
        sampling = sampler.submit(sample)
        try:
            yield memory
        finally:
            is_over.set()
        sampling.result()


def _mb(service: Deployment) -> dict[str, float]:
    own = {each.name: own_mb(each.pids) for each in service.services}
    with redis.Redis.from_url(service.redis_url, socket_timeout=2) as client:
        info: Any = client.info("memory")
    return {**own, "redis data": info["used_memory"] / BYTES_A_MB}


def mistakes_in(seen: list[Seen]) -> list[str]:
    """The kinds of calls that went wrong, the most frequent ones first."""
    wrong = Counter(
        (each.status, each.call.method, ID.sub("ID", each.call.path)) for each in seen if not each.is_good
    )
    return [
        f"{status} for {method} {path}: {number}" for (status, method, path), number in wrong.most_common()
    ]


def growths(trends: dict[str, Trend], most: float) -> Iterator[str]:
    """Which of the services grew by more than so many percent."""
    for name in JUDGED:
        if trends[name].growth > most:
            yield f"{name} grew by {trends[name].growth:.1f} %."


def _print(seen: list[Seen], seconds: float, trends: dict[str, Trend], faults: list[str]) -> None:
    print(*faults[:SHOWN], sep="\n", end="\n" if faults else "")
    print(f"{'MB':10} {'after warm-up':>13} {'at the end':>10} {'growth':>8} {'an hour':>8}")
    for name, trend in trends.items():
        print(
            f"{name:10} {trend.after_mb:13.1f} {trend.end_mb:10.1f} {trend.growth:+6.1f} %"
            f" {trend.mb_an_hour:+8.2f}"
        )
    measured = Measured(
        seconds, [1000 * each.seconds for each in seen], Counter(each.status for each in seen)
    )
    errors = sum(not each.is_good for each in seen)
    print(
        f"{len(seen):,} calls, {measured.per_second:.1f} a second, {errors} errors, p50"
        f" {measured.percentile(0.5):.0f} ms, p99 {measured.percentile(0.99):.0f} ms;"
        f" load averages {load_averages()}"
    )


if __name__ == "__main__":
    sys.exit(main())
