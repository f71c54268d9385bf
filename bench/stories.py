"""What players do, and what they were told of it by answers that say it is so (2xx)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from threading import Condition
from typing import Any

from bench.client import Answer, Client
from games.pyramid import Board, Deal, Rules

API = "/api/v1"
DIFFERENT_LOGS = 200


class Contradiction(Exception):
    """An answer that must not be."""


@dataclass
class Story:
    """One player, and what they were told so far."""

    token: str
    name: str
    attempt: dict[str, Any] = field(default_factory=dict)
    checkpoint: list[str] | None = None
    log: list[str] = field(default_factory=list)
    run: dict[str, Any] = field(default_factory=dict)


@dataclass
class Journal:
    """All stories, each told before its player goes on."""

    stories: list[Story] = field(default_factory=list)
    submits: int = 0
    longest_silence_s: float = 0
    """The longest time in which no submission was acknowledged."""
    _last: float = field(default_factory=time.monotonic)
    _news: Condition = field(default_factory=Condition)

    def count_submit(self) -> None:
        """Note that a submission was acknowledged."""
        with self._news:
            now = time.monotonic()
            self.longest_silence_s = max(self.longest_silence_s, now - self._last)
            self.submits, self._last = self.submits + 1, now
            self._news.notify_all()

    def wait_for_submits(self, number: int, timeout_s: float) -> bool:
        """Come back when so many are acknowledged, or after the time-out; whether they are."""
        with self._news:
            return self._news.wait_for(lambda: self.submits >= number, timeout_s)

    @property
    def attempts(self) -> dict[str, Story]:
        """The stories with an attempt, by its id."""
        return {story.attempt["id"]: story for story in self.stories if story.attempt}

    @property
    def runs(self) -> dict[str, Story]:
        """The stories with a run, by its id."""
        return {story.run["id"]: story for story in self.stories if story.run}


def join(client: Client, journal: Journal) -> Story:
    """Become a guest."""
    answer = expect(client.insist("POST", f"{API}/players/"), 201).document
    story = Story(answer["token"], answer["player"]["name"])
    journal.stories.append(story)
    return story


def start(client: Client, story: Story) -> None:
    """Start today's attempt."""
    path = f"{API}/challenges/today/attempts/"
    story.attempt = expect(client.insist("POST", path, token=story.token, body={}), 201, 200).document


def keep(client: Client, story: Story, log: list[str]) -> None:
    """Keep the moves so far."""
    path = f"{API}/attempts/{story.attempt['id']}/checkpoint/"
    expect(client.insist("PUT", path, token=story.token, body={"log": log}), 200)
    story.checkpoint = log


def submit(client: Client, story: Story, log: list[str]) -> Answer:
    """Submit the log."""
    path = f"{API}/attempts/{story.attempt['id']}/run/"
    answer = expect(client.insist("POST", path, token=story.token, body={"log": log}), 201, 200)
    story.log, story.run = log, answer.document
    return answer


def expect(answer: Answer, *statuses: int) -> Answer:
    """The answer, if it has one of these statuses. Raises Contradiction."""
    if answer.status not in statuses:
        raise Contradiction(f"{answer.status}, not {statuses[0]}: {answer.body[:300]!r}")
    return answer


def log_for(story: Story, rng: Random) -> list[str]:
    """A log that the player may have come to: legal, of a real length, and one of not too many."""
    attempt = story.attempt
    return rng.choice(_logs(attempt["deck"], attempt["rules"]))


@cache
def _logs(deck: str, rules: str) -> list[list[str]]:
    deal, rng = Deal.from_deck(deck), Random(deck)
    return [list(_log(deal, Rules.named(rules), rng)) for _ in range(DIFFERENT_LOGS)]


def _log(deal: Deal, rules: Rules, rng: Random) -> Iterator[str]:
    """Twenty to a hundred moves that take what can be taken."""
    board = Board(deal, rules)
    for _ in range(rng.randint(20, 100)):
        if not (moves := board.legal_moves):
            return
        yield str(board.play(rng.choice([move for move in moves if move.cards] or moves)))
