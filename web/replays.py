"""A run's log told move by move, for those who watch it."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from daily.models import Run
from games.pyramid import Board, Deal, Move, Rules
from web.drawing import card_name


@dataclass(slots=True)
class ToldMove:
    """A move in words, and how it stands after it."""

    words: str
    cleared: int
    """Cards of the pyramid gone after the move."""
    has_cleared: bool
    """Whether the move itself took cards of the pyramid."""
    is_undo: bool = False
    is_undone: bool = False
    """Whether it was taken back later."""


def tell(deal: Deal, rules: Rules, log: Iterable[str], *, names_drawn: bool) -> list[ToldMove]:
    """A legal log in words; which cards were drawn only where the deal may be told. Raises IllegalMove."""
    told = list(_tell(Board(deal, rules), log, names_drawn=names_drawn))
    standing: list[ToldMove] = []
    for move in told:
        if move.is_undo:
            standing.pop().is_undone = True
        else:
            standing.append(move)
    return told


def _tell(board: Board, log: Iterable[str], *, names_drawn: bool) -> Iterator[ToldMove]:
    for text in log:
        before = board.cleared
        move = board.play(text)
        words = _words(move, board, names_drawn=names_drawn)
        yield ToldMove(words, board.cleared, board.cleared > before, is_undo=move.text == "U")


def _words(move: Move, after: Board, *, names_drawn: bool) -> str:
    match move.text:
        case "D":
            return f"draw {card_name(after.waste[-1])}" if names_drawn else "draw"
        case "R":
            return f"redeal, pass {after.pass_number}"
        case "U":
            return "undo"
        case _:
            return " and ".join(map(card_name, move.cards))


def for_the_player(run: Run) -> dict[str, Any]:
    """What `replay.js` plays; deck and best line only of a settled day, before it the API tells the deck."""
    challenge = run.challenge
    return {
        "day": str(challenge),
        "rules": asdict(challenge.ruleset),
        "log": run.log,
        "deck": challenge.deck if challenge.is_settled else None,
        "best": challenge.best_line if challenge.is_settled else [],
    }
