"""Arguments that several commands take: which deal, which rules."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

from games.pyramid.deal import MAX_NUMBER, Deal
from games.pyramid.errors import BadDeal
from games.pyramid.rules import RULES, Rules

_DIGITS = re.compile("[0-9]{1,16}")

type Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name


type Options = argparse._MutuallyExclusiveGroup  # noqa: SLF001 - nor has this


def add_deal_options(parser: argparse.ArgumentParser) -> Options:
    """`--code`, `--number` or `--deck` as `args.deal`: one of these, or of what is added to the group."""
    options = parser.add_mutually_exclusive_group(required=True)
    options.add_argument("--code", dest="deal", type=told(Deal.from_code), help="a deal code, PYR1-…")
    options.add_argument("--number", dest="deal", type=told(numbered_deal), metavar="N", help="a deal number")
    options.add_argument("--deck", dest="deal", type=told(Deal.from_deck), help='52 cards, "4S TC JD …"')
    return options


def add_rules_option(parser: argparse.ArgumentParser) -> None:
    """`--rules SLUG` as `args.rules`."""
    parser.add_argument(
        "--rules",
        type=told(Rules.named),
        default=RULES["endless"],
        metavar="RULES",
        help=f"{', '.join(RULES)}; %(default)s when not given",
    )


def add_budget_option(parser: argparse.ArgumentParser) -> None:
    """`--node-budget N` as `args.node_budget`, None for no limit."""
    parser.add_argument(
        "--node-budget",
        type=_count,
        metavar="N",
        help="look into so many positions at most, at some 30,000 a second; no limit when not given",
    )


def _count(text: str) -> int:
    if not _DIGITS.fullmatch(text):
        raise argparse.ArgumentTypeError("a whole number, 0 or more")
    return int(text)


def code_or_number(text: str) -> Deal:
    """The deal of a code or of a number in decimal digits. Raises BadDeal."""
    return numbered_deal(text) if text.isdecimal() else Deal.from_code(text)


def numbered_deal(text: str) -> Deal:
    """The deal of a number in ASCII decimal digits. Raises BadDeal."""
    if not _DIGITS.fullmatch(text):
        raise BadDeal("bad_number", text, f"A deal's number is a whole number from 1 to {MAX_NUMBER}.")
    return Deal.from_number(int(text))


def told[T](read: Callable[[str], T]) -> Callable[[str], T]:
    """The reader as an argparse type that refuses in the reader's own words."""

    def read_argument(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read_argument
