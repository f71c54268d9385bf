import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from games.pyramid import RULES, Board, Deal
from games.pyramid.cli import main
from tests.games.cast import EASY, EASY_PYRAMID

LOG_THAT_WINS_DEAL_22 = (
    "6H7S TC3C JS2S KC D 7C6S TD3D TH3S D D KH D D D AHQS 9H4H 9C4C QCAD KS JD2D D 8S5D D D 3HTS D D D D D KD"
    " D D 8H5S D D 7D6D D D ASQH 2CJC D 8C5H"
)
ROOT = Path(__file__).parents[2]


class Said(NamedTuple):
    exit_code: int
    out: str
    err: str


type Cli = Callable[..., Said]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run the command line in this process with these arguments and this standard input."""

    def run(*arguments: str, given: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        try:
            exit_code = main(arguments)
        except SystemExit as stop:
            exit_code = int(stop.code or 0)
        return Said(exit_code, *capsys.readouterr())

    return run


def test_deal_shows_what_a_code_or_a_number_deals(cli: Cli) -> None:
    deal = Deal.from_number(12345)
    by_number, by_code = cli("deal", "12345"), cli("deal", str(deal.code).lower())
    assert by_number == by_code
    assert by_number.exit_code == 0
    assert by_number.out.splitlines()[:2] == [deal.code, deal.deck]


@pytest.mark.parametrize(
    "text",
    ["0", "9" * 17, "9" * 5000, "\u0663", "-1", "PYR1-0000-0000-0000-0018", "", "x\udcff"],
    ids=count(),
)
def test_deal_refuses_what_names_no_deal(cli: Cli, text: str) -> None:
    said = cli("deal", text)
    assert (said.exit_code, said.out) == (2, "")
    assert "usage:" in said.err


def test_deal_tells_the_range_of_numbers_however_long_the_number_is(cli: Cli) -> None:
    assert "a whole number from 1 to 9007199254740991" in " ".join(cli("deal", "9" * 5000).err.split())


def test_deal_wants_a_deal_or_a_stream(cli: Cli) -> None:
    assert cli("deal").exit_code == 2


def test_deal_ndjson_answers_line_by_line(cli: Cli) -> None:
    said = cli("deal", "--ndjson", given='{"number": 1}\n{"code": "x"}\n')
    deal = Deal.from_number(1)
    assert said.exit_code == 0
    assert [json.loads(line) for line in said.out.splitlines()] == [
        {"code": deal.code, "deck": deal.deck},
        {"error": {"code": "malformed_code"}},
    ]


@pytest.mark.parametrize(
    "log",
    [" ".join(EASY_PYRAMID), "\n".join(EASY_PYRAMID), json.dumps(EASY_PYRAMID)],
    ids=["words", "lines", "json"],
)
def test_replay_prints_the_outcome_of_a_log(cli: Cli, log: str) -> None:
    said = cli("replay", "--deck", EASY.deck, "--rules", "pyramide", given=log)
    assert said.exit_code == 0
    assert said.out.splitlines() == [
        "cleared: 28",
        "won:     true",
        "stuck:   false",
        "moves:   16",
        "points:  280",
        "pass:    1",
        "stock:   23",
        "waste:   1",
    ]


def test_replay_reads_the_log_from_a_file(cli: Cli, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("D D\n")
    assert "moves:   2" in cli("replay", "--number", "1", str(log)).out


def test_replay_plays_endless_when_no_rules_are_given(cli: Cli) -> None:
    assert (
        "pass:    9" in cli("replay", "--code", "PYR1-0000-0000-0000-0017", given=("D " * 24 + "R ") * 8).out
    )


def test_replay_tells_the_refused_move_with_its_index_and_reason(cli: Cli) -> None:
    said = cli("replay", "--deck", EASY.deck, given="D D QD")
    assert said == (1, "Move 2, QD: QD is still covered by 9D and 5D. (covered)\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--number", "1", "--rules", "nope"],
        ["--number", "x"],
        ["--number", "1", "--code", "PYR1-0000-0000-0000-0017"],
        ["--number", "1", "--ndjson"],
        ["--code", "x"],
        ["--deck", "AC"],
        ["--number", "1", "no/such/file"],
        ["--number", "1", "."],
        ["--number", "1", "\0"],
        [],
    ],
)
def test_replay_of_what_cannot_be_understood_exits_with_2(cli: Cli, arguments: list[str]) -> None:
    said = cli("replay", *arguments, given="D")
    assert (said.exit_code, said.out) == (2, "")
    assert "error:" in said.err


def test_replay_of_a_log_that_is_no_utf8_exits_with_2(cli: Cli, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"D \xff")
    said = cli("replay", "--number", "1", str(log))
    assert (said.exit_code, said.out) == (2, "")
    assert "the log cannot be read" in said.err


def test_replay_reads_past_the_byte_order_mark_of_a_log(cli: Cli) -> None:
    for log in ("D D", '["D", "D"]'):
        assert "moves:   2" in cli("replay", "--number", "1", given=f"\ufeff{log}").out


@pytest.mark.parametrize("log", ['["D"', "[" * 200_000], ids=["cut off", "too deep"])
def test_replay_of_a_log_that_is_broken_json_exits_with_2(cli: Cli, log: str) -> None:
    said = cli("replay", "--number", "1", given=log)
    assert (said.exit_code, said.out) == (2, "")
    assert "the log cannot be read" in said.err


def test_replay_ndjson_answers_each_line_and_goes_on_after_a_bad_one(cli: Cli) -> None:
    lines = [
        '{"rules": "endless", "number": 1, "log": ["D"]}',
        "nonsense",
        '{"rules": "strict", "number": 1, "log": ["R"]}',
    ]
    said = cli("replay", "--ndjson", given="\n".join(lines))
    assert said.exit_code == 0
    assert [json.loads(line) for line in said.out.splitlines()] == [
        {
            "cleared": 0,
            "won": False,
            "stuck": False,
            "moves": 1,
            "points": 0,
            "pass": 1,
            "stock": 23,
            "waste": 1,
        },
        {"error": {"index": None, "move": None, "code": "malformed_json"}},
        {"error": {"index": 0, "move": "R", "code": "stock_not_empty"}},
    ]


def test_replay_ndjson_reads_a_file_too(cli: Cli) -> None:
    said = cli("replay", "--ndjson", str(ROOT / "tests" / "data" / "replay.jsonl"))
    assert len(said.out.splitlines()) == 300


def test_new_prints_another_code_each_time(cli: Cli) -> None:
    codes = {cli("new").out for _ in range(5)}
    assert len(codes) == 5
    for code in codes:
        assert Deal.from_code(code.rstrip("\n")).code == code.rstrip("\n")


def test_rules_lists_every_rule_set(cli: Cli) -> None:
    lines = cli("rules").out.splitlines()
    assert [line.split()[0] for line in lines] == list(RULES)


def test_play_draws_the_board_after_every_move_and_prints_a_log_that_replays(cli: Cli) -> None:
    said = cli("play", "1", "--rules", "strict", given="d\n\n8s 5d\nkc\nq\n")
    assert said.exit_code == 0
    assert "pass    1 of 1 · moves 3 · cleared 3 · points 0" in said.out
    log = re.search("log: (.*)", said.out)
    assert log is not None
    assert log[1] == "D 8S5D KC"
    assert "cleared: 3" in cli("replay", "--number", "1", "--rules", "strict", given=log[1]).out


def test_play_says_why_a_move_is_refused_and_goes_on(cli: Cli) -> None:
    said = cli("play", "1", given="4s\nd\n")
    assert "4S: 4S is still covered by TC and JD." in said.out
    assert "log: D\n" in said.out


def test_play_lists_the_legal_moves(cli: Cli) -> None:
    assert "Legal: 3DTD 8S5D KC D\n" in cli("play", "1", given="m\n").out


def test_play_tells_when_no_move_is_left(cli: Cli) -> None:
    board = Board(Deal.from_number(1), RULES["one-pass"])
    log = []
    while moves := board.legal_moves:
        log.append(str(board.play(moves[0])))
    said = cli("play", "1", "--rules", "one-pass", given="\n".join(log))
    assert said.out.count("No move is left.") == 1
    assert f"You have cleared {board.cleared} of 28." in said.out


def test_an_interrupt_ends_a_game_without_a_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    said = cli("play", "1")
    assert (said.exit_code, said.err) == (130, "")


def test_play_ends_when_the_run_is_won(cli: Cli) -> None:
    said = cli("play", "22", given="\n".join([*LOG_THAT_WINS_DEAL_22.split(), "d"]))
    assert "cleared 28" in said.out
    assert said.out.splitlines()[-2:] == [
        "You have won!",
        f"Deal PYR1-0000-0000-0000-00PW, rules endless, log: {LOG_THAT_WINS_DEAL_22}",
    ]


def test_play_ends_its_line_when_the_input_ends(cli: Cli) -> None:
    assert "> \nYou have cleared 0 of 28." in cli("play", "1").out


def test_play_deals_a_random_deal_when_none_is_named(cli: Cli) -> None:
    dealt = [re.search("PYR1-[-0-9A-Z]+", cli("play").out) for _ in range(2)]
    assert dealt[0] is not None
    assert dealt[1] is not None
    assert dealt[0][0] != dealt[1][0]


@pytest.mark.parametrize("arguments", [[], ["nope"]])
def test_without_a_known_command_there_is_a_usage_line(cli: Cli, arguments: list[str]) -> None:
    said = cli(*arguments)
    assert said.exit_code == 2
    assert said.err.startswith("usage: python -m games.pyramid")


def start(*arguments: str, locale: str = "C") -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "games.pyramid", *arguments],
        cwd=ROOT,
        env={**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_the_output_is_utf8_whatever_the_locale_says() -> None:
    with start("play", "1") as process:
        out, err = process.communicate(b"\xef\xbc\xab\xff\n")
    assert "· moves 0 ·" in out.decode("utf-8")
    assert (process.returncode, err) == (0, b"")


def test_a_stream_is_answered_line_by_line_while_it_is_still_open() -> None:
    with start("deal", "--ndjson") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(b'{"number": %d}\n' % number)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["code"] == Deal.from_number(number).code
        process.stdin.close()


def test_a_reader_who_leaves_ends_the_stream_without_a_traceback() -> None:
    with start("deal", "--ndjson") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b'{"number": 1}\n' * 10)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["new"], ["deal", "--ndjson"]], ids=count())
def test_a_full_disk_is_told_without_a_traceback(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        said = subprocess.run(
            [sys.executable, "-m", "games.pyramid", *arguments],
            cwd=ROOT,
            input=b"{}\n",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (said.returncode, said.stderr.count(b"\n")) == (74, 1)
    assert b"No space left" in said.stderr


@pytest.mark.parametrize(
    "command",
    ["new >&-", "deal --ndjson <&-", "play 1 <&-", "replay --number 1 <&- >&-", "verify - <&- 2>&-"],
)
def test_a_closed_stream_is_an_empty_one(command: str) -> None:
    said = subprocess.run(
        ["sh", "-c", f'"$0" -m games.pyramid {command}', sys.executable],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (said.returncode, said.stderr) == (2 if command.startswith("verify") else 0, b"")
