"""A submission as it arrives: whose it is, what judges it and what ranks it, in one round trip."""

from typing import Any, TypedDict
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django_stubs_ext import WithAnnotations

from daily import clock
from daily.models import Attempt, Run
from leaderboard.queries import Background, Tallies, TallyText
from players.models import Token
from players.prepared import Given, Prepared

EARLIER = (
    Run.objects.filter(challenge=OuterRef("challenge"), submitted_at__lt=OuterRef("started_at"))
    .filter(line_hash=Given("line_hash", Run, "line_hash"))
    .order_by("submitted_at")
    .values("pk")[:1]
)


class Found(TypedDict):
    """What is found with an attempt."""

    tally_text: str | None
    """The tallies of its day's board."""
    earlier_id: UUID | None
    """See `leaderboard.queries.Background`."""


type Arriving = WithAnnotations[Attempt, Found]

ARRIVING: Prepared[Any] = Prepared(
    lambda: (
        Attempt.objects.to_judge()
        .select_related("challenge", "player")
        .annotate(arrived_at=clock.Now(), tally_text=TallyText(), earlier_id=Subquery(EARLIER))  # type: ignore[no-redef]
        .filter(
            pk=Given("id", Attempt),
            player__is_active=True,
            player__tokens__digest=Given("digest", Token, "digest"),
            player__tokens__revoked_at=None,
        )
        .order_by()
    )
)


def arriving_by_token(*, digest: str, attempt_id: UUID, line_hash: int) -> Arriving | None:
    """The attempt of the player whose working token has this digest, and what a log that plays so meets.

    None where there is no such attempt.
    """
    found: list[Arriving] = ARRIVING.all(id=attempt_id, digest=digest, line_hash=line_hash)
    return found[0] if found else None


def background_of(attempt: Arriving) -> Background:
    """What was found with an attempt to rank its run against."""
    return Background(Tallies(attempt.tally_text or ""), attempt.earlier_id)
