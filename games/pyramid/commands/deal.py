"""`deal`: show what a code or a number deals."""

from __future__ import annotations

import argparse
import sys

from games.pyramid.commands.arguments import Subparsers, code_or_number, told
from games.pyramid.drawing import draw_deal
from games.pyramid.ndjson import answer_stream, dealt


def add_to(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "deal", help="show a deal", description="Show what a code or a number deals."
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("deal", nargs="?", type=told(code_or_number), metavar="CODE|NUMBER")
    what.add_argument(
        "--ndjson",
        action="store_true",
        help='answer each line of standard input, {"code"|"number": …}, with a line {"code": …, "deck": …}',
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.ndjson:
        return answer_stream(dealt, sys.stdin.buffer)
    print(draw_deal(args.deal))
    return 0
