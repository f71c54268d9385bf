"""The rules: all sets side by side, and each with positions that show what is special about it."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from daily.pictures import draw_cards
from games.pyramid import RULES, Rules
from web.caching import revalidated
from web.rule_examples import BASICS, SPECIAL


@dataclass(frozen=True)
class Facts:
    """A rule set in the words of a table."""

    rules: Rules

    @property
    def passes(self) -> str:
        """How often one may go through the stock."""
        return str(self.rules.passes or "no limit")

    @property
    def first_card(self) -> str:
        """Where the first card of the stock lies at the start."""
        return "on the waste, stock 23" if self.rules.first_waste else "stock 24"

    @property
    def stock_top(self) -> str:
        """Whether the next stock card is in play."""
        return _yes_no(self.rules.stock_top_in_play)

    @property
    def cover_pairs(self) -> str:
        """Whether a card may go with the last one that covers it."""
        return _yes_no(self.rules.cover_pairs)

    @property
    def won_when(self) -> str:
        """What has to be gone."""
        return "the pyramid is gone" if self.rules.win == "pyramid" else "all 52 cards are gone"

    @property
    def undo(self) -> str:
        """How far undo reaches, and whether it gives the move back."""
        limit = self.rules.undo_limit
        reach = "any" if limit is None else f"the last {limit}"
        count = "the move is given back" if self.rules.undo_gives_move_back else "moves stay counted"
        return f"{reach}, {count}"

    @property
    def points(self) -> str:
        """What is worth points."""
        rules = self.rules
        told = {
            f"{rules.points_per_pyramid_card} a pyramid card": rules.points_per_pyramid_card,
            f"{rules.points_per_pair} a pair": rules.points_per_pair,
            f"{rules.points_per_king} a king": rules.points_per_king,
            f"on a win + a point for each second left of {rules.time_bonus_s}": rules.time_bonus_s,
        }
        return ", ".join(words for words, worth in told.items() if worth) or "none"

    def table(self) -> list[tuple[str, str]]:
        """Every fact with its name."""
        return [
            ("Passes", self.passes),
            ("First card", self.first_card),
            ("Stock top in play", self.stock_top),
            ("Cover pairs", self.cover_pairs),
            ("Won when", self.won_when),
            ("Undo", self.undo),
            ("Points", self.points),
        ]


def _yes_no(value: bool) -> str:  # noqa: FBT001 (a fact of the rules)
    return "yes" if value else "no"


@require_safe
@revalidated
def rules(request: HttpRequest) -> HttpResponse:
    """How to play, and the rule sets."""
    sets = [Facts(each) for each in RULES.values()]
    context = {"sets": sets, "examples": BASICS, "card_symbols": draw_cards()}
    return render(request, "web/rules.html", context)


@require_safe
@revalidated
def rule_set(request: HttpRequest, slug: str) -> HttpResponse:
    """One rule set."""
    if slug not in RULES:
        raise Http404
    slugs = [*RULES]
    following = slugs[(slugs.index(slug) + 1) % len(slugs)]
    context = {
        "rules": RULES[slug],
        "facts": Facts(RULES[slug]),
        "examples": SPECIAL[slug],
        "next": RULES[following],
        "card_symbols": draw_cards(),
    }
    return render(request, "web/rule_set.html", context)
