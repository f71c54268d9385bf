"""What is ranked: standings and tallies, how days were settled, what is under review, and private leagues."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from daily.models import Challenge, Run
from leaderboard.scoring import score_column


class Standing(models.Model):
    """A player's sums on one board. Derived from the runs, in the transaction that records a run."""

    board = models.CharField(max_length=10)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="standings", db_index=False
    )
    cleared = models.PositiveIntegerField()
    elapsed_ms = models.PositiveBigIntegerField()
    days = models.PositiveSmallIntegerField()
    score = models.GeneratedField(
        expression=score_column(), output_field=models.BigIntegerField(), db_persist=True
    )
    version = models.PositiveIntegerField()
    """Counts the changes of this standing and never goes down; the index holds it to know what is newer."""
    rank = models.PositiveIntegerField(null=True)
    """The final rank, once the board's day is settled."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "board"], name="one_standing_a_board")]
        indexes = [
            models.Index(fields=["board", "score", "player"], name="board_order", condition=Q(days__gt=0))
        ]

    def __str__(self) -> str:
        return f"{self.board} {self.player_id}"


class Tally(models.Model):
    """How many of a board's runs cleared so many cards, and how often that changed.

    The sum of ``changes`` over a board is the sum of its standings' versions. They number what the index is
    told; see `leaderboard.index`.
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


class Settlement(models.Model):
    """How a day ended: revision 1 when it settled, and one more for each correction since."""

    challenge = models.ForeignKey(Challenge, models.PROTECT, related_name="settlements")
    revision = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    """SHA-256 over the canonical lines of the board, hex."""
    field_size = models.PositiveIntegerField()
    settled_at = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True)
    """Why there is a further revision."""

    class Meta:
        ordering = ["challenge", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "revision"], name="one_settlement_a_revision")
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id} revision {self.revision}"


class Signal(models.Model):
    """Something about a run that a person should look at. It punishes nobody by itself."""

    class Kind(models.TextChoices):
        """What was noticed."""

        SAME_LOG = "same_log", "the log of an earlier finisher, by somebody who started later"
        TOO_FAST = "too_fast", "more than 8 moves a second"
        QUICK_CLEAR = "quick_clear", "a full clear in under 15 seconds"

    run = models.ForeignKey(Run, models.CASCADE, related_name="signals")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    other = models.ForeignKey(Run, models.SET_NULL, null=True, related_name="+")
    """The earlier run with the same log."""
    noticed_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    """When an admin dismissed it or voided the run."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "kind"], name="one_signal_a_kind")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.kind}"


class League(models.Model):
    """A private group of players with boards of its own, joined by its code."""

    code = models.CharField(max_length=12, unique=True)
    name = models.CharField(max_length=60)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="owned_leagues")
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player's place in a league."""

    league = models.ForeignKey(League, models.CASCADE, related_name="memberships")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    joined_at = models.DateTimeField()

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["league", "player"], name="one_membership_a_league")]

    def __str__(self) -> str:
        return f"{self.league_id} {self.player_id}"


class Expulsion(models.Model):
    """A player whom the owner sent away: the league's present code does not let them back in."""

    league = models.ForeignKey(League, models.CASCADE, related_name="expulsions")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["league", "player"], name="one_expulsion_a_league")]

    def __str__(self) -> str:
        return f"{self.league_id} {self.player_id}"
