"""Everybody starts the day at once: how long until the last has the deal.

    python -m bench.stampede [--players 2000] [--connections 200] [--minutes 5]

Guests who have their tokens are let go at the same moment, over so many connections that are open already,
each of which asks for the next of them as soon as it has an answer. All have to be answered within ten
seconds, with 201 and the same deck. Then each starts once more and has to get the same attempt back (200);
the database and the page of the day have to tell of one attempt each. Ends with 1 where that is not so.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from bench.client import NO_ANSWER, Client, Crowd
from bench.load import Measured
from bench.service import deployment, load_averages
from bench.stories import API

MOST_S = 10.0
TODAY = f"{API}/challenges/today/"
NOTHING = 0
"""The status of no answer."""


class Start(NamedTuple):
    """How a player's start was answered."""

    token: str
    status: int
    seconds: float
    body: bytes = b"{}"

    @property
    def attempt(self) -> Any:
        """The attempt with its deal, or the problem."""
        return json.loads(self.body)


def main() -> int:
    """Let them go, compare, and print what came of it."""
    options = _options()
    with deployment(options.minutes) as service, Crowd(service.port, options.connections) as crowd:
        from bench.field import make_guests

        tokens = make_guests(options.players, Random(1))
        _open_connections(crowd)
        begun = time.monotonic()
        starts = crowd.map(_start, tokens)
        seconds, load = time.monotonic() - begun, load_averages()
        wrong = list(disagreements(starts, crowd.map(_start, tokens)))
        wrong += miscounts(options.players, crowd.clients[0], starts[0].token)
    if seconds > MOST_S:
        wrong.append(f"That is more than {MOST_S:g} s.")
    _print(Measured(seconds, [1000 * start.seconds for start in starts], _statuses(starts)), load, wrong)
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=5, help="give up after so long")
    return parser.parse_args()


def _open_connections(crowd: Crowd) -> None:
    """Let every client look at the day, as who waits for it does."""
    for future in crowd.send(lambda client: client.ask("GET", TODAY)):
        future.result()


def _start(client: Client, token: str) -> Start:
    begun = time.perf_counter()
    try:
        answer = client.ask("POST", f"{TODAY}attempts/", token=token, body={})
    except NO_ANSWER:
        return Start(token, NOTHING, time.perf_counter() - begun)
    return Start(token, answer.status, answer.seconds, answer.body)


def _statuses(starts: list[Start]) -> Counter[int]:
    return Counter(start.status for start in starts)


def disagreements(starts: list[Start], again: list[Start]) -> Iterator[str]:
    """What is wrong with the answers to the first starts and to the second ones."""
    for expected, answers in ((201, starts), (200, again)):
        if others := _statuses(answers) - Counter({expected: len(answers)}):
            yield f"Not {expected} but {dict(others)}."
    if len({start.attempt.get("deck") for start in starts}) != 1:
        yield "There are several decks."
    first, second = ({start.token: start.attempt.get("id") for start in told} for told in (starts, again))
    if first != second or len(set(first.values())) != len(starts):
        yield "Not everybody has an attempt of their own and gets it back."


def miscounts(players: int, client: Client, token: str) -> Iterator[str]:
    """What the database and the page of the day tell otherwise than that everybody has started once."""
    from daily.models import Attempt

    page = client.ask("GET", TODAY, token=token)  # with a name, to be told how it is now
    stored, told = Attempt.objects.count(), page.document["attempts"]
    if not stored == told == players:
        yield f"{stored} attempts are stored and {told} are told of."


def _print(measured: Measured, load: str, wrong: list[str]) -> None:
    print(*wrong, sep="\n", end="\n" if wrong else "")
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "slowest": 1.0}
    print(", ".join(f"{name} {measured.percentile(share):.0f} ms" for name, share in shares.items()))
    started = measured.statuses[201]
    print(
        f"{started:,} started, {len(measured.latencies_ms) - started} errors, {measured.seconds:.1f} s until"
        f" the last, {measured.per_second:.0f} a second; load averages {load}"
    )


if __name__ == "__main__":
    sys.exit(main())
