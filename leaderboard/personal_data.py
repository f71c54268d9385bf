"""What we hold about a player: told in full on request, and taken away for good.

A deletion leaves the results, which others are ranked by, under a name that says nothing: attempts, runs and
standings, and whatever names the player by id alone. Everything else goes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import QuerySet

from daily import clock
from daily.models import Attempt, AuditEntry, Look, Run
from leaderboard.leagues import leave_all_leagues
from leaderboard.models import Expulsion, League, Membership, Signal, Standing
from players.deletion import admin_log_about, anonymise
from players.errors import PlayerDeleted
from players.models import Player, Token
from players.services import lock


@transaction.atomic
def erase(*, player: Player) -> None:
    """Delete a player: anonymous everywhere at once, out of every league, runs and ranks kept.

    Doing it again changes nothing. Raises StaffStays for members of staff.
    """
    now = clock.now()
    try:
        lock(player)
    except PlayerDeleted:
        return
    leave_all_leagues(player=player, now=now)
    Expulsion.objects.filter(player=player).delete()
    anonymise(player=player, now=now)


@dataclass(frozen=True, slots=True)
class Holding:
    """Rows that are about a player, found by ``path``, and what of them is told.

    ``told`` are fields, the first being the one that sorts; ``…_text`` is a move log and told as a list. Not
    told are keys by which rows hang together, secrets, what is derived from the rest and what is another's.
    """

    table: QuerySet[Any]
    path: str
    told: str

    def rows(self, player: Player) -> Iterator[dict[str, Any]]:
        """The player's rows. One query."""
        fields = self.told.split()
        found = self.table.filter(**{self.path: player.pk}).order_by(fields[0])
        return map(_tell, found.values(*fields).iterator())


def _tell(row: dict[str, Any]) -> dict[str, Any]:
    return {
        field.removesuffix("_text"): value.split() if field.endswith("_text") else value
        for field, value in row.items()
    }


HOLDINGS = {
    "player": Holding(
        Player.objects.all(),
        "pk",
        "name is_guest is_bot is_staff is_superuser is_active email email_verified_at mailed_at country"
        " created_at last_login deleted_at",
    ),
    "groups": Holding(Group.objects.all(), "user", "name"),
    "permissions": Holding(Permission.objects.all(), "user", "codename name"),
    "tokens": Holding(Token.objects.all(), "player", "created_at hint label revoked_at"),
    "second_factors": Holding(Authenticator.objects.all(), "user", "created_at type data__name last_used_at"),
    "attempts": Holding(
        Attempt.objects.all(),
        "player",
        "started_at id challenge deadline_at checkpoint_text checkpoint_at",
    ),
    "runs": Holding(
        Run.objects.all(),
        "player",
        "submitted_at attempt challenge elapsed_ms log_text cleared won stuck moves points rank beaten"
        " field_size is_from_checkpoint unranked_reason voided_at void_reason",
    ),
    "signals": Holding(Signal.objects.all(), "run__player", "noticed_at run kind decided_at"),
    "standings": Holding(Standing.objects.all(), "player", "board cleared elapsed_ms days rank"),
    "leagues": Holding(Membership.objects.all(), "player", "joined_at league__name league__code"),
    "owned_leagues": Holding(League.objects.all(), "owner", "created_at name code closed_at"),
    "closed_to_by_leagues": Holding(Expulsion.objects.all(), "player", "league__name"),
    "looks_at_coming_deals": Holding(Look.objects.all(), "player", "first_at challenge"),
    "decisions_about": Holding(AuditEntry.objects.all(), "player", "at action day run reason detail"),
    "decisions_by": Holding(AuditEntry.objects.all(), "actor", "at action day reason"),
    "work_in_admin_site": Holding(
        LogEntry.objects.all(), "user", "action_time action_flag content_type__model"
    ),
}
"""Everything that hangs on a player, by the name of its part of the export."""


def export(*, player: Player) -> dict[str, Any]:
    """Everything we hold about a player, ready for JSON but for dates, times and UUIDs.

    For the player's eyes only: it tells the logs of the open day, though never a deal. One query a holding;
    cost: all that the player ever did.
    """
    parts: dict[str, Any] = {name: list(holding.rows(player)) for name, holding in HOLDINGS.items()}
    [parts["player"]] = parts["player"]
    changes = admin_log_about(Player.objects.filter(pk=player.pk)).order_by("action_time")
    return {
        "exported_at": clock.now(),
        **parts,
        "has_password": player.has_usable_password(),
        "changes_in_admin_site": list(changes.values("action_time", "action_flag", "change_message")),
    }
