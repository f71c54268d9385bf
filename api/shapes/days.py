"""Challenges. What would help on an open day is told in none of them before the day is settled."""

from datetime import date, datetime
from typing import Annotated, TypedDict

from leaderboard.days import Day, tallies_of
from leaderboard.models import Settlement


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
    is_voided: Annotated[bool, "The day counts for nobody."]
    void_reason: str | None
    attempts: Annotated[int, "How many have started."]
    runs: Annotated[int, "How many have finished, ranked or not."]
    field_size: Annotated[int, "How many are ranked."]


class RevisionAnswer(TypedDict):
    """How the board stood from then on."""

    revision: Annotated[int, "1 as settled, one more for each correction since."]
    digest: Annotated[str, "SHA-256 over the canonical lines of the board, in hex."]
    field_size: int
    settled_at: datetime


class ChallengeDetailAnswer(ChallengeAnswer):
    """A day and how it stands. What may be null is told once it is settled."""

    distribution: Annotated[list[int], "How many of the ranked runs cleared 0, 1, … 28 cards."]
    deck: Annotated[str | None, "The 52 cards in dealing order."]
    code: Annotated[str | None, "Null for a deal that was given as cards, too."]
    salt: Annotated[str | None, "128 random bits, in hex."]
    best_clear: Annotated[int | None, "The most that any play clears. Null where that is not proven, too."]
    best_line: Annotated[list[str] | None, "A log that clears that much."]
    difficulty: Annotated[float | None, "The share of the best that a plain player reaches: 1 is easy."]
    board_digest: Annotated[str | None, "The latest revision's."]
    revision: Annotated[int | None, "The latest revision's number."]
    revisions: Annotated[list[RevisionAnswer], "Oldest first; empty before the day is settled."]


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


def render_challenge(day: Day, now: datetime) -> ChallengeAnswer:
    has_opened = day.has_opened(now)
    return {
        "date": day.date,
        "opens_at": day.opens_at,
        "closes_at": day.closes_at,
        "commitment": day.commitment,
        "rules": day.rules if has_opened else None,
        "rules_version": day.rules_version if has_opened else None,
        "is_open": day.is_open(now),
        "is_settled": day.is_settled,
        "is_voided": day.is_voided,
        "void_reason": day.void_reason or None,
        "attempts": day.attempt_count,
        "runs": day.run_count,
        "field_size": sum(tallies_of(day).distribution),
    }


def render_revision(settlement: Settlement) -> RevisionAnswer:
    return {
        "revision": settlement.revision,
        "digest": settlement.digest,
        "field_size": settlement.field_size,
        "settled_at": settlement.settled_at,
    }


def render_challenge_detail(day: Day, now: datetime) -> ChallengeDetailAnswer:
    is_told = day.is_settled
    is_solved = is_told and day.best_clear is not None
    revisions = [render_revision(settlement) for settlement in day.settlements.all()] if is_told else []
    return {
        **render_challenge(day, now),
        "distribution": tallies_of(day).distribution,
        "deck": day.deck if is_told else None,
        "code": (day.code or None) if is_told else None,
        "salt": day.salt if is_told else None,
        "best_clear": day.best_clear if is_told else None,
        "best_line": day.best_line if is_solved else None,
        "difficulty": day.difficulty if is_told else None,
        "board_digest": revisions[-1]["digest"] if revisions else None,
        "revision": revisions[-1]["revision"] if revisions else None,
        "revisions": revisions,
    }
