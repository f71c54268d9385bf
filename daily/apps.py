"""The room of the day: what happened."""

from django.apps import AppConfig


class DailyConfig(AppConfig):
    """Challenges, attempts and runs."""

    name = "daily"
    verbose_name = "The daily challenge"
