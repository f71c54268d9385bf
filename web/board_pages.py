"""Which part of a board a page shows: its ``after``, ``before``, ``around`` and ``league`` say so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest
from django.urls import reverse

from leaderboard import standings
from leaderboard.league_boards import LeagueBoard
from leaderboard.leagues import NoSuchLeague, find_league, show_code
from leaderboard.models import League
from leaderboard.periods import month_of, week_of
from leaderboard.scoring import Position
from leaderboard.standings import Page
from players.models import Player
from web.people import find_player, isolated
from web.sessions import viewer_of

ROWS = 50
RADIUS = 24
"""Rows on either side of the one that is looked for."""
POSITION = re.compile("[0-9a-f]{32}")
HIGHEST = 2**63 - 1
"""What the database takes."""


class Pages(NamedTuple):
    """The ways to find a page of a board."""

    after: Callable[..., Page]
    before: Callable[..., Page]
    around: Callable[..., Page | None]


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page of a board with what its links and marks need."""

    page: Page
    league: League | None
    viewer: Player | None
    sought: Player | None
    """Whose row was asked for and is shown."""
    notice: str
    """Why somebody who was asked for is not shown."""

    @property
    def league_code(self) -> str:
        """The league's code as people read it; empty for the board of everybody."""
        return show_code(self.league.code) if self.league else ""

    @property
    def top(self) -> str:
        """The address of the first page; for links within the page."""
        return self._address()

    @property
    def own(self) -> str:
        """The address of the page around the viewer."""
        return self._address(around="me")

    @property
    def next(self) -> str:
        """The address of the next page; empty where there is none."""
        return self._address(after=str(self.page.next)) if self.page.next else ""

    @property
    def previous(self) -> str:
        """The address of the page before; empty where there is none."""
        return self._address(before=str(self.page.previous)) if self.page.previous else ""

    @property
    def query(self) -> str:
        """What to add to another board's address to stay with the league."""
        return f"?{urlencode({'league': self.league_code})}" if self.league else ""

    def _address(self, **place: str) -> str:
        query = {"league": self.league_code} if self.league else {}
        return f"?{urlencode(query | place)}"


def read_board(request: HttpRequest, board: str) -> BoardPage:
    """The part of a board that is asked for; its top where that is nowhere.

    Raises Http404 for a league that the viewer is not in.
    """
    viewer = viewer_of(request)
    league = _league(request, viewer)
    pages = _pages(board, league)
    around = request.GET.get("around", "").strip()
    sought = viewer if around == "me" else find_player(around) if around else None
    found = pages.around(sought.pk, RADIUS, viewer_id=_key(viewer)) if sought else None
    return BoardPage(
        page=found or _by_position(request, pages, _key(viewer)),
        league=league,
        viewer=viewer,
        sought=sought if found else None,
        notice=_missing(around, sought) if around and not found else "",
    )


def read_position(text: str) -> Position | None:
    """The position that is written so, or None where none is, or none that there can be."""
    position = Position.parse(text) if POSITION.fullmatch(text) else None
    return position if position and max(position) <= HIGHEST else None


def tabs_of(day: date, query: str) -> list[tuple[str, str, str]]:
    """The boards that a day counts on, ``query`` being added to each address: kind, address and words."""
    addresses = {
        "day": reverse("web:day", kwargs={"day": day}),
        "week": reverse("web:week", kwargs={"period": week_of(day)}),
        "month": reverse("web:month", kwargs={"period": month_of(day)}),
        "all-time": reverse("web:all-time"),
    }
    return [
        (kind, f"{address}{query}", kind.replace("-", " ").capitalize())
        for kind, address in addresses.items()
    ]


def _league(request: HttpRequest, viewer: Player | None) -> League | None:
    code = request.GET.get("league")
    if not code:
        return None
    if viewer is None:
        raise Http404
    try:
        return find_league(player=viewer, code=code)
    except NoSuchLeague:
        raise Http404 from None


def _pages(board: str, league: League | None) -> Pages:
    if league is None:
        after, before, around = standings.page_after, standings.page_before, standings.page_around
        return Pages(partial(after, board), partial(before, board), partial(around, board))
    found = LeagueBoard.read(league, board)
    return Pages(found.page_after, found.page_before, found.page_around)


def _by_position(request: HttpRequest, pages: Pages, viewer_id: int | None) -> Page:
    before = read_position(request.GET.get("before", ""))
    if before:
        return pages.before(before, ROWS, viewer_id=viewer_id)
    return pages.after(read_position(request.GET.get("after", "")), ROWS, viewer_id=viewer_id)


def _key(viewer: Player | None) -> int | None:
    return viewer.pk if viewer else None


def _missing(around: str, sought: Player | None) -> str:
    if around == "me":
        return "You are not on this board yet." if sought else "Sign in to find yourself on the board."
    if sought:
        return f"{isolated(sought.name)} is not on this board."
    return f"Nobody is called “{isolated(around[:80])}”."
