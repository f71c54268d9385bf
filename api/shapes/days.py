"""Challenges, attempts and runs.

The open day's deck is in ``StartedAnswer`` and in no other shape before the day is settled.
"""

from datetime import date, datetime
from typing import Annotated, TypedDict
from uuid import UUID

from daily.models import Attempt, Challenge, Run
from leaderboard.scoring import Place


class ChallengeAnswer(TypedDict):
    """A day. Of a coming day only the commitment is told."""

    date: date
    opens_at: datetime
    closes_at: datetime
    commitment: Annotated[str, "SHA-256 of `pyramid-daily/1|DATE|RULES|SALT|DECK`, in hex."]
    rules: Annotated[str | None, "Slug of the rule set."]
    rules_version: int | None
    is_open: Annotated[bool, "Attempts may start."]
    is_settled: Annotated[bool, "Ranks are frozen and everything is revealed."]
    void_reason: Annotated[str | None, "Why the day counts for nobody, if it does not."]


class ChallengeDetailAnswer(ChallengeAnswer):
    """A day and how it stands. What may be null is told once it is settled."""

    field_size: Annotated[int, "Ranked runs."]
    distribution: Annotated[list[int], "How many of them cleared 0, 1, … 28 cards."]
    deck: Annotated[str | None, "The 52 cards in dealing order."]
    code: str | None
    salt: Annotated[str | None, "128 random bits, in hex."]
    best_clear: Annotated[int | None, "The most pyramid cards that any play clears."]
    board_digest: Annotated[str | None, "SHA-256 over the canonical lines of the board, in hex."]
    revision: Annotated[int | None, "1 as settled, one more for each correction since."]


class ServerTimeAnswer(TypedDict):
    """The server's clock."""

    server_time: datetime


class TimedChallengeAnswer(ChallengeDetailAnswer, ServerTimeAnswer):
    """A day, how it stands, and what time it is."""


class ChallengesAnswer(TypedDict):
    """Days, newest first."""

    results: list[ChallengeAnswer]
    next: str | None
    previous: str | None


def render_challenge(challenge: Challenge, now: datetime) -> ChallengeAnswer:
    has_opened = challenge.has_opened(now)
    return {
        "date": challenge.date,
        "opens_at": challenge.opens_at,
        "closes_at": challenge.closes_at,
        "commitment": challenge.commitment,
        "rules": challenge.rules if has_opened else None,
        "rules_version": challenge.rules_version if has_opened else None,
        "is_open": challenge.is_open(now),
        "is_settled": challenge.is_settled,
        "void_reason": challenge.void_reason or None,
    }


def render_challenge_detail(
    challenge: Challenge, now: datetime, distribution: list[int]
) -> ChallengeDetailAnswer:
    is_settled = challenge.is_settled
    settlement = challenge.settlements.last() if is_settled else None
    return {
        **render_challenge(challenge, now),
        "field_size": sum(distribution),
        "distribution": distribution,
        "deck": challenge.deck if is_settled else None,
        "code": (challenge.code or None) if is_settled else None,
        "salt": challenge.salt if is_settled else None,
        "best_clear": challenge.best_clear if is_settled else None,
        "board_digest": settlement.digest if settlement else None,
        "revision": settlement.revision if settlement else None,
    }


class AttemptAnswer(TypedDict):
    """A player's one try at a day."""

    id: UUID
    challenge: date
    rules: str
    rules_version: int
    started_at: datetime
    deadline_at: Annotated[datetime, "A submission that arrives by then counts, also past midnight."]
    server_time: datetime
    checkpoint: Annotated[list[str], "The moves so far, as last kept."]


class StartedAnswer(AttemptAnswer):
    """An attempt with its deal: the one answer that holds the open day's deck."""

    deck: Annotated[str, "The 52 cards in dealing order: the pyramid row by row, then the stock."]


class AttemptDetailAnswer(AttemptAnswer):
    """An attempt and what came of it."""

    run: Annotated[UUID | None, "The run, once submitted."]


def render_attempt(attempt: Attempt, server_time: datetime) -> AttemptAnswer:
    return {
        "id": attempt.pk,
        "challenge": attempt.challenge.date,
        "rules": attempt.challenge.rules,
        "rules_version": attempt.challenge.rules_version,
        "started_at": attempt.started_at,
        "deadline_at": attempt.deadline_at,
        "server_time": server_time,
        "checkpoint": attempt.checkpoint,
    }


class StandingAnswer(TypedDict):
    """What a result is worth."""

    rank: Annotated[int, "Equal results share a rank: 1, 1, 3."]
    field_size: int
    percentile: Annotated[float, "The share of the other players strictly beaten; 100 when alone."]


def render_standing(place: Place) -> StandingAnswer:
    return {"rank": place.rank, "field_size": place.field_size, "percentile": place.percentile}


class RunAnswer(TypedDict):
    """A judged attempt."""

    id: UUID
    challenge: date
    rules: str
    cleared: Annotated[int, "Pyramid cards gone, 0 to 28."]
    won: bool
    stuck: bool
    moves: Annotated[int, "Removals, draws and redeals."]
    points: int
    elapsed_ms: Annotated[int, "By the server's clock, from the start to the arrival of the log."]
    best_clear: Annotated[
        int | None, "The most that any play clears; told to who has played, and to all later."
    ]
    submitted_at: datetime
    standing: StandingAnswer | None


class RunDetailAnswer(RunAnswer):
    """A run as somebody looks at it."""

    player: str
    log: Annotated[list[str] | None, "The moves; of other players' runs once the day is settled."]
    unranked_reason: Annotated[str | None, "Why the run does not take part in the ranking."]
    void_reason: Annotated[str | None, "Why the run was taken off the boards; told to its player only."]


def render_run(run: Run, place: Place | None, *, tells_best: bool) -> RunAnswer:
    return {
        "id": run.pk,
        "challenge": run.challenge.date,
        "rules": run.challenge.rules,
        "cleared": run.cleared,
        "won": run.won,
        "stuck": run.stuck,
        "moves": run.moves,
        "points": run.points,
        "elapsed_ms": run.elapsed_ms,
        "best_clear": run.challenge.best_clear if tells_best else None,
        "submitted_at": run.submitted_at,
        "standing": render_standing(place) if place else None,
    }


def render_run_detail(run: Run, place: Place | None, *, tells_all: bool) -> RunDetailAnswer:
    return {
        **render_run(run, place, tells_best=tells_all),
        "player": run.player.name,
        "log": run.log if tells_all else None,
        "unranked_reason": run.unranked_reason or None,
        "void_reason": run.void_reason or None,
    }
