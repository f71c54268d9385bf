"""What happened: challenges, attempts and runs. Every fact is a row and every "only once" a constraint."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.pyramid import Deal, Rules

MAX_CLEARED = 28
"""Cards in the pyramid."""


class ChallengeQuerySet(models.QuerySet["Challenge"]):
    """Challenges, newest first by default order."""

    def without_deals(self) -> ChallengeQuerySet:
        """Leave in the database what must not be known before its time."""
        return self.defer("deck", "code", "salt")

    def known_by(self, day: date) -> ChallengeQuerySet:
        """The challenges whose day has begun on ``day``."""
        return self.filter(date__lte=day)


class Challenge(models.Model):
    """One UTC day's deal and rules. It opens and closes with its date; until it is settled only its commitment is public."""

    date = models.DateField(primary_key=True)
    rules = models.CharField(max_length=32)
    rules_version = models.PositiveSmallIntegerField()
    deck = models.CharField(max_length=155)
    code = models.CharField(max_length=24, blank=True)
    salt = models.CharField(max_length=32)
    commitment = models.CharField(max_length=64)
    best_clear = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ChallengeQuerySet.as_manager()

    class Meta:
        ordering = ["-date"]

    def __str__(self) -> str:
        return self.date.isoformat()

    @property
    def opens_at(self) -> datetime:
        """The first moment of the day."""
        return datetime.combine(self.date, time(), UTC)

    @property
    def closes_at(self) -> datetime:
        """The first moment after the day."""
        return self.opens_at + timedelta(days=1)

    def has_opened(self, now: datetime) -> bool:
        """Whether the day has begun."""
        return now >= self.opens_at

    def is_open(self, now: datetime) -> bool:
        """Whether attempts may start."""
        return self.opens_at <= now < self.closes_at

    @property
    def deal(self) -> Deal:
        """The deal as the engine takes it."""
        return Deal.from_deck(self.deck)

    @property
    def ruleset(self) -> Rules:
        """The rules as the engine takes them."""
        return Rules.named(self.rules)


class Attempt(models.Model):
    """A player's one try at a challenge, from the moment the deal was handed out."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    challenge = models.ForeignKey(Challenge, models.PROTECT, related_name="attempts")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="attempts")
    started_at = models.DateTimeField()
    deadline_at = models.DateTimeField()

    arrived_at: datetime
    """When the request at hand arrived, by the database's clock; only on attempts from ``services.arriving_at``."""

    class Meta:
        ordering = ["-started_at"]
        constraints = [
            models.UniqueConstraint(fields=["player", "challenge"], name="one_attempt_a_day"),
            models.CheckConstraint(condition=Q(deadline_at__gt=F("started_at")), name="deadline_after_start"),
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id} {self.id}"


class Run(models.Model):
    """What came of an attempt: the judged log. Its id is the attempt's, so there cannot be two."""

    attempt = models.OneToOneField(Attempt, models.PROTECT, primary_key=True, related_name="run")
    challenge = models.ForeignKey(Challenge, models.PROTECT, related_name="runs", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="runs", db_index=False)
    submitted_at = models.DateTimeField()
    elapsed_ms = models.PositiveBigIntegerField()
    log_text = models.TextField(blank=True)
    """The moves with single spaces."""
    cleared = models.PositiveSmallIntegerField()
    won = models.BooleanField()
    stuck = models.BooleanField()
    moves = models.PositiveSmallIntegerField()
    points = models.PositiveSmallIntegerField()
    rank = models.PositiveIntegerField()
    """The rank as the board stood when the run arrived; the answer to the submission repeats it."""
    beaten = models.PositiveIntegerField()
    """How many of the others were strictly worse then."""
    field_size = models.PositiveIntegerField()
    """How many were ranked then, this run included."""

    class Meta:
        ordering = ["-submitted_at"]
        constraints = [
            models.UniqueConstraint(fields=["player", "challenge"], name="one_run_a_day"),
            models.CheckConstraint(condition=Q(cleared__lte=MAX_CLEARED), name="cleared_at_most_28"),
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id} {self.pk}"

    @property
    def log(self) -> list[str]:
        """The moves, as they were submitted."""
        return self.log_text.split()
