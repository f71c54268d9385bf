"""Checking bundles: a good one holds, and whatever is changed is found where it is."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from copy import deepcopy
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.pyramid import Board, Deal, Rules, replay
from games.pyramid.bundle import FORMAT, BoardDigest, Entry, Ranking
from games.pyramid.bundle_reader import LONGEST_LINE, lines_of
from games.pyramid.commitment import commitment
from games.pyramid.solver import best_clear
from games.pyramid.verify import NotABundle, Verifier
from tests.games.cast import wander

type Bundle = list[dict[str, Any]]
"""A header and its runs, as they are in JSON."""

ROOT = Path(__file__).parents[2]
DEAL = Deal.from_number(22)
RULES = Rules.named("cover-pairs")
SALT = "00112233445566778899aabbccddeeff"
BEST = best_clear(DEAL, RULES)


def run_line(number: int, log: list[str], elapsed_ms: int, **changes: Any) -> dict[str, Any]:
    outcome = replay(DEAL, RULES, log)
    points = outcome.points + RULES.time_bonus(won=outcome.won, elapsed_ms=elapsed_ms)
    line = {
        "run": str(UUID(int=number)),
        "player": f"player {number}",
        "rank": None,
        "cleared": outcome.cleared,
        "elapsed_ms": elapsed_ms,
        "log": log,
        "won": outcome.won,
        "moves": outcome.moves,
        "points": points,
        "voided": False,
        "unranked": None,
    }
    return line | changes


def made(runs: Iterable[dict[str, Any]]) -> Bundle:
    """The bundle of these runs, put in order, ranked and digested."""
    ranking, digest, lines = Ranking(), BoardDigest(), sorted(runs, key=lambda line: entry_of(line).order)
    for line in lines:
        if not line["voided"] and line["unranked"] is None:
            line["rank"] = ranking.place(line["cleared"], line["elapsed_ms"])
            digest.add(entry_of(line))
    header = {
        "format": FORMAT,
        "date": "2026-11-30",
        "rules": RULES.slug,
        "rules_version": RULES.version,
        "salt": SALT,
        "deck": DEAL.deck,
        "code": DEAL.code,
        "commitment": commitment(day=date(2026, 11, 30), rules=RULES.slug, salt=SALT, deck=DEAL.deck),
        "best_clear": BEST.cleared,
        "best_line": list(BEST.log),
        "difficulty": 0.75,
        "opens_at": "2026-11-30T00:00:00.000000Z",
        "closes_at": "2026-12-01T00:00:00.000000Z",
        "settled_at": "2026-12-01T01:01:00.000123Z",
        "voided": False,
        "revision": 2,
        "digest": digest.hexdigest(),
        "field_size": ranking.field_size,
        "runs": len(lines),
        "revisions": [
            {
                "revision": 1,
                "digest": "0" * 64,
                "settled_at": "2026-12-01T01:01:00.000123Z",
            },
            {
                "revision": 2,
                "digest": digest.hexdigest(),
                "settled_at": "2026-12-03T00:00:00.000000Z",
            },
        ],
    }
    return [header, *lines]


def entry_of(line: dict[str, Any]) -> Entry:
    return Entry(line["run"], line["cleared"], line["elapsed_ms"], " ".join(line["log"]))


def wandered(seed: int) -> list[str]:
    return wander(Board(DEAL, RULES), seed, 40)


GOOD = made(
    [
        run_line(1, list(BEST.log), 100_000),
        run_line(2, wandered(2), 50_000),
        run_line(3, wandered(2), 50_000),
        run_line(4, wandered(4), 60_000, voided=True),
        run_line(5, wandered(5), 60_500, unranked="looked"),
        run_line(6, ["D", "U"], 70_000),
        run_line(7, [], 3_600_000),
    ]
)


def written(bundle: Bundle) -> list[bytes]:
    return [json.dumps(line).encode() for line in bundle]


def told(lines: Iterable[bytes], *, solve: bool = False) -> list[str]:
    """Everything that differs, as it is printed."""
    return list(map(str, Verifier(lines, solve=solve).differences()))


def changed(change: Callable[[Bundle], object]) -> list[str]:
    """What is told about the good bundle after a change."""
    bundle = deepcopy(GOOD)
    change(bundle)
    return told(written(bundle))


def put(bundle: Bundle, *, place: int, field: str, value: Any) -> None:
    bundle[place][field] = value


def line_of(number: int) -> int:
    """On which line of the good bundle, from 1, a run is."""
    return 1 + next(index for index, line in enumerate(GOOD) if line.get("run") == str(UUID(int=number)))


def test_a_good_bundle_holds() -> None:
    verifier = Verifier(written(GOOD), solve=True)
    assert list(verifier.differences()) == []
    assert (verifier.runs, verifier.field_size, verifier.found) == (7, 5, 0)


def test_an_empty_day_holds() -> None:
    assert told(written(made([]))) == []


def test_a_day_without_a_code_and_a_proven_best_holds() -> None:
    def forget(bundle: Bundle) -> None:
        bundle[0] |= {"code": None, "best_clear": None, "best_line": [], "difficulty": None}

    assert changed(forget) == []


# --- Every field


def swapped_suits(deck: str) -> str:
    return deck.translate(str.maketrans("CD", "DC"))


HEADER_CHANGES: dict[str, tuple[Any, str]] = {
    "date": ("2026-11-29", "commitment is"),
    "rules": ("three-pass", "commitment is"),
    "rules_version": (2, "this program plays cover-pairs in version 1"),
    "salt": (SALT[::-1], "commitment is"),
    "deck": (swapped_suits(DEAL.deck), "deals another deck"),
    "code": (Deal.from_number(23).code, "deals another deck"),
    "commitment": ("0" * 64, "commitment is"),
    "best_clear": (27, "best_line clears 28, not the 27 of best_clear"),
    "best_line": (["D", "R"], "best_line is not legal. Move 1, R"),
    "opens_at": (
        "2026-11-30T00:00:01.000000Z",
        "opens_at is 2026-11-30T00:00:01.000000Z, not 2026-11-30T00:00:00.000000Z",
    ),
    "closes_at": ("2026-12-01T00:00:01.000000Z", "closes_at is"),
    "settled_at": ("2026-12-01T01:02:00.000000Z", "in the first of the revisions"),
    "voided": (True, "the day is void, and 5 runs are ranked"),
    "revision": (1, "revision is 1, and 2 in the last of the revisions"),
    "digest": ("1" * 64, "is that of the board"),
    "field_size": (6, "field_size is 6, and 5 runs are ranked"),
    "runs": (8, "runs is 8, and 7 lines follow"),
    "revisions": ([], "there is no revision"),
}


@pytest.mark.parametrize("field", HEADER_CHANGES)
def test_a_change_of_the_header_is_told(field: str) -> None:
    value, words = HEADER_CHANGES[field]
    differences = changed(lambda bundle: bundle[0].update({field: value}))
    assert any(words in text for text in differences), differences
    assert any(text.startswith("line 1: ") for text in differences)


RUN_CHANGES: dict[str, tuple[Any, str]] = {
    "cleared": (27, "cleared is 27, and the log makes it 28"),
    "won": (False, "won is false, and the log makes it true"),
    "moves": (3, "moves is 3, and the log makes it"),
    "points": (0, "points is 0, and the log makes it"),
    "rank": (2, "rank is 2, and the results make it 1"),
    "log": (["D", "D", "R"], "the log is not legal. Move 2, R: the stock still holds 22 cards."),
}


@pytest.mark.parametrize("field", RUN_CHANGES)
def test_a_change_of_a_run_is_told_with_its_line(field: str) -> None:
    value, words = RUN_CHANGES[field]
    differences = changed(lambda bundle: bundle[1].update({field: value}))
    assert any(text.startswith("line 2: ") and words in text for text in differences), differences


@pytest.mark.parametrize("field", ["cleared", "won", "moves", "points", "rank"])
def test_a_figure_that_is_changed_is_all_that_is_told(field: str) -> None:
    assert len(changed(lambda bundle: bundle[1].update({field: RUN_CHANGES[field][0]}))) == 1


def test_a_rank_of_0_is_as_wrong_as_another() -> None:
    differences = changed(partial(put, place=1, field="rank", value=0))
    assert differences == ["line 2: rank is 0, and the results make it 1"]


def test_the_time_counts_for_the_order_the_points_and_the_digest() -> None:
    differences = changed(lambda bundle: bundle[1].update(elapsed_ms=99_000))
    assert len(differences) == 2
    assert "line 2: points is" in differences[0]
    assert "line 1: digest is" in differences[1]


def test_another_id_is_told_by_the_digest() -> None:
    [difference] = changed(lambda bundle: bundle[1].update(run=str(UUID(int=99))))
    assert difference.startswith("line 1: digest is")


def test_two_runs_that_change_places_are_told() -> None:
    def swap(bundle: Bundle) -> None:
        bundle[1], bundle[2] = bundle[2], bundle[1]

    assert changed(swap)[0] == "line 3: the run belongs before the one above"


def test_runs_of_one_rank_stand_by_their_ids() -> None:
    def swap(bundle: Bundle) -> None:
        first, second = line_of(2) - 1, line_of(3) - 1
        bundle[first], bundle[second] = bundle[second], bundle[first]

    assert changed(swap)[0].endswith("the run belongs before the one above")


def test_a_run_that_is_there_twice_is_told() -> None:
    differences = changed(lambda bundle: bundle.append(bundle[-1]))
    assert f"line 9: the run is on line {len(GOOD)} already" in differences


@pytest.mark.parametrize("number", range(1, 8))
def test_a_missing_run_is_told(number: int) -> None:
    differences = changed(lambda bundle: bundle.pop(line_of(number) - 1))
    assert "line 1: runs is 7, and 6 lines follow" in differences


def test_a_run_that_does_not_count_has_no_rank() -> None:
    def rank(bundle: Bundle) -> None:
        bundle[line_of(4) - 1]["rank"] = 2
        bundle[line_of(6) - 1]["rank"] = None

    differences = changed(rank)
    assert f"line {line_of(4)}: rank is 2, and the run does not count" in differences
    assert f"line {line_of(6)}: rank is null, and the run counts" in differences


def test_a_run_that_is_not_void_any_more_comes_back_into_the_count() -> None:
    differences = changed(lambda bundle: bundle[line_of(4) - 1].update(voided=False))
    assert f"line {line_of(4)}: rank is null, and the run counts" in differences
    assert "line 1: field_size is 5, and 6 runs are ranked" in differences


def test_a_run_better_than_the_best_is_told() -> None:
    def lower(bundle: Bundle) -> None:
        bundle[0] |= {"best_clear": 0, "best_line": []}

    assert "line 2: the log clears 28, more than the 0 of best_clear" in changed(lower)


def test_a_best_that_is_too_low_is_found_by_solving() -> None:
    bundle = made([run_line(7, [], 1)])
    bundle[0] |= {"best_clear": 0, "best_line": ["D"]}
    assert told(written(bundle)) == []
    assert told(written(bundle), solve=True) == [
        "line 1: best_clear is 0, and the most that any play clears is 28"
    ]


def test_revisions_are_numbered() -> None:
    differences = changed(lambda bundle: bundle[0]["revisions"][0].update(revision=3))
    assert differences == ["line 1: the revisions are not numbered 1, 2, 3 and so on"]


def test_every_difference_is_told() -> None:
    def spoil(bundle: Bundle) -> None:
        for line in bundle[1:]:
            line["moves"] += 1

    assert [text.split(":")[0] for text in changed(spoil)] == [f"line {number}" for number in range(2, 9)]


def test_runs_are_told_from_their_form_where_the_header_cannot_be_used() -> None:
    def spoil(bundle: Bundle) -> None:
        bundle[0]["deck"] = "4H JD"
        bundle[1]["cleared"] = "28"

    assert changed(spoil)[:2] == [
        'line 1: deck is "4H JD", not a deck of 52 cards',
        'line 2: cleared is "28", not a whole number from 0 to 28',
    ]


def test_rules_that_nobody_knows_are_told() -> None:
    assert "line 1: There is no rule set martian. No run can be replayed" in changed(
        lambda bundle: bundle[0].update(rules="martian")
    )


def test_why_something_was_voided_is_no_part_of_a_bundle() -> None:
    assert 'line 1: voided is "A leak.", not true or false' in changed(
        lambda bundle: bundle[0].update(voided="A leak.")
    )


# --- Hostile input

WRONG: list[Any] = [None, True, -1, 2**70, 1.5, "", "\u2660", "\ud800", [], {}, [[]], "x" * 10_000]


@pytest.mark.parametrize("field", GOOD[1])
def test_a_run_of_the_wrong_form_is_told_and_never_a_traceback(field: str) -> None:
    for value in WRONG:
        is_name = field == "player" and isinstance(value, str)
        is_as_it_was = (value is None and field == "unranked") or (value is True and field == "won")
        differences = changed(partial(put, place=1, field=field, value=value))
        assert bool(differences) != (is_name or is_as_it_was)


@pytest.mark.parametrize("field", [name for name in GOOD[0] if name != "format"])
def test_a_header_of_the_wrong_form_is_told_and_never_a_traceback(field: str) -> None:
    for value in WRONG:
        is_fine = value is None and field in ("code", "best_clear", "difficulty")
        differences = changed(partial(put, place=0, field=field, value=value))
        assert bool(differences) != is_fine


def test_the_last_date_of_all_is_none_that_a_day_can_have() -> None:
    differences = changed(partial(put, place=0, field="date", value="9999-12-31"))
    assert differences[0] == 'line 1: date is "9999-12-31", not a date such as 2026-11-30'


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("field", ["run", "date", "salt", "log", "rank"])
def test_a_missing_field_is_told(place: int, field: str) -> None:
    if field in GOOD[place]:
        differences = changed(lambda bundle: bundle[place].pop(field))
        assert f"line {place + 1}: the field {field} is missing" in differences


@pytest.mark.parametrize("place", [0, 1])
def test_a_field_too_many_is_told(place: int) -> None:
    [difference] = changed(lambda bundle: bundle[place].update(extra=1))
    assert difference == f'line {place + 1}: there is no field "extra" in this format'


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"7", "not a JSON object"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"run": ' * 200_000, "nested too deep"),
        (b'{"run": 1, "run": 1}', 'the field "run" is there twice'),
        (b'{"rank": NaN}', "NaN is no number"),
        (b'{"rank": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"rank": 1e999}', "missing"),
    ],
)
def test_a_line_that_is_no_run_is_told(line: bytes, words: str) -> None:
    differences = told([*written(GOOD)[:-1], line])
    assert any(text.startswith("line 8: ") and words in text for text in differences), differences


def test_a_line_without_an_end_is_read_so_far_and_told(tmp_path: Path) -> None:
    path = tmp_path / "bundle"
    path.write_bytes(b"\n".join(written(GOOD)) + b"\n" + b"x" * (LONGEST_LINE * 2))
    with path.open("rb") as file:
        differences = told(lines_of(file))
    told_first = f"line 9: the line is longer than {LONGEST_LINE} bytes; nothing after it is read"
    assert differences[0] == told_first


@pytest.mark.parametrize("first", [b"", b"[]", b"{}", b'{"format": "pyramid-daily-bundle/2"}', b"\x00\xff"])
def test_what_does_not_begin_like_a_bundle_is_none(first: bytes) -> None:
    with pytest.raises(NotABundle):
        told([first, *written(GOOD)[1:]])


def test_nothing_is_no_bundle() -> None:
    with pytest.raises(NotABundle, match="empty"):
        told([])


TEXT = b"\n".join(written(GOOD)) + b"\n"


@given(st.integers(0, len(TEXT) - 1), st.integers(0, 255))
def test_no_byte_changed_makes_a_traceback(place: int, byte: int) -> None:
    spoilt = TEXT[:place] + bytes([byte]) + TEXT[place + 1 :]
    try:
        told(spoilt.removesuffix(b"\n").split(b"\n"))
    except NotABundle:
        assert place < TEXT.index(b"\n")


@given(st.integers(0, len(TEXT) - 2))
def test_a_truncated_bundle_is_told(length: int) -> None:
    try:
        assert told(TEXT[:length].removesuffix(b"\n").split(b"\n"))
    except NotABundle:
        assert length < TEXT.index(b"\n")


# --- The command


def verify(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command as people do, in a Python that finds no Django."""
    code = "import sys; sys.modules['django'] = None; from games.pyramid.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "verify", *arguments]
    return subprocess.run(command, input=given, capture_output=True, cwd=ROOT, check=False)


