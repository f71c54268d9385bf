"""Reading the lines of a bundle, however hostile: what has the wrong form is told in words and left out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, BinaryIO, NamedTuple

from games.pyramid.deal import MAX_NUMBER, Deal

LONGEST_LINE = 2**22
"""Bytes; far more than the longest legal log takes."""
MOST_SHOWN = 40
"""Characters of a value that are told."""


class BadLine(ValueError):
    """The line is no JSON object; the text says why."""


class Kind(NamedTuple):
    """What a field may hold: in words, and as a test."""

    name: str
    holds: Callable[[Any], bool]

    def or_null(self) -> Kind:
        """The kind that may be null too."""
        return Kind(f"{self.name} or null", lambda value: value is None or self.holds(value))


type Form = Mapping[str, Kind]
"""The fields of an object, all of them required."""


def _matching(name: str, pattern: str) -> Kind:
    compiled = re.compile(pattern)
    return Kind(name, lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None)


def _read_by(name: str, read: Callable[[str], str]) -> Kind:
    """What ``read`` takes and gives back as it was."""

    def holds(value: object) -> bool:
        try:
            return isinstance(value, str) and read(value) == value
        except ValueError:
            return False

    return Kind(name, holds)


def _number(name: str, most: int) -> Kind:
    return Kind(name, lambda value: type(value) is int and 0 <= value <= most)


def _list_of(name: str, kind: Kind) -> Kind:
    return Kind(name, lambda value: isinstance(value, list) and all(map(kind.holds, value)))


def _read_day(text: str) -> str:
    day = date.fromisoformat(text)
    if day == date.max:
        raise ValueError("there is no day after this one, on which it could close")
    return day.isoformat()


TEXT = Kind("text", lambda value: isinstance(value, str))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
COUNT = _number("a whole number from 0", MAX_NUMBER)
CLEARED = _number("a whole number from 0 to 28", 28)
DAY = _read_by("a date such as 2026-11-30", _read_day)
TIME = _read_by(
    "a time such as 2026-11-30T00:00:00.000000Z",
    lambda text: f"{datetime.fromisoformat(text).replace(tzinfo=None).isoformat(timespec='microseconds')}Z",
)
DIGEST = _matching("a SHA-256 in hex", "[0-9a-f]{64}")
LOG = _list_of("a list of moves", TEXT)

REVISION: Form = {"revision": COUNT, "digest": DIGEST, "settled_at": TIME}
HEADER: Form = {
    "format": TEXT,
    "date": DAY,
    "rules": _matching("the name of a rule set", "[a-z-]{1,32}"),
    "rules_version": COUNT,
    "salt": _matching("128 bits in hex", "[0-9a-f]{32}"),
    "deck": _read_by("a deck of 52 cards", lambda text: Deal.from_deck(text).deck),
    "code": _read_by("a deal code", lambda text: str(Deal.from_code(text))).or_null(),
    "commitment": DIGEST,
    "best_clear": CLEARED.or_null(),
    "best_line": LOG,
    "difficulty": Kind("a number from 0 to 1", lambda v: type(v) in (int, float) and 0 <= v <= 1).or_null(),
    "opens_at": TIME,
    "closes_at": TIME,
    "settled_at": TIME,
    "voided": FLAG,
    "revision": COUNT,
    "digest": DIGEST,
    "field_size": COUNT,
    "runs": COUNT,
    "revisions": _list_of(
        "a list of revisions",
        Kind("a revision", lambda value: isinstance(value, dict) and not list(complaints(value, REVISION))),
    ),
}
RUN: Form = {
    "run": _matching("an id in lower-case hex with hyphens", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    "player": TEXT,
    "rank": COUNT.or_null(),
    "cleared": CLEARED,
    "elapsed_ms": COUNT,
    "log": LOG,
    "won": FLAG,
    "moves": COUNT,
    "points": COUNT,
    "voided": FLAG,
    "unranked": TEXT.or_null(),
}


def complaints(fields: Mapping[str, object], form: Form) -> Iterator[str]:
    """What is wrong with the form of an object, a sentence for each field."""
    for name, kind in form.items():
        if name not in fields:
            yield f"the field {name} is missing"
        elif not kind.holds(fields[name]):
            yield f"{name} is {shown(fields[name])}, not {kind.name}"
    for name in fields.keys() - form.keys():
        yield f"there is no field {shown(name)} in this format"


def shown(value: object) -> str:
    """The value as JSON has it, in a few characters that are safe to print."""
    try:
        text = json.dumps(value)
    except RecursionError:
        return "something nested too deep"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def well_formed(fields: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """The fields that hold what they should."""
    return {name: fields[name] for name, kind in form.items() if name in fields and kind.holds(fields[name])}


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, without their ends; of one that is too long only as much as shows that it is."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line.removesuffix(b"\n")
        if len(line) > LONGEST_LINE:
            return


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises BadLine."""
    if len(line) > LONGEST_LINE:
        raise BadLine(f"the line is longer than {LONGEST_LINE} bytes; nothing after it is read")
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=_without_twins, parse_constant=_refuse)
    except RecursionError:
        raise BadLine("the line is nested too deep") from None
    except ValueError as error:
        raise BadLine(f"the line is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadLine("the line is not a JSON object")
    return value


def _without_twins(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"the field {shown(name)} is there twice")
        fields[name] = value
    return fields


def _refuse(text: str) -> float:
    raise ValueError(f"{text} is no number")
