"""One attempt, one answer: 16 parallel starts and 16 parallel submits for each of many players.

    python -m bench.races [--players 1000] [--parallel 16] [--minutes 10]

A third of the players submit one log 16 times, a third 16 different logs, a third two logs 8 times each. Each
player has to have one attempt and one run in the end. Whoever is told that it is so (200, 201) is told the
same, once with 201, and everybody else that another log was submitted. Ends with 1 where that is not so.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from bench.client import Answer, Client, Crowd
from bench.service import deployment, load_averages
from bench.stories import API, Journal, Story, join, log_for

SHOWN = 5


def main() -> int:
    """Race, compare, and print what came of it."""
    options = _options()
    with deployment(options.minutes) as service, Crowd(service.port, options.parallel) as crowd:
        journal, statuses, wrong = Journal(), Counter[str](), list[str]()
        crowd.map(lambda client, _: join(client, journal), range(options.players))
        begun, rng = time.monotonic(), Random(1)
        for number, story in enumerate(journal.stories):
            wrong += _race(crowd, story, number % 3, rng, statuses)
        raced_s = time.monotonic() - begun
        from bench import agreement
        from daily.models import Attempt, Run

        verdict = agreement.compare(journal, crowd, rng)
        attempts, runs = Attempt.objects.count(), Run.objects.count()
    wrong += verdict.lost + verdict.doubled + verdict.wrong
    print(*wrong[:SHOWN], sep="\n", end="\n" if wrong else "")
    print(f"{', '.join(f'{name}: {number}' for name, number in sorted(statuses.items()))}; {raced_s:.0f} s")
    failed = sum(number for name, number in statuses.items() if " 5" in name)
    print(
        f"{options.players:,} players, {options.parallel} starts and submits at once for each:"
        f" {attempts:,} attempts, {runs:,} runs, {failed} answers of 5xx, {len(wrong)} disagreements;"
        f" load averages {load_averages()}"
    )
    return 0 if not wrong and attempts == runs == options.players else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--parallel", type=int, default=16)
    parser.add_argument("--minutes", type=float, default=10, help="give up after so long")
    return parser.parse_args()


def _race(crowd: Crowd, story: Story, kind: int, rng: Random, statuses: Counter[str]) -> Iterator[str]:
    """What is wrong with the answers; the story takes up what was acknowledged."""
    size = len(crowd.clients)
    starts = crowd.at_once([partial(_start, story)] * size)
    statuses.update(f"start {answer.status}" for answer in starts)
    yield from _disagreements("start", starts)
    story.attempt = starts[0].document
    logs = _logs_for(story, kind, size, rng)
    submits = crowd.at_once([partial(_submit, story, log) for log in logs])
    statuses.update(f"submit {answer.status}" for answer in submits)
    yield from _disagreements("submit", submits)
    yield from _wrong_refusals(submits, logs)
    for log, answer in zip(logs, submits, strict=True):
        if answer.status == 201:
            story.log, story.run = log, answer.document


def _start(story: Story, client: Client) -> Answer:
    return client.ask("POST", f"{API}/challenges/today/attempts/", token=story.token, body={})


def _submit(story: Story, log: list[str], client: Client) -> Answer:
    path = f"{API}/attempts/{story.attempt['id']}/run/"
    return client.ask("POST", path, token=story.token, body={"log": log})


def _logs_for(story: Story, kind: int, size: int, rng: Random) -> list[list[str]]:
    """One log, as many as there are submits, or two."""
    log = log_for(story, rng)
    different = {0: 1, 1: size, 2: 2}[kind]
    return [log[: len(log) - number % different] for number in range(size)]


def _disagreements(what: str, answers: list[Answer]) -> Iterator[str]:
    """Exactly one 201, and all that say it is so say the same, but for what time it is."""
    told = [answer for answer in answers if answer.status in (200, 201)]
    if Counter(answer.status for answer in told)[201] != 1:
        yield f"{what}: {[answer.status for answer in answers]}"
    if len({str(_timeless(answer.document)) for answer in told}) != 1:
        yield f"{what}: {[answer.document for answer in told]}"
    others = [answer for answer in answers if answer.status not in (200, 201)]
    for answer in others:
        if what == "start" or answer.document["code"] != "already_submitted":
            yield f"{what}: {answer.status} {answer.body!r}"


def _timeless(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "server_time"}


def _wrong_refusals(answers: list[Answer], logs: list[list[str]]) -> Iterator[str]:
    """The log that was taken is taken from everybody, and no other."""
    [winner] = [log for log, answer in zip(logs, answers, strict=True) if answer.status == 201][:1] or [[]]
    for log, answer in zip(logs, answers, strict=True):
        if (log == winner) != (answer.status in (200, 201)):
            yield f"submit: {answer.status} for {'the' if log == winner else 'another'} log than was taken"


if __name__ == "__main__":
    sys.exit(main())
