"""The rule sets as data. A rule set is one frozen value; nothing in the engine is a subclass per variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from games.pyramid.errors import UnknownRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a deal is played. Every field but the slug has a default, the plainest, and all combine freely.

    `RULES` holds the sets that are played; others can be made for study: `Rules(slug="two", passes=2)`.
    """

    slug: str
    version: int = 1
    title: str = ""
    summary: str = ""
    passes: int | None = None
    """Trips through the stock, the first included; None for no limit."""
    first_waste: bool = False
    """The first card of the stock lies on the waste from the start."""
    stock_top_in_play: bool = False
    """The next stock card is face up and may be removed without drawing it."""
    cover_pairs: bool = False
    """A card may go together with its partner to 13 when that is all that covers it."""
    win: Literal["pyramid", "all"] = "pyramid"
    """What has to be gone: the 28 cards of the pyramid, or all 52."""
    undo_limit: int | None = None
    """How many of the last actions can be taken back; None for no limit."""
    undo_gives_move_back: bool = True
    """An undone action no longer counts as a move."""
    points_per_pyramid_card: int = 0
    points_per_pair: int = 0
    points_per_king: int = 0
    time_bonus_s: int = 0
    """On a win each whole second left of these is worth a point."""

    @staticmethod
    def named(slug: str) -> Rules:
        """The rule set of `RULES` with this slug. Raises UnknownRules."""
        try:
            return RULES[slug]
        except (KeyError, TypeError):
            raise UnknownRules(slug) from None

    def time_bonus(self, *, won: bool, elapsed_ms: int) -> int:
        """The points a run earns for its time, from 0 to `time_bonus_s`."""
        return max(0, self.time_bonus_s - elapsed_ms // 1000) if won else 0

    def __str__(self) -> str:
        return self.slug


RULES: Mapping[str, Rules] = MappingProxyType(
    {
        rules.slug: rules
        for rules in (
            Rules(
                slug="endless",
                title="Endless",
                summary="Go through the stock as often as you like; the pyramid has to be empty.",
            ),
            Rules(
                slug="pyramide",
                title="Pyramide",
                summary="The first card lies on the waste, passes have no limit, an undone move still counts"
                " and only the last 100 can be undone. 10 points for each pyramid card.",
                first_waste=True,
                undo_limit=100,
                undo_gives_move_back=False,
                points_per_pyramid_card=10,
            ),
            Rules(
                slug="three-pass",
                title="Three passes",
                summary="Three trips through the stock; the pyramid has to be empty.",
                passes=3,
            ),
            Rules(
                slug="cover-pairs",
                title="Cover pairs",
                summary="Three trips; a card may go together with the one card that still covers it. 10"
                " points a pair, 5 a king, and on a win one for each second left of 15 minutes.",
                passes=3,
                cover_pairs=True,
                points_per_pair=10,
                points_per_king=5,
                time_bonus_s=900,
            ),
            Rules(
                slug="open-stock",
                title="Open stock",
                summary="Three trips, and the next stock card lies face up and is in play.",
                passes=3,
                stock_top_in_play=True,
            ),
            Rules(
                slug="one-pass",
                title="One pass",
                summary="A single trip through the stock; the pyramid has to be empty.",
                passes=1,
            ),
            Rules(
                slug="strict",
                title="Strict",
                summary="A single trip with the next stock card in play, and all 52 cards have to go.",
                passes=1,
                stock_top_in_play=True,
                win="all",
            ),
        )
    }
)
"""The rule sets that are played, by slug."""
