"""`replay`: judge a move log."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

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
    add_deal_options(parser, required=False)
    add_rules_option(parser)
    parser.add_argument(
        "log",
        nargs="?",
        default="-",
        help="a file with the moves, separated by white space or as a JSON array; - for standard input",
    )
    parser.add_argument(
        "--ndjson",
        action="store_true",
        help='answer each line of standard input, {"rules", "code"|"number"|"deck", "log"}, with a line',
    )
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace) -> int:
    if args.ndjson:
        return answer_stream(replayed)
    if args.deal is None:
        args.parser.error("one of the arguments --code --number --deck --ndjson is required")
    log = _read_log(args.log, args.parser)
    try:
        outcome = replay(args.deal, args.rules, log)
    except IllegalMove as refused:
        print(f"{refused} ({refused.code})")
        return 1
    for name, figure in outcome.as_dict().items():
        print(f"{name + ':':<9}{json.dumps(figure)}")
    return 0


def _read_log(path: str, parser: argparse.ArgumentParser) -> list[str]:
    try:
        return parse_log(_read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        parser.error(f"the log cannot be read: {error}")


def _read_text(path: str) -> str:
    if path == "-":
        return sys.stdin.read()
    return Path(path).read_text(encoding="utf-8")


def parse_log(text: str) -> list[str]:
    """The moves of a JSON array or of words separated by white space. Raises ValueError for broken JSON."""
    if not text.lstrip().startswith("["):
        return text.split()
    moves: list[str] = json.loads(text)
    return moves
