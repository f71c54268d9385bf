"""No input breaks it: 0 answers of 500 and above, 0 slower than 2 s, 0 rows changed by what is refused.

    python -m bench.hostile [--generated 20000] [--seed 1] [--minutes 40]

Sends every hand-made request straight to granian and through the proxy of the deployment, stalls 8, 50 and
200 senders at the proxy while others ask, and sends generated calls and logs. Ends with 1 where a promise is
broken.
nginx has to be installed (Debian, Ubuntu: apt install nginx-light).
"""

import argparse
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from bench.hostile.proxy import proxy
from bench.service import deployment, load_averages

if TYPE_CHECKING:  # it needs Django set up
    from bench.hostile.judging import Verdicts

STALLED = (8, 50, 200)
LOGS_SHARE = 0.4
SHOWN = 60
"""How many different faults are printed."""


def main() -> int:
    """Send everything and print what came of it."""
    options = _options()
    with deployment(options.minutes) as service, proxy(service.port) as proxy_port:
        service.worker.stop()  # so that nobody else changes rows
        service.beat.stop()
        found = _attack(service.port, proxy_port, options)
    for verdicts in found.values():
        for fault, times in Counter(verdicts.faults).most_common(SHOWN):
            print(f"{times} x {fault[:600]}")
    print(f"load averages {load_averages()}")
    for name, verdicts in found.items():
        print(_line(name, verdicts))
    broken = sum(len(verdicts.faults) for verdicts in found.values())
    print(f"{sum(verdicts.requests for verdicts in found.values()):,} requests, {broken} broken promises")
    return 1 if broken else 0


def _attack(port: int, proxy_port: int, options: argparse.Namespace) -> "dict[str, Verdicts]":
    from bench.hostile import generated, handmade, stage, stalled
    from bench.hostile.judging import Verdicts

    cast, found = stage.make_cast(), dict[str, Verdicts]()

    def begin(name: str) -> Verdicts:
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr)
        return found.setdefault(name, Verdicts())

    handmade.send_all(port, cast, begin("hand-made, straight to granian"), is_proxied=False)
    handmade.send_all(proxy_port, cast, begin("hand-made, through the proxy"), is_proxied=True)
    for number in STALLED:
        others = begin(f"others, while {number} senders stall")
        with stalled.stalled(proxy_port, number):
            stalled.look_after_others(proxy_port, cast, others)
    amount = round(options.generated * LOGS_SHARE)
    day = stage.today()
    logs = generated.Logs(port, cast, day.deck, day.rules, begin("generated logs"))
    logs.make(amount, options.seed)
    calls = generated.Calls(port, stage.make_guest_cast, begin("generated calls"))
    calls.make(options.generated - amount, options.seed)
    return found


def _line(name: str, verdicts: "Verdicts") -> str:
    wordless = f", {verdicts.wordless} refused by granian without a word" if verdicts.wordless else ""
    return (
        f"{name}: {verdicts.requests:,} requests, {len(verdicts.faults)} broken promises,"
        f" slowest {verdicts.slowest_s:.2f} s ({verdicts.slowest}){wordless}"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--generated", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=40)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
