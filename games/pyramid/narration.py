"""A move log told move by move, for people who follow it with cards on a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.cards import Card
from games.pyramid.board import Board
from games.pyramid.deal import Deal
from games.pyramid.layout import PYRAMID_SIZE, ROW_OF
from games.pyramid.moves import Move
from games.pyramid.rules import Rules


def narrate(deal: Deal, rules: Rules, log: Iterable[str]) -> Iterator[str]:
    """One line for each move: its number, its text, what it does, and what is cleared once that has changed.

    Raises IllegalMove for the first move that is refused, MalformedMove for what is no move.
    """
    board = Board(deal, rules)
    for number, text in enumerate(log, start=1):
        cleared = board.cleared
        told = _tell(board, Move.parse(text))
        board.play(text)
        progress = f"{board.cleared:>2} cleared" if board.cleared != cleared else ""
        yield f"{number:>3}  {text:<5} {told:<42}{progress}".rstrip()


def _tell(board: Board, move: Move) -> str:
    match move.text:
        case "D":
            return f"draw {board.stock[0]}" if board.stock else "draw"
        case "R":
            return f"turn the waste over for pass {board.pass_number + 1}"
        case "U":
            return "take the last move back"
        case _:
            return "take " + " and ".join(f"{card} from {_where(board, card)}" for card in move.cards)


def _where(board: Board, card: Card) -> str:
    place = board.deal.cards.index(card)
    if place < PYRAMID_SIZE:
        return f"row {ROW_OF[place] + 1}"
    return "the stock" if card in board.stock else "the waste"
