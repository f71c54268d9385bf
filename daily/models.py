"""What happened: challenges, attempts and runs. Every fact is a row and every "only once" a constraint."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from games.pyramid import Deal, Rules
from players.loading import Loaded

MAX_CLEARED = 28
"""Cards in the pyramid."""


@lru_cache(maxsize=8)
def _read_deck(deck: str) -> Deal:
    """Read a deck once for all who play it."""
    return Deal.from_deck(deck)


class ChallengeQuerySet(models.QuerySet["Challenge"]):
    """Challenges, newest first by default order."""

    def without_deals(self) -> ChallengeQuerySet:
        """Leave in the database what must not be known before its time."""
        return self.defer("deck", "code", "salt", "best_line_text")

    def hiding(self, deal: Deal) -> ChallengeQuerySet:
        """The challenges with this deal whose deal is not revealed yet."""
        return self.filter(deck=deal.deck, settled_at=None)

    def due_for_settling(self, now: datetime) -> ChallengeQuerySet:
        """The challenges whose last attempt has ended for good, and that are not settled."""
        ended = (now - settings.ATTEMPT_TIME_LIMIT - settings.DEADLINE_GRACE).date()
        return self.filter(date__lt=ended, settled_at=None).order_by("date")


class Challenge(Loaded, models.Model):
    """One UTC day's deal and rules. Until the day is settled only its commitment is public."""

    date = models.DateField(primary_key=True)
    rules = models.CharField(max_length=32)
    rules_version = models.PositiveSmallIntegerField()
    deck = models.CharField(max_length=155)
    code = models.CharField(max_length=24, blank=True)
    salt = models.CharField(max_length=32)
    commitment = models.CharField(max_length=64)
    best_clear = models.PositiveSmallIntegerField(null=True)
    """The most that any play can clear, proven; null where the proof took too long."""
    best_line_text = models.TextField(blank=True)
    """A log that clears that much, its moves with single spaces."""
    difficulty = models.FloatField(null=True)
    """The share of the best that a plain player reaches, 0 to 1."""
    relaxed = models.CharField(max_length=200, blank=True)
    """What the policy asked for and this deal does not have, in a sentence."""
    created_at = models.DateTimeField(auto_now_add=True)
    voided_at = models.DateTimeField(null=True, blank=True)
    void_reason = models.CharField(max_length=200, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)

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
    def is_settled(self) -> bool:
        """Whether ranks are frozen and everything is revealed."""
        return self.settled_at is not None

    @property
    def is_voided(self) -> bool:
        """Whether the day counts for nobody."""
        return self.voided_at is not None

    @property
    def best_line(self) -> list[str]:
        """A log that clears `best_clear` cards."""
        return self.best_line_text.split()

    @property
    def deal(self) -> Deal:
        """The deal as the engine takes it."""
        return _read_deck(self.deck)

    @property
    def ruleset(self) -> Rules:
        """The rules as the engine takes them."""
        return Rules.named(self.rules)


class AttemptQuerySet(models.QuerySet["Attempt"]):
    """Attempts, newest first by default order."""

    def to_judge(self) -> AttemptQuerySet:
        """Attempts with what judging needs of their challenge, and ``is_barred``, in one query."""
        looks = Look.objects.filter(challenge=OuterRef("challenge"), player=OuterRef("player"))
        attempts = self.select_related("challenge")
        attempts = attempts.annotate(is_barred=Exists(looks))  # type: ignore[no-redef]  # declared for readers
        return attempts.defer("challenge__code", "challenge__salt", "challenge__best_line_text")


class Attempt(Loaded, models.Model):
    """A player's one try at a challenge, from the moment the deal was handed out."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    challenge = models.ForeignKey(Challenge, models.PROTECT, related_name="attempts")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="attempts")
    started_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    checkpoint_text = models.TextField(blank=True)
    """The moves so far, as last kept, with single spaces."""
    checkpoint_at = models.DateTimeField(null=True, blank=True)

    arrived_at: datetime
    """When the request at hand arrived, by the database's clock; only from ``services.arriving_at``."""
    is_barred: bool
    """Whether the player knew the deal otherwise; only from ``to_judge``."""

    objects = AttemptQuerySet.as_manager()

    class Meta:
        ordering = ["-started_at"]
        constraints = [
            models.UniqueConstraint(fields=["player", "challenge"], name="one_attempt_a_day"),
            models.CheckConstraint(condition=Q(deadline_at__gt=F("started_at")), name="deadline_after_start"),
        ]
        indexes = [models.Index(fields=["deadline_at"], name="attempt_deadline")]

    def __str__(self) -> str:
        return f"{self.challenge_id} {self.id}"

    @property
    def checkpoint(self) -> list[str]:
        """The moves so far, as last kept."""
        return self.checkpoint_text.split()


class Unranked(models.TextChoices):
    """Why a run does not take part in the ranking."""

    NO_ACCOUNT = "no_account", "the player has no account"
    NOT_VERIFIED = "not_verified", "the player's email address is not verified"
    LOOKED = "looked", "the player knew the deal from elsewhere"
    DAY_VOIDED = "day_voided", "the day is void"


