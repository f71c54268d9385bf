"""Nothing acknowledged is lost or doubled while web, worker, beat, Redis and PostgreSQL are killed at random.

    python -m bench.chaos [--submits 10000] [--kills 100] [--clients 16] [--seed 1] [--minutes 10]

Players become guests, start, keep checkpoints and submit over HTTP, each call as often as it takes, and note
every answer that says it is so. Meanwhile processes get SIGKILL: a whole service, or one process of it. Then
the database, the index and every page are compared with the notes. Ends with 1 where anything differs.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from functools import partial
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from bench.client import Client, Crowd
from bench.service import Deployment, deployment, load_averages, wait_for
from bench.stories import Contradiction, Journal, join, keep, log_for, start, submit

if TYPE_CHECKING:  # it needs Django set up
    from bench.agreement import Verdict

KEEP, LEAVE, REPEAT = 0.2, 0.05, 0.1
"""The shares of players who keep a checkpoint, who leave after one, who submit once more."""
REPAIR_TIMEOUT_S = 120
SHOWN = 5
"""How many of many differences are printed."""


def main() -> int:
    """Play, kill, compare, and print what came of it."""
    options = _options()
    rng = Random(options.seed)
    with deployment(options.minutes) as service, Crowd(service.port, options.clients) as crowd:
        journal, begun = Journal(), time.monotonic()
        kills = _play_and_kill(service, crowd, journal, options, rng)
        played_s = time.monotonic() - begun
        from bench import agreement

        days = agreement.days_of(journal)
        service.wait_until_ready()
        repaired_s = wait_for(partial(agreement.is_index_whole, days), REPAIR_TIMEOUT_S)
        verdict = agreement.compare(journal, crowd, rng)
        verdict.wrong += [f"index of {board}" for board in agreement.different_boards(days)]
    times = f"{played_s:.0f} s of play, index whole {repaired_s:.0f} s later"
    _print(verdict, journal, kills, crowd.failures, times)
    return 0 if verdict.is_good else 1


def _print(
    verdict: "Verdict", journal: Journal, kills: Counter[str], failures: Counter[str], times: str
) -> None:
    for found in (verdict.lost, verdict.doubled, verdict.wrong):
        print(*found[:SHOWN], sep="\n", end="\n" if found else "")
    print(f"killed: {_listed(kills)}")
    print(
        f"asked again after: {_listed(failures)}; at most {journal.longest_silence_s:.1f} s without a submit"
    )
    print(f"{times}; load averages {load_averages()}")
    print(
        f"{journal.submits:,} acknowledged submits, {kills.total()} kills: {len(verdict.lost)} lost,"
        f" {len(verdict.doubled)} doubled, {len(verdict.wrong)} of {verdict.views:,} views wrong"
    )


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.most_common()) or "nothing"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--submits", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10, help="give up after so long")
    return parser.parse_args()


def _play_and_kill(
    service: Deployment, crowd: Crowd, journal: Journal, options: argparse.Namespace, rng: Random
) -> Counter[str]:
    """Kills come at random numbers of acknowledged submits, now and then several in a row."""
    tickets, kills = count(), Counter[str]()
    players = crowd.send(lambda client: _play(client, journal, lambda: next(tickets) < options.submits))
    for number in sorted(rng.choices(range(options.submits), k=options.kills)):
        while not journal.wait_for_submits(number, timeout_s=1):
            _raise_failure(players, timeout_s=0)
        kills[_kill(service, rng)] += 1
    _raise_failure(players, timeout_s=None)
    return kills


def _raise_failure(players: list[Future[None]], timeout_s: float | None) -> None:
    for future in wait(players, timeout_s, FIRST_EXCEPTION).done:
        future.result()


def _kill(service: Deployment, rng: Random) -> str:
    """Kill a service or one process of it; which."""
    victim = rng.choice(service.services)
    if rng.random() < 0.5:
        victim.kill()
        return victim.name
    victim.kill_one(rng)
    return f"part of {victim.name}"


def _play(client: Client, journal: Journal, may_go_on: Callable[[], bool]) -> None:
    rng = Random()
    while may_go_on():
        if rng.random() < LEAVE:
            _play_once(client, journal, rng, leaves=True)
        _play_once(client, journal, rng, leaves=False)


def _play_once(client: Client, journal: Journal, rng: Random, *, leaves: bool) -> None:
    story = join(client, journal)
    start(client, story)
    log = log_for(story, rng)
    if leaves or rng.random() < KEEP:
        keep(client, story, log[: len(log) // 2])
    if leaves:
        return
    answer = submit(client, story, log)
    journal.count_submit()
    if rng.random() < REPEAT and submit(client, story, log).document != answer.document:
        raise Contradiction(f"The same log again has another answer: {story.run}, not {answer.document}.")


if __name__ == "__main__":
    sys.exit(main())
