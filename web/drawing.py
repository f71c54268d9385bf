"""Positions drawn as the player sees them: the pyramid, the stock face down, the last cards of the waste.

The cards are the symbols of `daily.pictures.draw_cards`, which has to be on the page once.
"""

import re
from collections.abc import Collection, Iterator

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from daily.pictures import CARD_HEIGHT, CARD_WIDTH, EDGE, SUIT_SIGNS, WIDTH, is_under, pyramid_cards
from games.cards import Card
from games.pyramid import Board

HEIGHT = 372
WASTE_SHOWN, WASTE_STEP = 3, 18
CARD_CODE = re.compile(r"\b([A2-9TJQK])([CDHS])\b")


def card_name(card: Card) -> str:
    """A card as people write it, ``10♦``."""
    return with_signs(str(card))


def with_signs(text: str) -> str:
    """The text with every card in it as people write it."""
    return CARD_CODE.sub(lambda code: code[1].replace("T", "10") + SUIT_SIGNS[code[2]], text)


def draw_table(board: Board, marked: Collection[Card] = ()) -> SafeString:
    """The position as a picture, with these cards ringed."""
    pieces = [*_pyramid(board, marked), *_stock(board, marked), *_waste(board, marked)]
    return format_html(
        '<svg class="table-picture" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        WIDTH,
        HEIGHT,
        describe(board),
        format_html_join("", "{}", ((piece,) for piece in pieces)),
    )


def describe(board: Board) -> str:
    """The position in words, for those who cannot see it."""
    exposed = ", ".join(map(card_name, board.exposed)) or "none"
    top = card_name(board.waste[-1]) if board.waste else "none"
    return f"Exposed: {exposed}. Top of the waste: {top}. Stock: {_stock_words(board)}."


def _stock_words(board: Board) -> str:
    count = len(board.stock)
    words = f"{count} card{'' if count == 1 else 's'}"
    return f"{words}, the next one {card_name(board.stock[0])}" if _shows_stock_top(board) else words


def _shows_stock_top(board: Board) -> bool:
    return board.rules.stock_top_in_play and bool(board.stock)


def _pyramid(board: Board, marked: Collection[Card]) -> Iterator[SafeString]:
    for card, x, y in pyramid_cards(board):
        state = "covered under" if is_under(board, card) else "covered" if board.covers(card) else "exposed"
        yield _card(card, state, x, y, is_marked=card in marked)


def _stock(board: Board, marked: Collection[Card]) -> Iterator[SafeString]:
    if _shows_stock_top(board):
        yield _card(board.stock[0], "exposed", EDGE, EDGE, is_marked=board.stock[0] in marked)
    else:
        yield _blank("back" if board.stock else "empty", EDGE)
    yield _words(f"Stock {len(board.stock)}", EDGE, "start")


def _waste(board: Board, marked: Collection[Card]) -> Iterator[SafeString]:
    shown = board.waste[-WASTE_SHOWN:]
    right = WIDTH - EDGE - CARD_WIDTH
    if not shown:
        yield _blank("empty", right)
    for depth, card in zip(range(len(shown) - 1, -1, -1), shown, strict=True):
        state = "covered" if depth else "exposed"
        yield _card(card, state, right - depth * WASTE_STEP, EDGE, is_marked=card in marked)
    yield _words(f"Waste {len(board.waste)}", WIDTH - EDGE, "end")


def _card(card: Card, state: str, x: int, y: int, *, is_marked: bool) -> SafeString:
    drawn = format_html('<use class="{}" href="#card-{}" {}/>', state, card, _place(x, y))
    ring = format_html('<rect class="ring" {} rx="7"/>', _place(x, y)) if is_marked else SafeString()
    return drawn + ring


def _blank(kind: str, x: int) -> SafeString:
    return format_html('<rect class="{}" {} rx="6"/>', kind, _place(x, EDGE))


def _place(x: int, y: int) -> SafeString:
    return format_html('x="{}" y="{}" width="{}" height="{}"', x, y, CARD_WIDTH, CARD_HEIGHT)


def _words(text: str, x: int, anchor: str) -> SafeString:
    y = EDGE + CARD_HEIGHT + 18
    return format_html('<text x="{}" y="{}" text-anchor="{}">{}</text>', x, y, anchor, text)
