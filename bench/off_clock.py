"""The service in a process whose own clock is ``OFF_S`` seconds off, for ``bench/clock.py`` to serve."""

import os
import time
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from daily import clock

OFF_S = float(os.environ["OFF_S"])
true_time = time.time


def now() -> datetime:
    """The time by the wrong clock."""
    return datetime.now(UTC) + timedelta(seconds=OFF_S)


# Whoever of the service, or of what it is made of, asks the process for the time asks one of these.
time.time = lambda: true_time() + OFF_S
timezone.now = clock.about_now = now

from config.wsgi import application  # noqa: E402, F401 (everything shall see these clocks only)
