"""``manage.py schedule_ahead``: make the missing days."""

from typing import Any

from django.core.management.base import BaseCommand

from daily import clock, scheduling


class Command(BaseCommand):
    """Does what the beat does, for a first start and for machines without one."""

    help = "Make every missing challenge from today to the configured number of days ahead."

    def handle(self, **_options: Any) -> None:
        """Print how many days were missing, and nothing about them."""
        made = scheduling.schedule_ahead(clock.now())
        self.stdout.write(f"Missing challenges made: {made}.")
