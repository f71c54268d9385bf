"""The judge: a move log played from its first move to its last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.pyramid.board import Board
from games.pyramid.deal import Deal
from games.pyramid.errors import IllegalMove
from games.pyramid.rules import Rules


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run stands after its last move.

    `cleared` counts cards of the pyramid, `stock` and `waste` the cards in them; `points` has no time bonus.
    """

    cleared: int
    won: bool
    stuck: bool
    moves: int
    points: int
    pass_number: int
    stock: int
    waste: int

    @classmethod
    def of(cls, board: Board) -> Outcome:
        return cls(
            cleared=board.cleared,
            won=board.is_won,
            stuck=board.is_stuck,
            moves=board.moves,
            points=board.points,
            pass_number=board.pass_number,
            stock=len(board.stock),
            waste=len(board.waste),
        )

    def as_dict(self) -> dict[str, int | bool]:
        """The outcome as it is written in JSON, where the pass is called `pass`."""
        return {
            "cleared": self.cleared,
            "won": self.won,
            "stuck": self.stuck,
            "moves": self.moves,
            "points": self.points,
            "pass": self.pass_number,
            "stock": self.stock,
            "waste": self.waste,
        }


def replay(deal: Deal, rules: Rules, log: Iterable[str]) -> Outcome:
    """Play a log, undos included, on a fresh board and say how it ends.

    Raises IllegalMove for the first move that is refused, with its index in the log.
    """
    board = Board(deal, rules)
    for index, move in enumerate(log):
        try:
            board.play(move)
        except IllegalMove as refused:
            raise refused.at(index) from None
    return Outcome.of(board)
