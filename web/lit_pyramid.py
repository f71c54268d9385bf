"""How far a pyramid was cleared, drawn as blank cards, the cleared ones lit. It tells nothing of the deal."""

from collections.abc import Iterator

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from daily.models import MAX_CLEARED
from games.pyramid.layout import ROWS

WIDTH, HEIGHT = 304, 200
CARD_WIDTH, CARD_HEIGHT, COLUMN_STEP, ROW_STEP = 36, 48, 43, 24


def places() -> Iterator[tuple[float, int]]:
    """The corners of the 28 cards, from the apex down."""
    for row in range(ROWS):
        left = (WIDTH - CARD_WIDTH - row * COLUMN_STEP) / 2
        yield from ((left + column * COLUMN_STEP, 2 + row * ROW_STEP) for column in range(row + 1))


def draw_lit_pyramid(cleared: int) -> SafeString:
    """The pyramid with so many cards lit, from the bottom row up, which is how it is cleared."""
    cards = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="5"/>',
        (
            ("lit" if index >= MAX_CLEARED - cleared else "unlit", f"{x:g}", y, CARD_WIDTH, CARD_HEIGHT)
            for index, (x, y) in enumerate(places())
        ),
    )
    return format_html(
        '<svg class="lit-pyramid" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>', WIDTH, HEIGHT, cards
    )
