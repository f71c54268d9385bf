"""Streams of questions: one JSON object a line in, one a line out, whatever a line holds.

A line that cannot be answered gets `{"error": {…, "code": …}}`. Memory stays flat however long the stream is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any, NoReturn

from games.pyramid.deal import Deal
from games.pyramid.errors import BadDeal, IllegalMove, UnknownRules
from games.pyramid.replay import replay
from games.pyramid.rules import Rules
from games.pyramid.solver import best_clear

type Answer = dict[str, object]


class BadLine(ValueError):
    """The line asks nothing that can be answered.

    `code` is one of malformed_json, malformed_line, missing_deal, conflicting_deals and malformed_log.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def answer_stream(answer: Callable[[bytes], Answer], lines: Iterable[bytes]) -> int:
    """Answer each line on standard output, one line each, as soon as it is read; returns exit code 0."""
    for line in lines:
        print(json.dumps(answer(line), allow_nan=False))
    return 0


def replayed(line: bytes) -> Answer:
    """Answer `{"rules", "deck"|"code"|"number", "log"}` with the outcome or the first refused move."""
    try:
        question = _read_object(line)
        outcome = replay(_deal_of(question), _rules_of(question), _log_of(question))
    except IllegalMove as refused:
        return {"error": {"index": refused.index, "move": _scalar(refused.move), "code": refused.code}}
    except (BadDeal, BadLine, UnknownRules) as error:
        return {"error": {"index": None, "move": None, "code": error.code}}
    return {**outcome.as_dict()}


def solved(line: bytes, node_budget: int | None = None) -> Answer:
    """Answer `{"rules", "deck"|"code"|"number"}` with the best that can be cleared and a log that does it."""
    try:
        question = _read_object(line)
        best = best_clear(_deal_of(question), _rules_of(question), node_budget=node_budget)
    except (BadDeal, BadLine, UnknownRules) as error:
        return {"error": {"code": error.code}}
    return {"cleared": best.cleared, "proven": best.proven, "log": best.log}


def dealt(line: bytes) -> Answer:
    """Answer `{"code"|"number"}` with the canonical code and the deck."""
    try:
        deal = _deal_of(_read_object(line))
    except (BadDeal, BadLine) as error:
        return {"error": {"code": error.code}}
    return {"code": deal.code, "deck": deal.deck}


def _read_object(line: bytes) -> dict[str, object]:
    try:
        value = json.loads(
            line.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_refuse,
            parse_float=_finite,
        )
    except (ValueError, RecursionError):
        raise BadLine("malformed_json") from None
    if not isinstance(value, dict):
        raise BadLine("malformed_line")
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    return fields if len(fields) == len(pairs) else _refuse("the same name twice")


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse(text)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"not allowed in JSON: {text}")


# The first deal wins: one with a code comes before the same cards without.
_READERS: dict[str, Callable[[Any], Deal]] = {
    "code": Deal.from_code,
    "number": Deal.from_number,
    "deck": Deal.from_deck,
}


def _deal_of(question: dict[str, object]) -> Deal:
    deals = [read(question[name]) for name, read in _READERS.items() if name in question]
    if not deals:
        raise BadLine("missing_deal")
    if any(deal != deals[0] for deal in deals):
        raise BadLine("conflicting_deals")
    return deals[0]


def _rules_of(question: dict[str, Any]) -> Rules:
    return Rules.named(question.get("rules", ""))


def _log_of(question: dict[str, object]) -> list[Any]:
    log = question.get("log")
    if not isinstance(log, list):
        raise BadLine("malformed_log")
    return log


def _scalar(value: object) -> object:
    """The value, None for an array or an object: those may be nested too deep to be written again."""
    return None if isinstance(value, list | dict) else value
