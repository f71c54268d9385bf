"""Where the cards of a deal lie, and what covers what.

A card is known by its place in the deal: 0 to 27 in the pyramid, row by row from the apex, and 28 to 51 in
the stock, in the order of drawing. Sets of places are masks: bit `p` of an integer stands for place `p`.
"""

ROWS = 7
PYRAMID_SIZE = 28
DECK_SIZE = 52

PYRAMID = (1 << PYRAMID_SIZE) - 1
"""The mask of the places in the pyramid."""

ALL = (1 << DECK_SIZE) - 1
"""The mask of every place."""

ROW_OF = tuple(row for row in range(ROWS) for _ in range(row + 1))
"""The row of each place in the pyramid, 0 for the apex."""

COVERS = tuple(0b11 << place + row + 1 & PYRAMID for place, row in enumerate(ROW_OF)) + (0,) * (
    DECK_SIZE - PYRAMID_SIZE
)
"""For each place the mask of the two places that cover it; 0 in the last row and outside the pyramid."""


def places(mask: int) -> list[int]:
    """The places in a mask, in order."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
