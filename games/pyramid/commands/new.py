"""`new`: a random deal code."""

from __future__ import annotations

import argparse
from random import SystemRandom

from games.pyramid.commands.arguments import Subparsers
from games.pyramid.deal import Deal


def add_to(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "new", help="print a random deal code", description="Print a random deal code."
    )
    parser.set_defaults(run=run)


def run(_args: argparse.Namespace) -> int:
    print(Deal.random(SystemRandom()).code)
    return 0
