"""`replay`: judge a move log."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import BinaryIO

from games.pyramid.commands.arguments import Subparsers, add_deal_options, add_rules_option
from games.pyramid.errors import IllegalMove
from games.pyramid.ndjson import answer_stream, replayed
from games.pyramid.replay import replay


def add_to(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "replay",
        help="judge a move log",
        description="Play a log of moves and print the outcome, or the first move that is refused and why.",
        epilog="Exit codes: 0 for a legal log, 1 for a refused move, 2 for input that cannot be understood.",
    )
    add_deal_options(parser).add_argument(
        "--ndjson",
        action="store_true",
        help='answer each line of the input, {"rules", "code"|"number"|"deck", "log"}, with a line of JSON',
    )
    add_rules_option(parser)
    parser.add_argument(
        "log",
        nargs="?",
        type=_opened,
        default="-",
        help="a file with the moves, separated by white space or as a JSON array; - for standard input",
    )
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace) -> int:
    with args.log as file:
        return answer_stream(replayed, file) if args.ndjson else _judge(args, file.read())


def _judge(args: argparse.Namespace, text: bytes) -> int:
    try:
        outcome = replay(args.deal, args.rules, _read_log(text, args.parser))
    except IllegalMove as refused:
        print(f"{refused} ({refused.code})")
        return 1
    for name, figure in outcome.as_dict().items():
        print(f"{name + ':':<9}{json.dumps(figure)}")
    return 0


def _opened(path: str) -> BinaryIO:
    try:
        return sys.stdin.buffer if path == "-" else Path(path).open("rb")
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"the log cannot be opened: {error}") from None


def _read_log(text: bytes, parser: argparse.ArgumentParser) -> list[str]:
    try:
        # Some editors begin a text file with a byte order mark.
        return parse_log(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        parser.error(f"the log cannot be read: {error}")


def parse_log(text: str) -> list[str]:
    """The moves of a JSON array or of words separated by white space. Raises ValueError for broken JSON."""
    if not text.lstrip().startswith("["):
        return text.split()
    moves: list[str] = json.loads(text)
    return moves
