"""Why a move is refused, as the end of a sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cards import Card
from games.pyramid.moves import Move

if TYPE_CHECKING:
    from games.pyramid.board import Board


def explain(board: Board, move: Move, code: str) -> str:
    """What is in the way of a move that the board refused with this code."""
    match code:
        case "game_over":
            return "the run is already won."
        case "nothing_to_undo":
            return _nothing_to_undo(board)
        case "stock_empty":
            return "the stock is empty."
        case "stock_not_empty":
            return (
                f"the stock still holds {len(board.stock)} cards."
                if len(board.stock) > 1
                else "the stock still holds a card."
            )
        case "nothing_to_redeal":
            return "stock and waste are both empty."
        case "no_passes_left":
            return f"this was pass {board.pass_number} of {board.rules.passes}."
        case "not_thirteen":
            return (
                f"{_named(move.cards)} {'make' if len(move.cards) == 2 else 'counts'} {move.total}, not 13."
            )
        case _:
            return _card_in_the_way(board, move, code)


def _card_in_the_way(board: Board, move: Move, code: str) -> str:
    match code:
        case "gone":
            return f"{_first(move, set(move.cards) - _remaining(board))} is already gone."
        case "buried":
            return f"{_first(move, set(board.waste[:-1]))} lies in the waste under {board.waste[-1]}."
        case "in_stock":
            hidden = board.stock[1:] if board.rules.stock_top_in_play else board.stock
            return f"{_first(move, set(hidden))} is in the stock and not in play."
        case _:
            return _covered(board, move)


def _covered(board: Board, move: Move) -> str:
    # Of two covered cards the telling one is covered by something else than its partner.
    covered = [card for card in move.cards if board.covers(card)]
    card = next((card for card in covered if set(board.covers(card)) - set(move.cards)), covered[0])
    return f"{card} is still covered by {_named(board.covers(card))}."


def _nothing_to_undo(board: Board) -> str:
    limit = board.rules.undo_limit
    return (
        "there is nothing to undo."
        if limit is None
        else f"there is nothing to undo; undo reaches back {limit} actions."
    )


def _remaining(board: Board) -> set[Card | None]:
    return {*board.pyramid, *board.stock, *board.waste}


def _first(move: Move, culprits: set[Card]) -> Card:
    return next(card for card in move.cards if card in culprits)


def _named(cards: tuple[Card, ...]) -> str:
    return " and ".join(map(str, cards))
