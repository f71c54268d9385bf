"""The room of the rank: what a run is worth."""

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """Boards, their order and their index."""

    name = "leaderboard"
    verbose_name = "Leaderboards"
