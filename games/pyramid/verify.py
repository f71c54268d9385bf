"""Checking a bundle: all that can be recomputed is, and every difference is told.

Taken as given is what only the service can know: when runs were submitted, whose they are, and which of them
do not count. Memory holds some numbers a run, never the logs.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from games.pyramid.bundle import FORMAT, BoardDigest, Entry
from games.pyramid.bundle_reader import HEADER, RUN, BadLine, complaints, read_object, shown, well_formed
from games.pyramid.commitment import commitment
from games.pyramid.deal import Deal
from games.pyramid.errors import IllegalMove, UnknownRules
from games.pyramid.replay import Outcome, replay
from games.pyramid.rules import Rules
from games.pyramid.solver import best_clear

_NO_RANK = -1

type Fields = dict[str, Any]


class NotABundle(ValueError):
    """The input does not begin like a bundle; the text says why."""


class Difference(NamedTuple):
    """Something that is not as it should be: the line it was found on, from 1, and a sentence."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


class Verifier:
    """One pass through a bundle; `differences` first, then the rest is known."""

    def __init__(self, lines: Iterable[bytes], *, solve: bool = False) -> None:
        """Check these lines; ``solve`` also proves ``best_clear``, which may take some seconds."""
        self.header: Fields = {}
        self.runs = self.found = 0
        self._lines = enumerate(lines, start=1)
        self._solves = solve
        self._line_of_run: dict[int, int] = {}
        self._last: Entry | None = None
        self._board = BoardDigest()
        self._scores, self._ranks, self._ranked_lines = array("q"), array("q"), array("q")

    @property
    def field_size(self) -> int:
        """How many runs are ranked."""
        return self._board.field_size

    def differences(self) -> Iterator[Difference]:
        """Everything that differs, as it is found. Raises NotABundle."""
        for difference in self._check():
            self.found += 1
            yield difference

    def _check(self) -> Iterator[Difference]:
        yield from (Difference(1, text) for text in self._check_header())
        for number, line in self._lines:
            self.runs += 1
            yield from (Difference(number, text) for text in self._check_line(number, line))
        yield from self._check_ranks()
        yield from (Difference(1, text) for text in self._check_sums())

    # --- The header

    def _check_header(self) -> Iterator[str]:
        fields = _read_first(next(self._lines, None))
        yield from complaints(fields, HEADER)
        self.header = header = well_formed(fields, HEADER)
        self._deal = Deal.from_deck(header["deck"]) if "deck" in header else None
        yield from self._check_rules()
        yield from _check_commitment(header)
        yield from _check_times(header)
        yield from _check_revisions(header)
        yield from self._check_best()

    def _check_rules(self) -> Iterator[str]:
        self._rules: Rules | None = None
        if not self.header.keys() >= {"rules", "rules_version"}:
            return
        try:
            rules = Rules.named(self.header["rules"])
        except UnknownRules as error:
            yield f"{error} No run can be replayed"
            return
        if rules.version == self.header["rules_version"]:
            self._rules = rules
        else:
            told = f"rules_version is {self.header['rules_version']}, and this program plays {rules}"
            yield f"{told} in version {rules.version}: no run can be replayed"

    def _check_best(self) -> Iterator[str]:
        best, line = self.header.get("best_clear"), self.header.get("best_line")
        if best is None or line is None or self._deal is None or self._rules is None:
            return
        try:
            reached = replay(self._deal, self._rules, line).cleared
        except IllegalMove as refused:
            yield f"best_line is not legal. {refused}"
        else:
            if reached != best:
                yield f"best_line clears {reached}, not the {best} of best_clear"
        if self._solves and (proof := best_clear(self._deal, self._rules)).cleared != best:
            yield f"best_clear is {best}, and the most that any play clears is {proof.cleared}"

    # --- The runs

    def _check_line(self, number: int, line: bytes) -> Iterator[str]:
        try:
            run = read_object(line)
        except BadLine as error:
            yield str(error)
            return
        wrong = list(complaints(run, RUN))
        yield from wrong
        if len(well_formed(run, RUN)) == len(RUN):
            yield from self._check_run(number, run)

    def _check_run(self, number: int, run: Fields) -> Iterator[str]:
        outcome: Outcome | None = None
        if self._deal and self._rules:
            try:
                outcome = replay(self._deal, self._rules, run["log"])
            except IllegalMove as refused:
                yield f"the log is not legal. {refused}"
        if outcome and self._rules:
            yield from _check_outcome(run, outcome, self._rules)
            yield from self._check_possible(outcome)
        yield from self._check_place(number, run, outcome.cleared if outcome else run["cleared"])

    def _check_possible(self, outcome: Outcome) -> Iterator[str]:
        best = self.header.get("best_clear")
        if best is not None and outcome.cleared > best:
            yield f"the log clears {outcome.cleared}, more than the {best} of best_clear"

    def _check_place(self, number: int, run: Fields, cleared: int) -> Iterator[str]:
        earlier = self._line_of_run.setdefault(UUID(run["run"]).int, number)
        if earlier != number:
            yield f"the run is on line {earlier} already"
        entry = Entry(run["run"], cleared, run["elapsed_ms"], " ".join(run["log"]))
        if self._last and entry.order < self._last.order:
            yield "the run belongs before the one above"
        self._last = entry
        if not run["voided"] and run["unranked"] is None:
            yield from self._enter(number, run["rank"], entry)
        elif run["rank"] is not None:
            yield f"rank is {run['rank']}, and the run does not count"

    def _enter(self, number: int, rank: int | None, entry: Entry) -> Iterator[str]:
        if rank is None:
            yield "rank is null, and the run counts"
        self._board.add(entry)
        self._scores.append((28 - entry.cleared << 53) + entry.elapsed_ms)
        self._ranks.append(_NO_RANK if rank is None else rank)
        self._ranked_lines.append(number)

    # --- What only the whole tells

    def _check_ranks(self) -> Iterator[Difference]:
        best_first = array("q", sorted(self._scores))
        for number, rank, score in zip(self._ranked_lines, self._ranks, self._scores, strict=True):
            right = bisect_left(best_first, score) + 1
            if rank not in (_NO_RANK, right):
                yield Difference(number, f"rank is {rank}, and the results make it {right}")

    def _check_sums(self) -> Iterator[str]:
        counted = {
            "runs": (self.runs, "lines follow"),
            "field_size": (self.field_size, "runs are ranked"),
            "digest": (self._board.hexdigest(), "is that of the board"),
        }
        for name, (value, told) in counted.items():
            if name in self.header and self.header[name] != value:
                yield f"{name} is {self.header[name]}, and {value} {told}"
        if self.header.get("voided") and self.field_size:
            yield f"the day is void, and {self.field_size} runs are ranked"


