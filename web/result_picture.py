"""The picture of a result that other sites show beside a link: blank cards, as many lit as are gone.

It tells nothing of the deal, and of the run only what its page tells everybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from daily.models import MAX_CLEARED
from leaderboard.runs import SeenRun
from web.sharing import whole_seconds

WIDTH, HEIGHT = 1200, 630
ROWS = 7
CARD_WIDTH, CARD_HEIGHT, COLUMN_STEP, ROW_STEP = 62, 86, 72, 62
APEX: Final = (872, 82)
LEFT, RIGHT = 72, 600
FELT, FELT_EDGE, LIT, LIT_EDGE, DARK, DARK_EDGE, WORDS, SOFT = (
    "#0f3d2f", "#0a2b21", "#f6c244", "#fbe3a1", "#1b5443", "#2c6b57", "#f4f8f4", "#a9c9bb",
)  # fmt: skip
DESIGN = 1
"""One more whenever the picture is drawn in another way."""
DRAWABLE = frozenset(map(chr, range(0x20, 0x7F)))
"""What Pillow's own font has; a name with anything else is left out rather than spoilt."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What the picture shows."""

    date: str
    cleared: int
    time: str
    rank: str
    name: str

    @classmethod
    def of(cls, seen: SeenRun) -> Figures:
        """The figures of a run as everybody may see it."""
        run, place = seen.run, seen.place
        name = run.player.name
        return cls(
            date=f"{run.challenge_id:%-d %B %Y}",
            cleared=run.cleared,
            time=whole_seconds(run.elapsed_ms),
            rank=f"rank {place.rank} of {place.field_size}" if place and run.counts else "",
            name=name if set(name) <= DRAWABLE else "",
        )

    @property
    def tag(self) -> str:
        """Differs wherever the picture differs."""
        return blake2b(f"{DESIGN} {self!r}".encode(), digest_size=12).hexdigest()


@lru_cache(maxsize=64)
def draw(figures: Figures) -> bytes:
    """The picture as PNG, about 20 KB; some tens of milliseconds for each set of figures."""
    image = Image.new("RGB", (WIDTH, HEIGHT), FELT)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, HEIGHT - 14, WIDTH, HEIGHT), fill=FELT_EDGE)
    _draw_pyramid(pen, figures.cleared)
    _draw_words(pen, figures)
    stream = BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _draw_pyramid(pen: ImageDraw.ImageDraw, cleared: int) -> None:
    """From the apex down, so that each row lies on the one above; lit from the bottom row up."""
    for index, (left, top) in enumerate(places()):
        is_lit = index >= MAX_CLEARED - cleared
        fill, outline = (LIT, LIT_EDGE) if is_lit else (DARK, DARK_EDGE)
        pen.rounded_rectangle(
            (left, top, left + CARD_WIDTH, top + CARD_HEIGHT), radius=8, fill=fill, outline=outline, width=3
        )


def places() -> Iterator[tuple[int, int]]:
    """The corners of the cards, from the apex down."""
    middle, first = APEX
    for row in range(ROWS):
        left = middle - (row * COLUMN_STEP + CARD_WIDTH) // 2
        yield from ((left + column * COLUMN_STEP, first + row * ROW_STEP) for column in range(row + 1))


def _draw_words(pen: ImageDraw.ImageDraw, figures: Figures) -> None:
    won = figures.cleared == MAX_CLEARED
    pen.text((LEFT, 72), "Pyramid Daily", WORDS, _font(44))
    pen.text((LEFT, 128), figures.date, SOFT, _font(34))
    pen.text((LEFT, 208), f"{figures.cleared}/{MAX_CLEARED}", LIT if won else WORDS, _font(150))
    pen.text((LEFT, 378), f"{'cleared' if won else 'cards gone'} in {figures.time}", WORDS, _font(44))
    pen.text((LEFT, 440), figures.rank, SOFT, _font(38))
    pen.text((LEFT, 520), figures.name, WORDS, _fitting(figures.name, RIGHT - LEFT, 36))


def _fitting(text: str, width: int, size: int) -> ImageFont.FreeTypeFont:
    """The font at the largest size, up to this one, in which the text is not wider."""
    length = _font(size).getlength(text)
    return _font(size if length <= width else max(12, int(size * width / length)))


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("Pillow was built without FreeType.")
    return font
