"""`rules`: the rule sets there are."""

from __future__ import annotations

import argparse

from games.pyramid.commands.arguments import Subparsers
from games.pyramid.rules import RULES


def add_to(commands: Subparsers) -> None:
    parser = commands.add_parser("rules", help="list the rule sets", description="List the rule sets.")
    parser.set_defaults(run=run)


def run(_args: argparse.Namespace) -> int:
    for rules in RULES.values():
        print(f"{rules.slug:<12} {rules.summary}")
    return 0
