"""`explain`: the best that can be cleared, move by move."""

from __future__ import annotations

import argparse

from games.pyramid.commands.arguments import (
    Subparsers,
    add_budget_option,
    add_rules_option,
    code_or_number,
    told,
)
from games.pyramid.drawing import draw_deal
from games.pyramid.layout import PYRAMID_SIZE
from games.pyramid.narration import narrate
from games.pyramid.solver import Best, best_clear


def add_to(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "explain",
        help="tell the best play move by move",
        description="Find the most cards of the pyramid that any play clears, and tell it move by move.",
    )
    parser.add_argument("deal", type=told(code_or_number), metavar="CODE|NUMBER")
    add_rules_option(parser)
    add_budget_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    best = best_clear(args.deal, args.rules, node_budget=args.node_budget)
    print(f"{draw_deal(args.deal)}\n\n{args.rules.title}: {_verdict(best)}\n")
    for line in narrate(args.deal, args.rules, best.log):
        print(line)
    return 0


def _verdict(best: Best) -> str:
    if best.proven:
        return f"{best.cleared} of {PYRAMID_SIZE} can be cleared, and no play clears more."
    return f"{best.cleared} of {PYRAMID_SIZE} can be cleared; whether more can is open."
