"""Players, their tokens and everything that is held about one."""

from datetime import date, datetime
from typing import Annotated, Any, TypedDict
from uuid import UUID

from leaderboard.profiles import Entry, Profile
from players.models import Player, Token


class PlayerAnswer(TypedDict):
    """Somebody who plays."""

    name: str
    is_guest: Annotated[bool, "Has a token only, no account."]
    is_bot: bool
    country: Annotated[str | None, "ISO 3166-1 alpha-2."]
    joined_at: datetime


class StreaksAnswer(TypedDict):
    """Challenges played in a row; void days neither add nor break."""

    current: int
    longest: int


class ProfileAnswer(PlayerAnswer):
    """A player and what they have done so far. Void runs and void days do not count."""

    streaks: StreaksAnswer
    days_played: Annotated[int, "Days with a run, or with an attempt that came to nothing."]
    runs: int
    abandoned: Annotated[int, "Attempts that came to nothing."]
    wins: int
    distribution: Annotated[list[int], "How many of the runs cleared 0, 1, … 28 cards."]
    average_cleared: float | None
    most_cleared: int | None
    fastest_clear_ms: Annotated[int | None, "The least time of a run that cleared all 28 cards."]
    average_share: Annotated[
        float | None, "Of what the best play clears, the share cleared, 0 to 1, on average over settled days."
    ]
    best_share: float | None
    best_rank: Annotated[int | None, "Among the final ranks of settled days."]
    first_places: int
    top_tens: int


class MeAnswer(ProfileAnswer):
    """Oneself."""

    email: str | None
    email_verified_at: Annotated[datetime | None, "When the address was proven to be read."]


class NewPlayerAnswer(TypedDict):
    """A player and a new token that speaks for it. The token is shown this once."""

    player: PlayerAnswer
    token: str


def render_player(player: Player) -> PlayerAnswer:
    return {
        "name": player.name,
        "is_guest": player.is_guest,
        "is_bot": player.is_bot,
        "country": player.country or None,
        "joined_at": player.created_at,
    }


def render_profile(profile: Profile) -> ProfileAnswer:
    return {
        **render_player(profile.player),
        "streaks": {"current": profile.streaks.current, "longest": profile.streaks.longest},
        "days_played": profile.days_played,
        "runs": profile.runs,
        "abandoned": profile.abandoned,
        "wins": profile.wins,
        "distribution": profile.distribution,
        "average_cleared": profile.average_cleared,
        "most_cleared": profile.most_cleared,
        "fastest_clear_ms": profile.fastest_clear_ms,
        "average_share": profile.average_share,
        "best_share": profile.best_share,
        "best_rank": profile.best_rank,
        "first_places": profile.first_places,
        "top_tens": profile.top_tens,
    }


def render_me(profile: Profile) -> MeAnswer:
    player = profile.player
    return {
        **render_profile(profile),
        "email": player.email,
        "email_verified_at": player.email_verified_at,
    }


class HistoryRowAnswer(TypedDict):
    """One run of a player's history."""

    run: UUID
    challenge: date
    rules: str
    cleared: int
    won: bool
    moves: int
    points: int
    elapsed_ms: int
    submitted_at: datetime
    rank: Annotated[int | None, "Final once the day is settled; null where the run is not ranked."]
    field_size: int | None
    best_clear: Annotated[int | None, "The most that any play clears; to others once the day is settled."]
    unranked_reason: str | None
    voided_at: Annotated[datetime | None, "Void runs are listed for their player only."]
    void_reason: str | None


class HistoryAnswer(TypedDict):
    """A player's runs, newest day first."""

    results: list[HistoryRowAnswer]
    next: str | None
    previous: str | None


def render_entry(entry: Entry) -> HistoryRowAnswer:
    run = entry.run
    return {
        "run": run.pk,
        "challenge": run.challenge_id,
        "rules": run.challenge.rules,
        "cleared": run.cleared,
        "won": run.won,
        "moves": run.moves,
        "points": run.points,
        "elapsed_ms": run.elapsed_ms,
        "submitted_at": run.submitted_at,
        "rank": entry.rank,
        "field_size": entry.field_size,
        "best_clear": entry.best_clear,
        "unranked_reason": run.unranked_reason or None,
        "voided_at": run.voided_at,
        "void_reason": run.void_reason or None,
    }


class TokenAnswer(TypedDict):
    """A bearer token, told by its first characters."""

    id: int
    hint: str
    label: str
    created_at: datetime
    is_current: Annotated[bool, "The one this request came with."]


class NewTokenAnswer(TokenAnswer):
    """A new bearer token with its secret, shown this once."""

    token: str


class TokensAnswer(TypedDict):
    """The tokens that still work, newest first."""

    results: list[TokenAnswer]
    next: str | None
    previous: str | None


def render_token(token: Token, *, current: object) -> TokenAnswer:
    return {
        "id": token.pk,
        "hint": token.hint,
        "label": token.label,
        "created_at": token.created_at,
        "is_current": token == current,
    }


class ExportAnswer(TypedDict):
    """Everything that is held about a player, but for secrets and what is derived from the rest."""

    exported_at: datetime
    player: dict[str, Any]
    has_password: bool
    groups: list[dict[str, Any]]
    permissions: list[dict[str, Any]]
    tokens: list[dict[str, Any]]
    second_factors: Annotated[list[dict[str, Any]], "Apps, passkeys and recovery codes to sign in with."]
    attempts: list[dict[str, Any]]
    runs: list[dict[str, Any]]
    signals: Annotated[list[dict[str, Any]], "What was noticed about the runs."]
    standings: Annotated[list[dict[str, Any]], "The sums on every board."]
    leagues: list[dict[str, Any]]
    owned_leagues: list[dict[str, Any]]
    closed_to_by_leagues: Annotated[list[dict[str, Any]], "Leagues whose owner sent the player away."]
    looks_at_coming_deals: list[dict[str, Any]]
    decisions_about: Annotated[list[dict[str, Any]], "What admins decided about the player."]
    decisions_by: Annotated[list[dict[str, Any]], "What the player decided as an admin."]
    work_in_admin_site: list[dict[str, Any]]
    changes_in_admin_site: list[dict[str, Any]]
