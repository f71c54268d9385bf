"""The boards of a league: any board, with its members only, ranked among themselves by the same order.

A league is small, so its whole order is read at once and everything else is counted in Python.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from operator import attrgetter

from django.db.models import Count

from daily.models import MAX_CLEARED, Run
from leaderboard import queries
from leaderboard.models import League
from leaderboard.periods import span
from leaderboard.queries import Slice
from leaderboard.scoring import Place, Position
from leaderboard.standings import Page, compose

by_score = attrgetter("score")


@dataclass(frozen=True, slots=True)
class LeagueBoard:
    """A board with the members of a league only, as it stood when it was read."""

    league: League
    board: str
    positions: list[Position]
    """Every member's who is on the board, best first."""

    @classmethod
    def read(cls, league: League, board: str) -> LeagueBoard:
        """The board as it stands. One query; cost: the league's members."""
        live = queries.live(board).filter(player__memberships__league=league)
        return cls(league, board, [Position(*pair) for pair in live.values_list("score", "player_id")])

    def place_of(self, player_id: int) -> tuple[Position, Place] | None:
        """Where a member stands and what that is worth, or None when not on the board."""
        own = next((position for position in self.positions if position.player_id == player_id), None)
        if own is None:
            return None
        field_size = len(self.positions)
        beaten = field_size - bisect_right(self.positions, own.score, key=by_score)
        return own, Place(self._better(own) + 1, beaten, field_size)

    def page_after(self, position: Position | None, limit: int, *, viewer_id: int | None = None) -> Page:
        """Up to ``limit`` rows that follow a position, or the top of the board. Two queries."""
        start = bisect_right(self.positions, position) if position else 0
        return self._page(start, start + limit, viewer_id)

    def page_before(self, position: Position, limit: int, *, viewer_id: int | None = None) -> Page:
        """Up to ``limit`` rows that come right before a position. Two queries."""
        end = bisect_left(self.positions, position)
        return self._page(end - limit, end, viewer_id)

    def page_around(self, player_id: int, radius: int, *, viewer_id: int | None = None) -> Page | None:
        """The member's row with up to ``radius`` on either side, or None when not there. Two queries."""
        placed = self.place_of(player_id)
        if placed is None:
            return None
        middle = bisect_left(self.positions, placed[0])
        return self._page(middle - radius, middle + radius + 1, viewer_id)

    def distribution(self) -> list[int]:
        """How many of the members' runs cleared 0, 1, … 28 cards. One query; cost: the members' runs."""
        runs = Run.objects.counting().filter(player__memberships__league=self.league)
        within = runs.filter(challenge__date__range=span(self.board)).order_by()
        numbers = dict(within.values_list("cleared").annotate(n=Count("pk")))
        return [numbers.get(cleared, 0) for cleared in range(MAX_CLEARED + 1)]

    def _page(self, start: int, end: int, viewer_id: int | None) -> Page:
        ahead = max(0, start)
        positions = self.positions[ahead:end]
        better = self._better(positions[0]) if positions else 0
        found = Slice(positions, ahead, better, len(self.positions))
        return compose(
            self.board, found, self.distribution(), self.place_of(viewer_id) if viewer_id else None
        )

    def _better(self, position: Position) -> int:
        return bisect_left(self.positions, position.score, key=by_score)
