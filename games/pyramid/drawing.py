"""Deals and boards drawn as text. Cards that can be taken stand in brackets."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.cards import Card
from games.pyramid.board import Board
from games.pyramid.deal import Deal
from games.pyramid.layout import ROWS
from games.pyramid.rules import Rules

_WASTE_SHOWN = 8


def draw_deal(deal: Deal) -> str:
    """The deal laid out: code and deck, the pyramid, and the stock in the order of drawing."""
    board = Board(deal, Rules(slug="any"))
    title = [deal.code] if deal.code else []
    return "\n".join([*title, deal.deck, "", *_rows(board), "", f"stock  {_spaced(deal.stock)}"])


def draw_board(board: Board) -> str:
    """The pyramid as it stands, the stock, the top of the waste and the figures."""
    return "\n".join(
        [*_rows(board), "", f"stock  {_stock(board)}", f"waste  {_waste(board)}", _figures(board)]
    )


def _rows(board: Board) -> list[str]:
    starts = [row * (row + 1) // 2 for row in range(ROWS)]
    return [_row(board, row, board.pyramid[start : start + row + 1]) for row, start in enumerate(starts)]


def _row(board: Board, row: int, cards: Sequence[Card | None]) -> str:
    exposed = board.exposed
    margin = "  " * (ROWS - 1 - row)
    return (margin + "".join(_cell(card, exposed) for card in cards)).rstrip()


def _cell(card: Card | None, exposed: Collection[Card]) -> str:
    if card is None:
        return "  · "
    return f"[{card}]" if card in exposed else f" {card} "


def _stock(board: Board) -> str:
    count = f"{len(board.stock):>2}"
    return f"{count} [{board.stock[0]}]" if board.stock and board.rules.stock_top_in_play else count


def _waste(board: Board) -> str:
    if not board.waste:
        return " 0"
    below = board.waste[-_WASTE_SHOWN:-1]
    return f"{len(board.waste):>2} {_spaced((*below, f'[{board.waste[-1]}]'))}"


def _figures(board: Board) -> str:
    passes = f" of {board.rules.passes}" if board.rules.passes else ""
    return (
        f"pass   {board.pass_number:>2}{passes} · moves {board.moves}"
        f" · cleared {board.cleared} · points {board.points}"
    )


def _spaced(cards: Sequence[object]) -> str:
    return " ".join(map(str, cards))
