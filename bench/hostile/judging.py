"""The promises, held against what came back."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from bench.hostile.wire import Answer, Heard

MAX_S: Final = 2.0
PROBLEM: Final = "application/problem+json"
UNSATISFIABLE: Final = 416
GRANIANS_OWN: Final = {400, 414, 431}
"""What granian says, without a word, of bytes that it cannot read; the proxy in front says it in words."""
LEAKS: Final = re.compile(
    rb'Traceback|File "|\.py", line|Exception|psycopg|django|wsgi\.|granian', re.IGNORECASE
)
API: Final = re.compile(r"/+(?:api|healthz|readyz|metrics)")


@dataclass
class Verdicts:
    """What was asked and what came of it."""

    requests: int = 0
    wordless: int = 0
    """Answers of granian itself, without a body."""
    slowest_s: float = 0.0
    slowest: str = ""
    faults: list[str] = field(default_factory=list)

    def add(self, name: str, heard: Heard, faults: list[str]) -> None:
        """Take a request in."""
        self.requests += 1
        self.wordless += sum(map(is_wordless, heard.answers))
        self.faults += [f"{name}: {fault}" for fault in faults]
        if heard.seconds > self.slowest_s:
            self.slowest_s, self.slowest = heard.seconds, name


def is_wordless(answer: Answer) -> bool:
    """Whether granian refused by itself."""
    return answer.status in GRANIANS_OWN and not answer.body and not answer.header("content-type")


def faults_of(path: str, heard: Heard, *, is_proxied: bool, has_body: bool = True) -> Iterator[str]:
    """Which promises the answers on a connection break."""
    if heard.seconds > MAX_S:
        yield f"took {heard.seconds:.2f} s"
    for answer in heard.answers:
        if answer.status >= 500 or answer.status == 0:
            yield f"answered {answer.status}"
        elif answer.status == UNSATISFIABLE:
            continue  # a range of a file, which no person asks for
        elif answer.status >= 400 and has_body and (is_proxied or not is_wordless(answer)):
            yield from _faults_of_refusal(path, answer)
        elif 300 <= answer.status < 400:
            yield from _faults_of_redirect(answer)


def _faults_of_refusal(path: str, answer: Answer) -> Iterator[str]:
    kind = answer.header("content-type")
    if kind == PROBLEM:
        yield from _faults_of_problem(answer)
    elif API.match(path):
        yield f"{answer.status} is {kind or 'empty'}, no problem document"
    elif not kind.startswith("text/html") or b"<h1" not in answer.body:
        yield f"{answer.status} is {kind or 'empty'}, no page"
    elif found := LEAKS.search(answer.body):
        yield f"{answer.status} tells {found[0]!r}"


def _faults_of_problem(answer: Answer) -> Iterator[str]:
    document = json.loads(answer.body)
    if document["status"] != answer.status or document["code"] not in documented_codes():
        yield f"{answer.status} is the problem {document['status']} {document['code']}"
    if LEAKS.search(answer.body):
        yield f"{answer.status} tells too much: {document}"


def _faults_of_redirect(answer: Answer) -> Iterator[str]:
    place = answer.header("location")
    if answer.status != 304 and not re.match(r"/(?![/\\])|http://localhost(?=[:/?#]|$)", place):
        yield f"leads to {place!r}"


def code_of(answer: Answer) -> str:
    """The code of a problem document, else nothing."""
    return str(json.loads(answer.body)["code"]) if answer.header("content-type") == PROBLEM else ""


@cache
def documented_codes() -> frozenset[str]:
    """Every code there is."""
    import config.urls  # noqa: F401 (all that refuses)
    from api.schema import all_codes

    return frozenset(each["code"] for each in all_codes())
