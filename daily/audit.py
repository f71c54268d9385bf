"""The audit trail's pen."""

from datetime import date, datetime
from typing import Any

from daily.models import AuditEntry, Run
from players.models import Player


def note(
    action: str,
    *,
    by: Player | None,
    at: datetime,
    day: date | None = None,
    run: Run | None = None,
    reason: str = "",
    **detail: Any,
) -> AuditEntry:
    """Write an entry; call it in the transaction of the change. ``detail`` never holds an unopened deal."""
    return AuditEntry.objects.create(
        action=action,
        actor=by,
        at=at,
        day=run.challenge_id if run else day,
        player_id=run.player_id if run else None,
        run=run,
        reason=reason,
        detail=detail,
    )
