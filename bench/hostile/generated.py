"""Requests that are made up by the thousand: from the API's own document, and logs that are nearly legal."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import DrawFn, SearchStrategy
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks

from api.middleware import MAX_BODY_BYTES
from api.serializers import MAX_LOG_CHARS, MAX_LOG_MOVES
from bench.hostile.judging import Verdicts, faults_of
from bench.hostile.requests import JSON, Cast, Hostile
from bench.hostile.rows import changed, contents
from bench.hostile.wire import Answer, Heard, ask
from games.cards import FULL_DECK
from games.pyramid import RULES, Board, Deal, IllegalMove, Rules, replay

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
"""What schemathesis holds an answer against; what else it knows asks for more than the document promises."""
ACCEPTED = [*CHECKS, checks.negative_data_rejection]
"""And what is accepted, against its own idea of bad data. (Of refusals it does not know the 413.)"""


def generate(strategy: SearchStrategy[Any], number: int, start: int, send: Callable[[Any], None]) -> int:
    """Draw at most so many and send each; how many there were. Nothing is remembered or made smaller."""
    sent = 0

    @seed(start)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(drawn: Any) -> None:
        nonlocal sent
        sent += 1
        send(drawn)

    draw()
    return sent


@dataclass
class Calls:
    """Generated calls of the API, each in the name of Ann or of nobody."""

    port: int
    make_cast: Callable[[], Cast]
    verdicts: Verdicts

    def __post_init__(self) -> None:
        self.cast = self.make_cast()
        self.session = requests.Session()
        self.session.trust_env = False
        self.before = contents()
        self.url = f"http://127.0.0.1:{self.port}"

    def make(self, number: int, start: int) -> None:
        """Send about so many, shared out evenly among the operations, good data and bad."""
        load_all_checks()
        answer = self.session.get(f"{self.url}/api/openapi/", headers={"Accept": JSON}, timeout=60)
        document = answer.json()
        found = schemathesis.openapi.from_dict(document).get_all_operations()
        operations = [each.ok() for each in found if isinstance(each, Ok)]
        kinds = [(each, mode, pinned) for each in operations for mode in MODES for pinned in (True, False)]
        for turn in count(start):
            left = number - self.verdicts.requests
            if left <= 0:
                return
            share = -(-left // len(kinds))
            for operation, mode, is_pinned in Random(turn).sample(kinds, min(left, len(kinds))):
                self._make_of(operation, mode, share, turn, is_pinned=is_pinned)

    def _make_of(
        self, operation: Any, mode: GenerationMode, share: int, start: int, *, is_pinned: bool
    ) -> None:
        known = dict(self._known(operation)) if is_pinned else {}
        if is_pinned and not known:
            return
        strategy = operation.as_strategy(generation_mode=mode, path_parameters=known or None)
        with suppress(Unsatisfiable):  # where there is nothing to get wrong
            generate(strategy, share, start, self._send)

    def _known(self, operation: Any) -> Iterator[tuple[str, str]]:
        """What leads somewhere in the place of a path's parameters."""
        known = {
            "attempt_id": self.cast.names["attempt"],
            "code": self.cast.names["league"] if "leagues" in operation.path else "1",
            "day": "today",
            "name": "me",
            "period": "current",
            "run_id": self.cast.names["run"],
            "slug": "endless",
        }
        yield from ((name, value) for name, value in known.items() if f"{{{name}}}" in operation.path)

    def _send(self, case: Any) -> None:
        is_ann = self.verdicts.requests % 3 > 0
        headers = {"Authorization": f"Bearer {self.cast.token}"} if is_ann else {}
        begun = time.perf_counter()
        answer = case.call(base_url=self.url, session=self.session, headers=headers, timeout=20)
        self._judge(case, answer, time.perf_counter() - begun)
        if is_ann and answer.status_code == 401:  # erased, or out of tokens
            self.cast = self.make_cast()
            self.before = contents()

    def _judge(self, case: Any, answer: Any, seconds: float) -> None:
        headers = {name.lower(): " ".join(value) for name, value in answer.headers.items()}
        heard = Heard([Answer(answer.status_code, headers, answer.content)], seconds)
        after = contents()
        faults = list(faults_of("/api/", heard, is_proxied=False, has_body=case.method != "HEAD"))
        if answer.status_code >= 400:
            faults += [f"changed {table}" for table in changed(self.before, after)]
        self.before = after
        name = f"{case.method} {case.operation.path}"
        self.verdicts.add(name, heard, [*faults, *failed_checks(case, answer)])


MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def failed_checks(case: Any, answer: Any) -> Iterator[str]:
    """What schemathesis finds wrong with an answer."""
    try:
        case.validate_response(answer, checks=CHECKS if answer.status_code >= 400 else ACCEPTED)
    except FailureGroup as group:
        yield from (" ".join(str(failure).split()) for failure in group.exceptions)


