"""What the deals of a weekday shall be like, and who changed that."""

from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from daily.audit import note
from daily.models import MAX_CLEARED, Policy
from games.pyramid import RULES
from players.models import Player

FIELDS = ("rules", "min_best_clear", "min_difficulty", "max_difficulty")


def policy_for(day: date) -> Policy:
    """The policy of the day's weekday; where there is none any deal that can be cleared will do."""
    weekday = day.weekday()
    return Policy.objects.filter(weekday=weekday).first() or Policy(weekday=weekday)


def check_policy(policy: Policy) -> None:
    """Raises ValidationError, by field, for rules that do not exist and for what no deal can be."""
    errors = {}
    if policy.rules not in RULES:
        errors["rules"] = f"There is no rule set “{policy.rules}”. There are: {', '.join(RULES)}."
    if policy.min_best_clear > MAX_CLEARED:
        errors["min_best_clear"] = f"A pyramid has {MAX_CLEARED} cards; no deal clears more."
    if not 0 <= policy.min_difficulty < policy.max_difficulty <= 1:
        errors["max_difficulty"] = "The range goes from a smaller to a larger figure, both from 0 to 1."
    if errors:
        raise ValidationError(errors)


@transaction.atomic
def change_policy(*, policy: Policy, by: Player, now: datetime) -> None:
    """Store a changed policy; it holds for days made from now on. Raises ValidationError."""
    check_policy(policy)
    before = Policy.objects.select_for_update().get(pk=policy.pk)
    policy.save()
    note(
        "change_policy",
        by=by,
        at=now,
        weekday=policy.get_weekday_display(),
        before=_figures(before),
        after=_figures(policy),
    )


def _figures(policy: Policy) -> dict[str, Any]:
    return {field: getattr(policy, field) for field in FIELDS}
