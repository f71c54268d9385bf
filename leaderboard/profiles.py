"""What a player has done so far: figures, ranks and the list of runs. Derived at every look, never stored.

A profile is public, so it never tells, by any figure, what the best play of an unsettled day clears.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Avg, Count, F, FloatField, Max, Min, Q, QuerySet
from django.db.models.functions import Cast, NullIf

from daily.models import MAX_CLEARED, Attempt, Run
from leaderboard.boards import day_board
from leaderboard.models import Settlement, Standing
from leaderboard.standings import place_of
from leaderboard.streaks import Streaks, attempts_without_end, runs_that_count, streaks_of
from players.models import Player

SHARE = Cast("cleared", FloatField()) / NullIf(F("challenge__best_clear"), 0)
IS_REVEALED = Q(challenge__settled_at__isnull=False)
DEALS = [f"challenge__{field}" for field in ("deck", "code", "salt", "best_line_text")]


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's figures over every run but voided ones and those of voided days."""

    player: Player
    streaks: Streaks
    distribution: list[int]
    """How many runs cleared 0, 1, … 28 cards."""
    abandoned: int
    """Attempts that ended without a run: played, but nothing to show for it."""
    wins: int
    average_cleared: float | None
    most_cleared: int | None
    fastest_clear_ms: int | None
    """The least time of a run that cleared all 28 cards."""
    average_share: float | None
    """The mean, over settled days, of the share of what the best play clears, 0 to 1."""
    best_share: float | None
    best_rank: int | None
    """The best final rank of a settled day."""
    first_places: int
    top_tens: int

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return sum(self.distribution)

    @property
    def days_played(self) -> int:
        """On how many days the player tried."""
        return self.runs + self.abandoned


def profile(player: Player, now: datetime) -> Profile:
    """The player's figures. Six queries; cost: the player's runs."""
    runs = runs_that_count(player)
    return Profile(
        player=player,
        streaks=streaks_of(player, now),
        distribution=_distribution(runs),
        abandoned=_abandoned(player, now),
        **_figures(runs),
        **_ranks(player),
    )


def _distribution(runs: QuerySet[Run]) -> list[int]:
    numbers = dict(runs.order_by().values_list("cleared").annotate(n=Count("pk")))
    return [numbers.get(cleared, 0) for cleared in range(MAX_CLEARED + 1)]


def _abandoned(player: Player, now: datetime) -> int:
    without_run = Attempt.objects.filter(player=player, run=None, challenge__voided_at=None)
    return without_run.exclude(pk__in=attempts_without_end(player, now).values("pk")).count()


def _figures(runs: QuerySet[Run]) -> dict[str, Any]:
    return runs.aggregate(
        wins=Count("pk", filter=Q(won=True)),
        average_cleared=Avg("cleared"),
        most_cleared=Max("cleared"),
        fastest_clear_ms=Min("elapsed_ms", filter=Q(cleared=MAX_CLEARED)),
        average_share=Avg(SHARE, filter=IS_REVEALED),
        best_share=Max(SHARE, filter=IS_REVEALED),
    )


def _ranks(player: Player) -> dict[str, Any]:
    return Standing.objects.filter(player=player, rank__isnull=False).aggregate(
        best_rank=Min("rank"),
        first_places=Count("pk", filter=Q(rank=1)),
        top_tens=Count("pk", filter=Q(rank__lte=10)),
    )


def latest_results(player: Player, limit: int) -> list[tuple[date, int]]:
    """The days of the player's last runs with the cards they cleared, oldest first. One query."""
    latest = runs_that_count(player).order_by("-challenge_id").values_list("challenge_id", "cleared")
    return list(latest[:limit])[::-1]


@dataclass(frozen=True, slots=True)
class Entry:
    """One run of a history, with what it is worth: for good if its day is settled, else as it stands."""

    run: Run
    rank: int | None
    """None where the run is not ranked."""
    field_size: int | None
    best_clear: int | None
    """What the best play clears, where that may be told and is known."""


@dataclass(frozen=True, slots=True)
class History:
    """Some runs of a player, newest day first, and the days that the pages before and after start from."""

    entries: list[Entry]
    previous: date | None
    next: date | None


def history_after(player: Player, day: date | None, limit: int, *, is_own: bool) -> History:
    """Up to ``limit`` runs older than the one of ``day``, or the newest.

    Only to the player (``is_own``) it shows voided runs, and how an unsettled day compares with the best.
    Queries: four, and `place_of` for each unsettled day, of which there are hardly ever more than two.
    """
    runs = _runs(player, is_own=is_own)
    older = runs.filter(challenge_id__lt=day) if day else runs
    return _history(runs, list(older[:limit]), is_own=is_own)


def history_before(player: Player, day: date, limit: int, *, is_own: bool) -> History:
    """Up to ``limit`` runs right newer than the one of ``day``; otherwise as `history_after`."""
    runs = _runs(player, is_own=is_own)
    newer = runs.filter(challenge_id__gt=day).order_by("challenge_id")
    return _history(runs, list(newer[:limit])[::-1], is_own=is_own)


def _runs(player: Player, *, is_own: bool) -> QuerySet[Run]:
    runs = Run.objects.filter(player=player) if is_own else Run.objects.filter(player=player, voided_at=None)
    return runs.select_related("challenge").defer("log_text", *DEALS).order_by("-challenge_id")


def _history(runs: QuerySet[Run], shown: list[Run], *, is_own: bool) -> History:
    if not shown:
        return History([], None, None)
    newest, oldest = shown[0].challenge_id, shown[-1].challenge_id
    newer, older = Q(challenge_id__gt=newest), Q(challenge_id__lt=oldest)
    beyond = runs.aggregate(newer=Count("pk", filter=newer), older=Count("pk", filter=older))
    return History(
        entries=list(_entries(shown, is_own=is_own)),
        previous=newest if beyond["newer"] else None,
        next=oldest if beyond["older"] else None,
    )


def _entries(runs: list[Run], *, is_own: bool) -> Iterator[Entry]:
    ranks, field_sizes = _final_ranks(runs), _final_field_sizes(runs)
    for run in runs:
        day, is_settled = run.challenge_id, run.challenge.is_settled
        final = ranks.get(day_board(day)), field_sizes.get(day)
        rank, field_size = final if is_settled else _as_it_stands(run)
        best_clear = run.challenge.best_clear if is_settled or is_own else None
        yield Entry(run, rank, field_size if rank else None, best_clear)


def _final_ranks(runs: list[Run]) -> dict[str, int | None]:
    boards = [day_board(run.challenge_id) for run in runs]
    standings = Standing.objects.filter(player_id=runs[0].player_id, board__in=boards)
    return dict(standings.values_list("board", "rank"))


def _final_field_sizes(runs: list[Run]) -> dict[date, int]:
    settlements = Settlement.objects.filter(challenge__in=[run.challenge_id for run in runs])
    return dict(settlements.order_by("revision").values_list("challenge_id", "field_size"))


def _as_it_stands(run: Run) -> tuple[int | None, int | None]:
    found = place_of(day_board(run.challenge_id), run.player_id)
    return (found[1].rank, found[1].field_size) if found else (None, None)
