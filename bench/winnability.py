"""Whether as many deals can be won as others have found: `python bench/winnability.py [--deals 3000]`.

Solves the deals numbered from 1 under the rules behind each public figure. Prints the public share of deals
that can be won, ours, and how far a sample of this size strays from the truth at most in 99 of 100 cases.
"""

from __future__ import annotations

import argparse
import sys
from math import sqrt
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games.pyramid import RULES, Deal, Rules
from games.pyramid.solver import can_win

NORMAL_99 = 2.576


class Figure(NamedTuple):
    title: str
    rules: Rules
    public_percent: float


FIGURES = [
    Figure("pyramid, unlimited passes", RULES["endless"], 66.87),
    Figure("pyramid, unlimited passes, cover pairs", Rules(slug="study", cover_pairs=True), 83.15),
    Figure("pyramid, three passes", RULES["three-pass"], 65.8),
    Figure("pyramid, three passes, stock top in play", RULES["open-stock"], 66.5),
    Figure(
        "pyramid, one pass, stock top in play", Rules(slug="study", passes=1, stock_top_in_play=True), 9.02
    ),
    Figure(
        "pyramid, one pass, stock top in play, cover pairs",
        Rules(slug="study", passes=1, stock_top_in_play=True, cover_pairs=True),
        22.77,
    ),
    Figure("all 52, one pass, stock top in play", RULES["strict"], 6.80),
]


def sampling_error_percent(percent: float, deals: int) -> float:
    return NORMAL_99 * sqrt(percent * (100 - percent) / deals)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=3000, help="how many deals, %(default)s when not given")
    deals = parser.parse_args().deals
    print(f"{f'% of {deals} deals that can be won':<52}{'public':>8}{'ours':>8}{'chance':>8}")
    for title, rules, public in FIGURES:
        won = sum(can_win(Deal.from_number(number), rules) is True for number in range(1, deals + 1))
        ours = 100 * won / deals
        chance = sampling_error_percent(public, deals)
        verdict = "OK" if abs(ours - public) <= chance else "!!"
        print(f"{title:<52}{public:>8.2f}{ours:>8.2f}{f'±{chance:.2f}':>8}  {verdict}", flush=True)


if __name__ == "__main__":
    main()
