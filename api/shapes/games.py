"""Rule sets, deals and outcomes: the engine's values as JSON."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from games.pyramid import Board, Deal, Outcome, Rules
from games.pyramid.solver import Best


class RulesAnswer(TypedDict):
    """A rule set."""

    slug: str
    version: int
    title: str
    summary: str
    passes: Annotated[int | None, "Trips through the stock; null for no limit."]
    first_waste: Annotated[bool, "The first stock card lies on the waste from the start."]
    stock_top_in_play: bool
    cover_pairs: bool
    win: Annotated[Literal["pyramid", "all"], "What has to be gone."]
    undo_limit: Annotated[int | None, "How many of the last actions can be taken back; null for no limit."]
    undo_gives_move_back: bool
    points_per_pyramid_card: int
    points_per_pair: int
    points_per_king: int
    time_bonus_s: Annotated[int, "On a win each whole second left of these is worth a point."]


class RulesListAnswer(TypedDict):
    """Every rule set."""

    results: list[RulesAnswer]


def render_rules(rules: Rules) -> RulesAnswer:
    return {
        "slug": rules.slug,
        "version": rules.version,
        "title": rules.title,
        "summary": rules.summary,
        "passes": rules.passes,
        "first_waste": rules.first_waste,
        "stock_top_in_play": rules.stock_top_in_play,
        "cover_pairs": rules.cover_pairs,
        "win": rules.win,
        "undo_limit": rules.undo_limit,
        "undo_gives_move_back": rules.undo_gives_move_back,
        "points_per_pyramid_card": rules.points_per_pyramid_card,
        "points_per_pair": rules.points_per_pair,
        "points_per_king": rules.points_per_king,
        "time_bonus_s": rules.time_bonus_s,
    }


class DealAnswer(TypedDict):
    """A deal laid out for a rule set, and solved."""

    code: str | None
    rules: str
    rules_version: int
    deck: str
    pyramid: Annotated[list[list[str]], "Seven rows, the apex first."]
    stock: Annotated[list[str], "The card drawn first, first."]
    waste: list[str]
    best_clear: Annotated[int, "The most pyramid cards that any play clears, or that was found in the time."]
    proven: Annotated[bool, "No play clears more than `best_clear`."]
    difficulty: Annotated[float, "The share of `best_clear` that a plain player reaches: 1 is easy."]


def render_deal(deal: Deal, rules: Rules, best: Best, difficulty: float) -> DealAnswer:
    board = Board(deal, rules)
    return {
        "code": deal.code,
        "rules": rules.slug,
        "rules_version": rules.version,
        "deck": deal.deck,
        "pyramid": _rows([str(card) for card in deal.pyramid]),
        "stock": [str(card) for card in board.stock],
        "waste": [str(card) for card in board.waste],
        "best_clear": best.cleared,
        "proven": best.proven,
        "difficulty": difficulty,
    }


def _rows(cards: Sequence[str]) -> list[list[str]]:
    return [list(cards[row * (row + 1) // 2 : (row + 1) * (row + 2) // 2]) for row in range(7)]


OutcomeAnswer = TypedDict(
    "OutcomeAnswer",
    {
        "cleared": int,
        "won": bool,
        "stuck": bool,
        "moves": int,
        "points": Annotated[int, "Without a bonus for time."],
        "pass": Annotated[int, "Which trip through the stock this is."],
        "stock": Annotated[int, "Cards left in the stock."],
        "waste": Annotated[int, "Cards on the waste."],
    },
)
OutcomeAnswer.__doc__ = """How a run stands after its last move."""


def render_outcome(outcome: Outcome) -> OutcomeAnswer:
    return {
        "cleared": outcome.cleared,
        "won": outcome.won,
        "stuck": outcome.stuck,
        "moves": outcome.moves,
        "points": outcome.points,
        "pass": outcome.pass_number,
        "stock": outcome.stock,
        "waste": outcome.waste,
    }
