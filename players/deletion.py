"""What is left of a player who leaves: a number that results hang on."""

from datetime import datetime
from random import Random
from typing import Final

from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet

from players.errors import NameTaken, StaffStays
from players.models import Player
from players.names import DELETED
from players.services import SYSTEM_RANDOM, lock, with_free_name

GONE: Final = "(deleted)"


@transaction.atomic
def anonymise(*, player: Player, now: datetime, rng: Random = SYSTEM_RANDOM) -> None:
    """Take everything personal from a player for good: name, address, password, passkeys, tokens, rights.

    The player gets a name that nobody can choose, and the old one is free at once. The admin site's log keeps
    that something was done to the player, not what. Raises PlayerDeleted, StaffStays.
    """
    lock(player)
    if player.is_staff or player.is_superuser:
        raise StaffStays
    for rows in (Player.objects.filter(pk=player.pk), player.tokens.all()):
        admin_log_about(rows).update(object_repr=GONE, change_message="")
    player.tokens.all().delete()
    Authenticator.objects.filter(user=player).delete()
    player.groups.clear()
    player.user_permissions.clear()
    _empty(player, now)
    with_free_name(lambda name: _save_as(player, name), lambda: f"{DELETED}{rng.getrandbits(32):08x}")


def admin_log_about[M: Model](rows: QuerySet[M]) -> QuerySet[LogEntry]:
    """What the admin site has logged about these rows, with the names and labels it copied."""
    about = ContentType.objects.get_for_model(rows.model)
    keys = [str(key) for key in rows.values_list("pk", flat=True)]
    return LogEntry.objects.filter(content_type=about, object_id__in=keys)


def _empty(player: Player, now: datetime) -> None:
    player.deleted_at = now
    player.is_active = False
    player.email = player.email_verified_at = player.mailed_at = player.last_login = None
    player.country = ""
    player.set_unusable_password()


def _save_as(player: Player, name: str) -> None:
    player.name = name
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError:
        raise NameTaken from None
