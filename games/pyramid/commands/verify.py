"""`verify`: check a settled day's bundle."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import BinaryIO

from games.pyramid.bundle_reader import lines_of
from games.pyramid.commands.arguments import Subparsers
from games.pyramid.verify import NotABundle, Verifier


def add_to(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "verify",
        help="check the bundle of a settled day",
        description="Recompute the commitment, deck, runs, order, ranks and digest of a settled day from its"
        " bundle alone, and print every difference.",
        epilog="Exit codes: 0 when everything holds, 1 for differences, 2 for input that is no bundle.",
    )
    parser.add_argument("bundle", type=_opened, metavar="BUNDLE", help="a file; - for standard input")
    parser.add_argument(
        "--solve", action="store_true", help="prove as well that nothing better can be played"
    )
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace) -> int:
    with args.bundle as file:
        verifier = Verifier(lines_of(file), solve=args.solve)
        try:
            for difference in verifier.differences():
                print(difference)
        except NotABundle as error:
            args.parser.error(f"this is no bundle: {error}")
    print(_summary(verifier))
    return 1 if verifier.found else 0


def _summary(verifier: Verifier) -> str:
    day = f"{verifier.header.get('date', 'A day')}: {verifier.runs} runs, {verifier.field_size} ranked."
    if verifier.found:
        return f"{day} Differences: {verifier.found}."
    return f"{day} Commitment, deck, runs, order, ranks and digest hold."


def _opened(path: str) -> BinaryIO:
    try:
        return sys.stdin.buffer if path == "-" else Path(path).open("rb")
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"the bundle cannot be opened: {error}") from None