MOVES = ["D", "R", "U", *map(str, FULL_DECK), *(f"{one}{other}" for one in FULL_DECK for other in FULL_DECK)]
ODD_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@st.composite
def logs(draw: DrawFn, deal: Deal, rules: Rules) -> list[str]:
    """A legal log, and then as often as not something done to it."""
    board, log = Board(deal, rules), list[str]()
    for choice in draw(st.lists(st.integers(0, 99), max_size=80)):
        if moves := board.legal_moves:
            log.append(str(board.play(moves[choice % len(moves)])))
    for change in draw(st.lists(st.sampled_from(CHANGES), max_size=3)):
        place = draw(st.integers(0, len(log)))
        log = change(log, place, draw(st.sampled_from(MOVES) | ODD_TEXT))
    return log


def insert(log: list[str], place: int, move: str) -> list[str]:
    """One move more."""
    return [*log[:place], move, *log[place:]]


def exchange(log: list[str], place: int, move: str) -> list[str]:
    """Another move in the place of one."""
    return [*log[:place], move, *log[place + 1 :]]


def leave_out(log: list[str], place: int, _move: str) -> list[str]:
    """One move less."""
    return [*log[:place], *log[place + 1 :]]


def swap(log: list[str], place: int, _move: str) -> list[str]:
    """Two moves the other way round."""
    return [*log[:place], *log[place : place + 2][::-1], *log[place + 2 :]]


def misspell(log: list[str], place: int, move: str) -> list[str]:
    """A move in small letters, or with a space before it."""
    spelled = (part.lower() if len(move) % 2 else f" {part}" for part in log[place : place + 1])
    return [*log[:place], *spelled, *log[place + 1 :]]


def turn_cards(log: list[str], place: int, _move: str) -> list[str]:
    """The cards of all that follows named the other way round."""
    return [*log[:place], *(part[2:] + part[:2] for part in log[place:])]


def begin_again(log: list[str], place: int, _move: str) -> list[str]:
    """A beginning said twice."""
    return log[:place] + log


def repeat(log: list[str], _place: int, _move: str) -> list[str]:
    """All of it again and again, to about as long as a log may be."""
    return log * (2_100 // (len(log) or 1))


CHANGES: list[Callable[[list[str], int, str], list[str]]] = [
    insert,
    exchange,
    leave_out,
    swap,
    misspell,
    turn_cards,
    begin_again,
    repeat,
]


@dataclass
class Logs:
    """Generated logs: dry runs of any deal, and today's attempt of Ann, who never sends a legal one."""

    port: int
    cast: Cast
    deck: str
    rules: str
    verdicts: Verdicts

    def make(self, number: int, start: int) -> None:
        """Send so many."""
        deals = st.tuples(st.integers(1, 2**53 - 1), st.sampled_from(sorted(RULES)))
        dry = deals.flatmap(
            lambda deal: st.tuples(st.just(deal), logs(Deal.from_number(deal[0]), RULES[deal[1]]))
        )
        today = logs(Deal.from_deck(self.deck), RULES[self.rules])
        sent = generate(dry, number // 2, start, lambda drawn: self._replay(*drawn))
        while sent < number:
            before = self.verdicts.requests
            generate(today, number - sent, start + sent, self._submit)
            sent += max(1, self.verdicts.requests - before)

    def _replay(self, deal: tuple[int, str], log: list[str]) -> None:
        body = {"number": deal[0], "rules": deal[1], "log": log}
        verdict = judged(Deal.from_number(deal[0]), RULES[deal[1]], log)
        self._send("POST", "replay/", body, verdict, 200)

    def _submit(self, log: list[str]) -> None:
        verdict = judged(Deal.from_deck(self.deck), RULES[self.rules], log)
        if verdict is None:
            return  # which would end the attempt
        place = f"attempts/{self.cast.names['attempt']}/"
        self._send("POST", f"{place}run/", {"log": log}, verdict, 201)
        self._send("PUT", f"{place}checkpoint/", {"log": log}, verdict, 200)

    def _send(
        self, method: str, place: str, body: dict[str, Any], verdict: int | str | None, good: int
    ) -> None:
        case = Hostile("", 0, "", f"/api/v1/{place}", method, json.dumps(body).encode(), who="ann's program")
        before = contents()
        heard = ask(self.port, self.cast.message_of(case))
        faults = list(faults_of(case.path, heard, is_proxied=False))
        faults += [f"changed {table}" for table in changed(before, contents())]
        document = json.loads(heard.answers[0].body) if heard.answers else {}
        said = document.get("move_index", document.get("code"))
        told = (heard.answers[0].status, said) if heard.answers else (0, "")
        if told != (deserved := deserved_by(verdict, len(case.body), good)):
            faults.append(f"is {told}, not {deserved}: {str(body)[:500]}")
        self.verdicts.add(f"{method} {place}", heard, faults)


def deserved_by(verdict: int | str | None, size: int, good: int) -> tuple[int, int | str | None]:
    """The status of the answer to a body of this size, and what is said with it."""
    if size > MAX_BODY_BYTES:
        return 413, "body_too_large"
    return good if verdict is None else 422 if isinstance(verdict, int) else 400, verdict


def judged(deal: Deal, rules: Rules, log: list[str]) -> int | str | None:
    """The index of the move that is refused, ``invalid`` for a log that is too long, None for a legal one."""
    if len(log) > MAX_LOG_MOVES or sum(map(len, log)) > MAX_LOG_CHARS:
        return "invalid"
    try:
        replay(deal, rules, log)
    except IllegalMove as refusal:
        return refusal.index
    return None