class RunQuerySet(models.QuerySet["Run"]):
    """Runs, newest first by default order."""

    def counting(self) -> RunQuerySet:
        """The runs that stand on the boards."""
        return self.filter(unranked_reason="", voided_at=None)


class Run(Loaded, models.Model):
    """What came of an attempt: the judged log. Its id is the attempt's, so there cannot be two."""

    attempt = models.OneToOneField(Attempt, models.PROTECT, primary_key=True, related_name="run")
    challenge = models.ForeignKey(Challenge, models.PROTECT, related_name="runs", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="runs", db_index=False)
    submitted_at = models.DateTimeField()
    elapsed_ms = models.PositiveBigIntegerField()
    log_text = models.TextField(blank=True)
    """The moves with single spaces."""
    line_hash = models.BigIntegerField()
    """64 bits of the canonical line, in which two logs agree that play the same way."""
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
    is_from_checkpoint = models.BooleanField(default=False)
    """Made at the deadline from the last checkpoint, because nothing was submitted."""
    unranked_reason = models.CharField(max_length=16, blank=True, choices=Unranked.choices)
    voided_at = models.DateTimeField(null=True, blank=True)
    void_reason = models.CharField(max_length=200, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-submitted_at"]
        constraints = [
            models.UniqueConstraint(fields=["player", "challenge"], name="one_run_a_day"),
            models.CheckConstraint(condition=Q(cleared__lte=MAX_CLEARED), name="cleared_at_most_28"),
        ]
        indexes = [models.Index(fields=["challenge", "line_hash"], name="run_line")]

    def __str__(self) -> str:
        return f"{self.challenge_id} {self.pk}"

    @property
    def counts(self) -> bool:
        """Whether the run stands on the boards."""
        return not self.unranked_reason and self.voided_at is None

    @property
    def log(self) -> list[str]:
        """The moves, as they were submitted."""
        return self.log_text.split()


class Turnout(models.Model):
    """How many attempts and runs a day has, counted by triggers as they come.

    A day's numbers are the sums over its shards, by the player's id, so that few wait for each other.
    """

    challenge = models.ForeignKey(Challenge, models.CASCADE, related_name="turnouts", db_index=False)
    shard = models.PositiveSmallIntegerField()
    attempts = models.PositiveIntegerField()
    runs = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["challenge", "shard"], name="one_turnout_a_shard")]

    def __str__(self) -> str:
        return f"{self.challenge_id} {self.shard}"


class Look(models.Model):
    """A member of staff saw a deal before its day opened, and so is not ranked on that day."""

    challenge = models.ForeignKey(Challenge, models.CASCADE, related_name="looks")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="looks")
    first_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["challenge", "player"], name="one_look_a_challenge")]

    def __str__(self) -> str:
        return f"{self.challenge_id} {self.player_id}"


class Policy(models.Model):
    """What the deals of a weekday shall be like."""

    class Weekday(models.IntegerChoices):
        """Monday to Sunday, as ``date.weekday()`` counts them."""

        MONDAY = 0
        TUESDAY = 1
        WEDNESDAY = 2
        THURSDAY = 3
        FRIDAY = 4
        SATURDAY = 5
        SUNDAY = 6

    weekday = models.PositiveSmallIntegerField(primary_key=True, choices=Weekday.choices)
    rules = models.CharField(max_length=32, default="endless")
    min_best_clear = models.PositiveSmallIntegerField(default=MAX_CLEARED)
    """28: the pyramid can be cleared."""
    min_difficulty = models.FloatField(default=0)
    """The smallest share of the best that a plain player may reach; smaller is harder."""
    max_difficulty = models.FloatField(default=1)

    class Meta:
        ordering = ["weekday"]
        verbose_name_plural = "policies"
        constraints = [
            models.CheckConstraint(condition=Q(weekday__lte=6), name="policy_weekday"),
            models.CheckConstraint(condition=Q(min_best_clear__lte=MAX_CLEARED), name="policy_best_clear"),
            models.CheckConstraint(
                condition=Q(
                    min_difficulty__gte=0, max_difficulty__lte=1, min_difficulty__lt=F("max_difficulty")
                ),
                name="policy_difficulty_range",
            ),
        ]

    def __str__(self) -> str:
        return self.get_weekday_display()


class AuditEntry(models.Model):
    """Who changed or looked at what, when and why; written in the change's transaction, never altered."""

    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    """None for the service itself."""
    action = models.CharField(max_length=32)
    """A verb and its object, such as ``void_run`` or ``replace_deal``."""
    day = models.DateField(null=True)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    run = models.ForeignKey(Run, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict)
    """Before and after, never a deal that is not open yet."""

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "audit trail"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"


class TaskReport(models.Model):
    """How a task has gone so far, one row a task; written when it ends, by `daily.reports`."""

    name = models.CharField(max_length=64, primary_key=True)
    succeeded_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    successes = models.PositiveBigIntegerField(default=0)
    failures = models.PositiveBigIntegerField(default=0)
    work = models.PositiveBigIntegerField(default=0)
    """How much there was to do in all: days made, attempts finished, days settled, boards repaired."""
    duration_s = models.FloatField(default=0)
    """How long the last one took."""

    def __str__(self) -> str:
        return self.name
