"""What is ranked: one standing a player and board, and how many runs a board counts."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from leaderboard.scoring import score_column


class Standing(models.Model):
    """A player's sums on one board. Derived from the runs, in the transaction that records a run."""

    board = models.CharField(max_length=10)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="standings", db_index=False)
    cleared = models.PositiveIntegerField()
    elapsed_ms = models.PositiveBigIntegerField()
    days = models.PositiveSmallIntegerField()
    score = models.GeneratedField(
        expression=score_column(), output_field=models.BigIntegerField(), db_persist=True
    )
    version = models.PositiveIntegerField()
    """Counts the changes of this standing and never goes down; the index holds it to know what is newer."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "board"], name="one_standing_a_board")]
        indexes = [
            models.Index(fields=["board", "score", "player"], name="board_order", condition=Q(days__gt=0))
        ]

    def __str__(self) -> str:
        return f"{self.board} {self.player_id}"


class Tally(models.Model):
    """How many of a board's runs cleared so many cards, and how often that changed.

    The sum of ``changes`` over a board is the sum of its standings' versions. The index of a board is complete when
    it has applied as many.
    """

    board = models.CharField(max_length=10)
    cleared = models.PositiveSmallIntegerField()
    runs = models.PositiveIntegerField()
    changes = models.PositiveBigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["board", "cleared"], name="one_tally_a_cleared")]
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"{self.board} {self.cleared}"
