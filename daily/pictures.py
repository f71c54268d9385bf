"""Deals and positions drawn as SVG, with cards of our own; `draw_cards` has to be on the page once."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.cards import FULL_DECK, Card
from games.pyramid import Board, Deal, Move, Rules
from games.pyramid.layout import ROW_OF

CARD_WIDTH, CARD_HEIGHT = 60, 84
ROW_STEP, COLUMN_STEP = 46, 68
STOCK_CARD_WIDTH, STOCK_CARD_HEIGHT = 36, 50
STOCK_COLUMNS, STOCK_TOP = 12, 382
WIDTH, HEIGHT = 488, 496
EDGE = 6

MOST_STEPS = 500
"""About a second of drawing and two megabytes."""

SUIT_PATHS = {
    "C": "M12 2a4.7 4.7 0 0 1 3.7 7.6 4.7 4.7 0 1 1-2.4 7.4c.2 2.1 1 3.7 2.5 5H8.2c1.5-1.3 2.3-2.9 2.5-5"
    "a4.7 4.7 0 1 1-2.4-7.4A4.7 4.7 0 0 1 12 2z",
    "D": "M12 1.5c2.2 4 4.8 7.5 8 10.5-3.2 3-5.8 6.5-8 10.5-2.2-4-4.8-7.5-8-10.5 3.2-3 5.8-6.5 8-10.5z",
    "H": "M12 21.5C5.5 16 2 12.2 2 8c0-3.1 2.3-5.2 5-5.2 2.2 0 4 1.3 5 3.3 1-2 2.8-3.3 5-3.3 2.7 0 5 2.1 5"
    " 5.2 0 4.2-3.5 8-10 13.5z",
    "S": "M12 2c6.5 5.5 10 8.7 10 12.3 0 2.6-1.9 4.4-4.2 4.4-1.9 0-3.5-1-4.5-2.5.2 2.5 1 4.4 2.6 5.8H8.1"
    "c1.6-1.4 2.4-3.3 2.6-5.8-1 1.5-2.6 2.5-4.5 2.5-2.3 0-4.2-1.8-4.2-4.4C2 10.7 5.5 7.5 12 2z",
}
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
COLOURS = {"C": "#1b1f2a", "D": "#c2182b", "H": "#c2182b", "S": "#1b1f2a"}
"""What a suit is printed in where no style sheet has a colour for its class, `suit-h` and so on."""
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', Roboto, sans-serif"

BACK = (
    '<symbol id="back" viewBox="0 0 60 84">'
    '<rect class="back-edge" x="1" y="1" width="58" height="82" rx="6" fill="#fff" stroke="#8b93a5"/>'
    '<rect class="back-field" x="5" y="5" width="50" height="74" rx="3.5" fill="#0b6e4f"/>'
    '<path class="back-lines" fill="none" stroke="#cfe8dc" stroke-width="1.6" stroke-linejoin="round"'
    ' d="M30 17 47 67H13zM30 35 38.5 60H21.5zM9 9h42v66H9z"/>'
    "</symbol>"
)
CROWNS = {
    "J": "M16 45V36l7 4 7-8 7 8 7-4v9zM16 47.5h28v4H16z",
    "Q": "M16 45 12 35l9 5 9-9 9 9 9-5-4 10zM16 47.5h28v4H16zM9.5 32a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0z"
    "M27.7 28a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0zM45.9 32a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0z",
    "K": "M16 45c-5-7-2-12.5 3.5-12.5 4.5 0 8 3 10.5 7.5 2.5-4.5 6-7.5 10.5-7.5C46 32.5 49 38 44 45z"
    "M16 47.5h28v4H16zM28.8 25.5h2.4v2.7h2.7v2.4h-2.7V36h-2.4v-5.4h-2.7v-2.4h2.7z",
}
"""What the court cards wear over their suit."""


class Step(NamedTuple):
    """A move of a log with the position it is made in, or the end with its last position."""

    words: str
    cleared: int
    """Cards cleared before the move."""
    picture: SafeString


def draw_cards() -> SafeString:
    """The 52 cards as symbols and a `back`, shown nowhere by themselves."""
    suits = format_html_join(
        "", '<symbol id="suit-{}" viewBox="0 0 24 24"><path d="{}"/></symbol>', SUIT_PATHS.items()
    )
    cards = format_html_join("", "{}", ((_symbol(card),) for card in FULL_DECK))
    return format_html(
        '<svg class="card-symbols" width="0" height="0" aria-hidden="true">{}{}{}</svg>',
        suits,
        SafeString(BACK),
        cards,
    )


def _symbol(card: Card) -> SafeString:
    """What matters stands in the upper half: a card that is covered shows no more than that."""
    return format_html(
        '<symbol id="card-{card}" viewBox="0 0 60 84">'
        '<rect class="card-paper" x="1" y="1" width="58" height="82" rx="6" fill="#fff" stroke="#8b93a5"/>'
        '<g class="suit-{name}" fill="{colour}"><text x="{x}" y="29" font-size="30" font-weight="700"'
        ' font-family="{font}"{squeezed}>{rank}</text>'
        '<use href="#suit-{suit}" x="34" y="7" width="22" height="22"/>'
        '<g class="card-picture">{picture}</g></g></symbol>',
        card=card,
        name=card.suit.lower(),
        colour=COLOURS[card.suit],
        x=4 if card.rank == "T" else 6,
        font=FONT,
        squeezed=SafeString(' textLength="28" lengthAdjust="spacingAndGlyphs"') if card.rank == "T" else "",
        rank=_rank(card),
        suit=card.suit,
        picture=_picture(card),
    )


def _picture(card: Card) -> SafeString:
    if card.rank not in CROWNS:
        return format_html('<use href="#suit-{}" x="11" y="38" width="38" height="38"/>', card.suit)
    return format_html(
        '<path class="card-crown" d="{}" fill="#e0a92e" transform="translate(0 5)"/>'
        '<use href="#suit-{}" x="18.5" y="58" width="23" height="23"/>',
        CROWNS[card.rank],
        card.suit,
    )


def draw_deal(deal: Deal, rules: Rules) -> SafeString:
    """The pyramid and the stock, in two rows in the order of drawing."""
    return _draw(Board(deal, rules), "deal", ())


def steps(deal: Deal, rules: Rules, log: Iterable[str]) -> Iterator[Step]:
    """A legal log move by move, each in the position it is made in with its cards marked, and the end.

    Of a log with more than `MOST_STEPS` moves the rest is left out. Raises IllegalMove.
    """
    board, moves = Board(deal, rules), list(log)
    for move in map(Move.parse, moves[:MOST_STEPS]):
        yield Step(_words(move), board.cleared, _draw(board, "position", move.cards))
        board.play(move)
    rest = moves[MOST_STEPS:]
    for text in rest:
        board.play(text)
    words = f"{len(rest)} more moves and the end" if rest else "the end"
    yield Step(words, board.cleared, _draw(board, "position", ()))


def _words(move: Move) -> str:
    actions = {"D": "draw", "R": "redeal", "U": "undo"}
    return actions.get(move.text) or " and ".join(_name(card) for card in move.cards)


def _name(card: Card) -> str:
    return _rank(card) + SUIT_SIGNS[card.suit]


def _rank(card: Card) -> str:
    return card.rank.replace("T", "10")


def _draw(board: Board, kind: str, marked: Collection[Card]) -> SafeString:
    pieces = [*_pyramid(board, marked), *_stock(board, marked)]
    return format_html(
        '<svg class="picture {}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        kind,
        WIDTH,
        HEIGHT,
        _label(board),
        format_html_join("", "{}", ((piece,) for piece in pieces)),
    )


def _label(board: Board) -> str:
    """The position in words, for those who cannot see it."""
    exposed = " ".join(map(_name, board.exposed)) or "none"
    top = _name(board.waste[-1]) if board.waste else "none"
    stock = len(board.stock)
    return f"{board.cleared} cleared. Exposed: {exposed}. Top of the waste: {top}. Stock: {stock} cards."


def pyramid_cards(board: Board) -> Iterator[tuple[Card, int, int]]:
    """The cards that are left of the pyramid, with the x and y of their corners; whole cards come last."""
    for place, card in enumerate(board.pyramid):
        row = ROW_OF[place]
        column = place - row * (row + 1) // 2
        x = (WIDTH - CARD_WIDTH - row * COLUMN_STEP) // 2 + column * COLUMN_STEP
        if card:
            yield card, x, EDGE + row * ROW_STEP


def _pyramid(board: Board, marked: Collection[Card]) -> Iterator[SafeString]:
    for card, x, y in pyramid_cards(board):
        state = "marked" if card in marked else "under" if is_under(board, card) else "in-play"
        yield _card(card, state, x, y, CARD_WIDTH, CARD_HEIGHT)


def is_under(board: Board, card: Card) -> bool:
    """Whether two cards lie on this one, so that of its picture only scraps would show between them."""
    return len(board.covers(card)) == 2


def _stock(board: Board, marked: Collection[Card]) -> Iterator[SafeString]:
    states = _states(board)
    for index, card in enumerate(board.deal.stock):
        row, column = divmod(index, STOCK_COLUMNS)
        x, y = EDGE + column * (STOCK_CARD_WIDTH + 4), STOCK_TOP + row * (STOCK_CARD_HEIGHT + 6)
        state = "marked" if card in marked else states.get(card, "gone")
        yield _card(card, state, x, y, STOCK_CARD_WIDTH, STOCK_CARD_HEIGHT)


def _states(board: Board) -> dict[Card, str]:
    """How the cards of stock and waste lie; those that are gone are missing."""
    waste = board.waste
    states = dict.fromkeys(board.stock, "undrawn") | dict.fromkeys(waste, "buried")
    return states | dict.fromkeys(waste[-1:], "top")


def _card(card: Card, state: str, x: int, y: int, width: int, height: int) -> SafeString:
    place = SafeString(f'x="{x}" y="{y}" width="{width}" height="{height}"')
    drawn = format_html('<use class="{}" href="#card-{}" {}/>', state, card, place)
    if state not in ("marked", "top"):
        return drawn
    return drawn + format_html('<rect class="ring {}" {} rx="6"/>', state, place)
