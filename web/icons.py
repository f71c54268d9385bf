"""The site's icon and the picture beside its links, drawn as PNG for those who cannot read SVG."""

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from games.pyramid.layout import ROWS

GREEN, DEEP_GREEN, WHITE, PAPER = "#0b6e4f", "#0d4f3a", "#ffffff", "#f6f4ee"
GRID = 32
"""The units of the shapes, as in ``favicon.svg``."""
PYRAMID = ((16, 2), (31, 30), (1, 30))
DIAMOND = ((16, 13), (20, 19), (16, 25), (12, 19))
SMOOTHING = 4
"""Drawn so many times larger and scaled down, for smooth edges."""
SAFE = 0.62
"""The share of a maskable icon's side that its shapes may take, whatever is cut off around."""

SHARE_SIZE = (1200, 630)
CARD = (76, 106)
CARD_STEP = (88, 56)


@lru_cache(maxsize=8)
def draw_icon(size: int, *, is_maskable: bool = False) -> bytes:
    """The pyramid of ``favicon.svg`` as a square PNG: on nothing, or white on green up to the edge."""
    side = size * SMOOTHING
    image = Image.new("RGBA", (side, side), DEEP_GREEN if is_maskable else "#00000000")
    pen = ImageDraw.Draw(image)
    scale = side / GRID * (SAFE if is_maskable else 1)
    offset = (side - scale * GRID) / 2
    colours = (WHITE, GREEN) if is_maskable else (GREEN, WHITE)
    for shape, colour in zip((PYRAMID, DIAMOND), colours, strict=True):
        pen.polygon([(x * scale + offset, y * scale + offset) for x, y in shape], fill=colour)
    return _png(image.resize((size, size), Image.Resampling.LANCZOS))


@lru_cache(maxsize=1)
def draw_share_picture() -> bytes:
    """A pyramid of blank cards and the name, as large as sites show it."""
    image = Image.new("RGB", SHARE_SIZE, GREEN)
    pen = ImageDraw.Draw(image)
    for x, y in _card_corners():
        corners = (x, y, x + CARD[0], y + CARD[1])
        pen.rounded_rectangle(corners, radius=10, fill=PAPER, outline=DEEP_GREEN, width=3)
    _write(pen, (64, 84), "Pyramid", 104)
    _write(pen, (64, 196), "Daily", 104)
    _write(pen, (66, 350), "One deal a day,", 40)
    _write(pen, (66, 402), "the same for everybody.", 40)
    return _png(image)


def _card_corners() -> Iterator[tuple[float, float]]:
    for row in range(ROWS):
        for column in range(row + 1):
            x = 852 - CARD[0] / 2 + (column - row / 2) * CARD_STEP[0]
            yield x, 94 + row * CARD_STEP[1]


def _write(pen: ImageDraw.ImageDraw, corner: tuple[float, float], text: str, size: int) -> None:
    pen.text(corner, text, fill=WHITE, font=ImageFont.load_default(size))


def _png(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
