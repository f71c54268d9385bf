"""`solve`: the best that can be cleared, with a log that does it."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial

from games.pyramid.commands.arguments import (
    Subparsers,
    add_budget_option,
    add_rules_option,
    code_or_number,
    told,
)
from games.pyramid.deal import Deal
from games.pyramid.ndjson import answer_stream, solved
from games.pyramid.solver import best_clear


def add_to(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "solve",
        help="find the best that can be cleared",
        description="Find the most cards of the pyramid that any play clears, and a log that does it.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("deal", nargs="?", type=told(code_or_number), metavar="CODE|NUMBER")
    what.add_argument("--deck", type=told(Deal.from_deck), help='52 cards, "4S TC JD …"')
    what.add_argument(
        "--ndjson",
        action="store_true",
        help='answer each line of standard input, {"rules", "code"|"number"|"deck"}, with a line'
        ' {"cleared", "proven", "log"}',
    )
    add_rules_option(parser)
    add_budget_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.ndjson:
        return answer_stream(partial(solved, node_budget=args.node_budget), sys.stdin.buffer)
    best = best_clear(args.deal or args.deck, args.rules, node_budget=args.node_budget)
    print(f"cleared: {best.cleared}")
    print(f"proven:  {json.dumps(best.proven)}")
    print(f"log:     {' '.join(best.log)}")
    return 0
