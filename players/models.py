"""Who plays: guests, accounts, bots and staff are all players, and a bearer token speaks for one."""

from typing import Any, ClassVar, Final, Self, override

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from players.errors import BadName
from players.loading import Loaded
from players.lookalikes import skeleton
from players.names import DELETED, MAX_CODE_POINTS, normalise


def validate_name(text: str) -> None:
    """The name policy as a field validator; reserved words pass, since only staff use forms with it."""
    try:
        normalise(text, allow_reserved=True)
    except BadName as refusal:
        raise ValidationError(str(refusal.detail), code=refusal.default_code) from refusal


NOTHING_PERSONAL: Final = models.Q(
    name__startswith=DELETED,
    password__startswith=UNUSABLE_PASSWORD_PREFIX,
    last_login=None,
    is_superuser=False,
    is_staff=False,
    is_active=False,
    email=None,
    email_verified_at=None,
    mailed_at=None,
    country="",
)
"""What a deleted player is like, whoever tries to change that."""


class PlayerManager(BaseUserManager["Player"]):
    """Finds players by name however it is written, and makes staff; guests come from ``services``."""

    @override
    def get_by_natural_key(self, username: str | None) -> "Player":
        """The player of that name in any case or look-alike spelling; raises ``DoesNotExist``."""
        return self.get(name_key=skeleton(username or ""))

    def with_email(self, email: str) -> models.QuerySet["Player"]:
        """The player with that address in any case, if there is one; by the index of the constraint."""
        return self.alias(address=Lower("email")).filter(address=email.lower())

    def known_by_id(self, player_id: int) -> "Player":
        """A player who is known to be there; whatever else of them is asked for is read then. No query."""
        return self.model.from_db(self.db, ["id"], [player_id])

    def create_superuser(self, name: str, password: str | None = None) -> "Player":
        """A member of staff who may do everything; a reserved name is allowed. Raises ``BadName``."""
        player = Player(
            name=normalise(name, allow_reserved=True), is_guest=False, is_staff=True, is_superuser=True
        )
        player.set_password(password)
        player.save(using=self._db)
        return player


class Player(Loaded, AbstractBaseUser, PermissionsMixin):
    """Anyone who may play. A guest has only a token; an account has an email address and a password too."""

    name = models.CharField(max_length=MAX_CODE_POINTS, unique=True, validators=[validate_name])
    name_key = models.CharField(max_length=512, unique=True, editable=False)
    """``skeleton(name)``: two names that fold or look alike have the same, so one of them is refused."""
    is_guest = models.BooleanField(default=True)
    is_bot = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    email = models.EmailField(null=True, blank=True, default=None)  # noqa: DJ001 (null is "none", "" would not be unique)
    email_verified_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When a link was last mailed for the player."""
    country = models.CharField(max_length=2, blank=True)
    """ISO 3166-1 alpha-2 in capitals, or empty."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    USERNAME_FIELD = "name"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(Lower("email"), name="player_email_unique"),
            models.CheckConstraint(condition=~models.Q(name_key=""), name="player_name_key_set"),
            models.CheckConstraint(condition=~models.Q(email=""), name="player_email_null_if_none"),
            models.CheckConstraint(
                condition=models.Q(deleted_at=None) | NOTHING_PERSONAL,
                name="player_deleted_is_bare",
                violation_error_message="A deleted player has no name, address, password or rights any more.",
            ),
        ]

    @override
    def save(self, **options: Any) -> None:
        """Saves the name together with its key, so that they cannot part."""
        self.name_key = skeleton(self.name)
        if "name" in (options.get("update_fields") or ()):
            options["update_fields"] = {*options["update_fields"], "name_key"}
        super().save(**options)


class TokenQuerySet(models.QuerySet["Token"]):
    """Tokens by whether they still open anything."""

    def active(self) -> Self:
        """Those that are not revoked, of players who may still act."""
        return self.filter(revoked_at=None, player__is_active=True)


class Token(Loaded, models.Model):
    """A bearer token of a player. Its secret is shown once and never stored."""

    MAX_LABEL_LENGTH: Final = 60

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    """``digest_of`` the secret."""
    hint = models.CharField(max_length=12, editable=False)
    """The secret's first characters, for its owner to tell tokens apart."""
    label = models.CharField(max_length=MAX_LABEL_LENGTH, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TokenQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.hint}…"