def _read_first(numbered: tuple[int, bytes] | None) -> Fields:
    if numbered is None:
        raise NotABundle("it is empty")
    try:
        fields = read_object(numbered[1])
    except BadLine as error:
        raise NotABundle(f"on line 1 {error}") from None
    if fields.get("format") != FORMAT:
        raise NotABundle(f"its format is {shown(fields.get('format'))}, not {FORMAT}")
    return fields


def _check_commitment(header: Fields) -> Iterator[str]:
    if header.keys() >= {"commitment", "date", "rules", "salt", "deck"}:
        day, deck = date.fromisoformat(header["date"]), header["deck"]
        right = commitment(day=day, rules=header["rules"], salt=header["salt"], deck=deck)
        if right != header["commitment"]:
            yield f"commitment is {header['commitment']}, and date, rules, salt and deck make it {right}"
    if header.get("code") and "deck" in header and Deal.from_code(header["code"]).deck != header["deck"]:
        yield f"the code {header['code']} deals another deck"


def _check_times(header: Fields) -> Iterator[str]:
    if "date" not in header:
        return
    for name, days in (("opens_at", 0), ("closes_at", 1)):
        right = f"{date.fromisoformat(header['date']) + timedelta(days)}T00:00:00.000000Z"
        if name in header and header[name] != right:
            yield f"{name} is {header[name]}, not {right}"


def _check_revisions(header: Fields) -> Iterator[str]:
    if not header.keys() >= {"revisions", "revision", "digest", "settled_at"}:
        return
    revisions = header["revisions"]
    if not revisions:
        yield "there is no revision"
        return
    if any(revision["revision"] != number for revision, number in zip(revisions, count(1))):
        yield "the revisions are not numbered 1, 2, 3 and so on"
    first, last = revisions[0], revisions[-1]
    for name, value in (("revision", last["revision"]), ("digest", last["digest"])):
        if header[name] != value:
            yield f"{name} is {header[name]}, and {value} in the last of the revisions"
    if header["settled_at"] != first["settled_at"]:
        yield f"settled_at is {header['settled_at']}, and {first['settled_at']} in the first of the revisions"


def _check_outcome(run: Fields, outcome: Outcome, rules: Rules) -> Iterator[str]:
    points = outcome.points + rules.time_bonus(won=outcome.won, elapsed_ms=run["elapsed_ms"])
    right = {"cleared": outcome.cleared, "won": outcome.won, "moves": outcome.moves, "points": points}
    for name, value in right.items():
        if run[name] != value:
            yield f"{name} is {shown(run[name])}, and the log makes it {shown(value)}"
