"""How fast deals are solved: `python bench/solver.py [--deals 500]`.

Prints how long `best_clear` takes for each rule set over the deals numbered from 1, in milliseconds of
processor time, so a busy machine does not count against it.
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path
from statistics import median, quantiles
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games.pyramid import RULES, Deal, Rules
from games.pyramid.solver import best_clear


def solving_ms(deal: Deal, rules: Rules) -> float:
    start = process_time()
    best_clear(deal, rules)
    return (process_time() - start) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=500, help="how many deals, %(default)s when not given")
    args = parser.parse_args()
    print(f"{args.deals} deals, Python {platform.python_version()}, {platform.machine()}")
    print(f"{'ms':<12}{'median':>10}{'p95':>10}{'worst':>10}")
    for rules in RULES.values():
        times = [solving_ms(Deal.from_number(number), rules) for number in range(1, args.deals + 1)]
        p95 = quantiles(times, n=20, method="inclusive")[-1]
        print(f"{rules.slug:<12}{median(times):>10.2f}{p95:>10.1f}{max(times):>10.1f}", flush=True)


if __name__ == "__main__":
    main()
