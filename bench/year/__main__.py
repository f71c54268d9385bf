"""A year of the service in a minute: days, people in six time zones, a beat that comes and goes, an outage.

    python -m bench.year [--days 400] [--first 2027-12-01] [--players 6] [--seed 1]

Starts PostgreSQL and Valkey from the dev wheels and moves a frozen clock through the days. Tasks are called
as a worker calls them, at random moments, 0 to 50 times a day; nobody calls them for twelve days around the
leap day, and for 26 hours in March nothing is there at all. In the end every deal, attempt, run, board,
streak and revision is compared with what people did, and every settled day's bundle is verified.
"""

import argparse
import os
import sys
import time
from contextlib import ExitStack
from datetime import date
from random import Random

from tests.services import postgres, valkey


def main() -> int:
    """Live through the days and print what came of them, the figures last."""
    options = _options()
    with ExitStack() as stack:
        _enter_services(stack)
        from bench.year.living import live

        begun = time.perf_counter()
        lived = live(
            first=options.first, days=options.days, players=options.players, rng=Random(options.seed)
        )
    print(*lived.differences, sep="\n", end="\n" if lived.differences else "")
    print(f"{lived}, in {time.perf_counter() - begun:.1f} s")
    return 1 if lived.differences else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=400)
    parser.add_argument("--first", type=date.fromisoformat, default=date(2027, 12, 1))
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _enter_services(stack: ExitStack) -> None:
    os.environ.update(DEMO="1", LOG_LEVEL="ERROR", DJANGO_SETTINGS_MODULE="config.settings")
    for name, server in (("DATABASE_URL", postgres), ("REDIS_URL", valkey)):
        os.environ[name] = stack.enter_context(server()).url
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    sys.exit(main())