def test_the_command_says_that_everything_holds(tmp_path: Path) -> None:
    path = tmp_path / "bundle.ndjson"
    path.write_bytes(TEXT)
    said = verify(str(path), "--solve")
    assert said.returncode == 0
    assert (
        said.stdout
        == b"2026-11-30: 7 runs, 5 ranked. Commitment, deck, runs, order, ranks and digest hold.\n"
    )


def test_the_command_reads_standard_input_and_prints_what_differs() -> None:
    said = verify("-", given=TEXT.replace(b'"moves": 0', b'"moves": 4', 1))
    assert said.returncode == 1
    first, last = said.stdout.decode().splitlines()
    assert first.endswith("moves is 4, and the log makes it 0")
    assert last == "2026-11-30: 7 runs, 5 ranked. Differences: 1."


@pytest.mark.parametrize("given", [b"", b"no bundle\n", b"\x00" * 100])
def test_the_command_refuses_what_is_no_bundle(given: bytes) -> None:
    said = verify("-", given=given)
    assert (said.returncode, said.stdout) == (2, b"")
    assert b"this is no bundle" in said.stderr


def test_the_command_refuses_a_file_that_is_not_there() -> None:
    said = verify("/nowhere/at/all")
    assert said.returncode == 2
    assert b"cannot be opened" in said.stderr


def test_a_reader_who_leaves_ends_the_command_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "bundle.ndjson"
    path.write_bytes(TEXT.replace(b'"moves": 0', b'"moves": 4', 1))
    command = [sys.executable, "-m", "games.pyramid", "verify", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
