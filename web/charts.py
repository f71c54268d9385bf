"""Charts drawn as SVG. Each says in its label, for those who cannot see it, every figure that it shows."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 348, 132
LEFT, RIGHT, TOP, BOTTOM = 6, 342, 24, 112
"""Where the drawing is; below it stands the scale, and above it there is room for a mark."""
LEAST_BAR = 2
"""The height of a bar for one among many, so that it is seen."""
GAP = 2
SCALE_STEP = 4
GRID_LABEL = 32
"""What the figures beside a line take of its width."""
MOST_DOTS = 60
"""With more points than these a line is drawn without dots."""


class Point(NamedTuple):
    """What a line shows for a day."""

    day: date
    value: float


def bars(counts: Sequence[int], *, marked: int | None, label: str) -> SafeString:
    """How many there are of 0, 1, 2, …, one bar each, that of ``marked`` told apart by colour and a mark."""
    highest = max(counts, default=0)
    pieces = [*_bars(counts, highest, marked), *_mark(counts, highest, marked), _scale(counts)]
    if highest:
        pieces.append(_text("chart-top", RIGHT, TOP - 12, "end", f"highest: {highest:,}"))
    return _chart("bars", _label(label, _counted(counts, marked)), pieces)


def line(points: Sequence[Point], *, top: float, label: str) -> SafeString:
    """How a figure from 0 to ``top`` went over the days, in their order. Nothing without points."""
    if not points:
        return SafeString("")
    places = list(_places(points, top))
    pieces = [*_grid(top), *_course(places), *_dots(points, places), *_ends(points)]
    told = (f"{point.day}: {_number(point.value)}" for point in points)
    return _chart("line", _label(label, told), pieces)


def _chart(kind: str, label: str, pieces: Iterable[SafeString]) -> SafeString:
    return format_html(
        '<svg class="chart chart-{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        kind,
        WIDTH,
        HEIGHT,
        label,
        format_html_join("", "{}", ((piece,) for piece in pieces)),
    )


def _label(label: str, told: Iterable[str]) -> str:
    return f"{label}. {', '.join(told) or 'Nothing yet'}."


def _counted(counts: Sequence[int], marked: int | None) -> Iterator[str]:
    for value, count in enumerate(counts):
        if count or value == marked:
            yield f"{value}: {count}{' (yours)' if value == marked else ''}"


def _bars(counts: Sequence[int], highest: int, marked: int | None) -> Iterator[SafeString]:
    """Each bar with the whole column above it to point at."""
    step = _step(counts)
    for value, count in enumerate(counts):
        height, x = _height(count, highest), LEFT + value * step
        column = _shape("rect", "chart-column", x=x, y=TOP, width=step, height=BOTTOM - TOP)
        kind = "bar marked" if value == marked else "bar"
        bar = _shape("rect", kind, x=x + GAP / 2, y=BOTTOM - height, width=step - GAP, height=height)
        yield format_html("<g><title>{} cleared: {}</title>{}{}</g>", value, f"{count:,}", column, bar)


def _mark(counts: Sequence[int], highest: int, marked: int | None) -> Iterator[SafeString]:
    """A triangle that points at the marked bar, so that colour is not all that tells it."""
    if marked is not None and 0 <= marked < len(counts):
        x = LEFT + (marked + 0.5) * _step(counts)
        y = BOTTOM - _height(counts[marked], highest) - 2
        yield format_html('<path class="chart-mark" d="M{} {}l-4-6h8z"/>', f"{x:.1f}", f"{y:.1f}")


def _step(counts: Sequence[int]) -> float:
    return (RIGHT - LEFT) / max(1, len(counts))


def _height(count: int, highest: int) -> float:
    return max(LEAST_BAR, (BOTTOM - TOP) * count / highest) if count else 0


def _scale(counts: Sequence[int]) -> SafeString:
    """The base line and every fourth value under its bar."""
    step = _step(counts)
    values = (
        _text("chart-scale", LEFT + (value + 0.5) * step, BOTTOM + 14, "middle", value)
        for value in range(0, len(counts), SCALE_STEP)
    )
    return _rule("chart-base", BOTTOM) + format_html_join("", "{}", ((value,) for value in values))


def _places(points: Sequence[Point], top: float) -> Iterator[tuple[float, float]]:
    """Where the points lie, the days apart as they are in time; a single one in the middle."""
    first, days = points[0].day, (points[-1].day - points[0].day).days
    for day, value in points:
        share = (day - first).days / days if days else 0.5
        yield LEFT + 4 + share * (RIGHT - LEFT - GRID_LABEL), BOTTOM - (BOTTOM - TOP) * min(value, top) / top


def _grid(top: float) -> Iterator[SafeString]:
    for share in (1, 0.5, 0):
        y = BOTTOM - (BOTTOM - TOP) * share
        yield _rule("chart-grid" if share else "chart-base", y, RIGHT - GRID_LABEL + 8)
        if share:
            yield _text("chart-scale", RIGHT, y + 4, "end", _number(top * share))


def _course(places: Sequence[tuple[float, float]]) -> Iterator[SafeString]:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield format_html('<polyline class="chart-course" points="{}"/>', path)


def _dots(points: Sequence[Point], places: Sequence[tuple[float, float]]) -> Iterator[SafeString]:
    if len(points) > MOST_DOTS:
        return
    for (day, value), (x, y) in zip(points, places, strict=True):
        title = format_html("<title>{}: {}</title>", day, _number(value))
        yield _shape("circle", "chart-dot", title, cx=x, cy=y, r=2.5)


def _ends(points: Sequence[Point]) -> Iterator[SafeString]:
    """The first and the last day, under the ends of the line."""
    if len(points) == 1:
        yield _text(
            "chart-scale", LEFT + 4 + (RIGHT - LEFT - GRID_LABEL) / 2, BOTTOM + 14, "middle", points[0].day
        )
        return
    yield _text("chart-scale", LEFT, BOTTOM + 14, "start", points[0].day)
    yield _text("chart-scale", RIGHT - GRID_LABEL + 8, BOTTOM + 14, "end", points[-1].day)


def _rule(kind: str, y: float, end: float = RIGHT) -> SafeString:
    return _shape("path", kind, d=f"M{LEFT} {y:g}H{end:g}")


def _text(kind: str, x: float, y: float, anchor: str, text: object) -> SafeString:
    return _shape("text", kind, text, x=x, y=y, text_anchor=anchor)


def _shape(name: str, kind: str, content: object = "", **attributes: float | str) -> SafeString:
    written = ((key.replace("_", "-"), _attribute(value)) for key, value in attributes.items())
    pairs = format_html_join("", ' {}="{}"', written)
    return format_html('<{} class="{}"{}>{}</{}>', name, kind, pairs, content, name)


def _attribute(value: float | str) -> str:
    return value if isinstance(value, str) else f"{round(value, 1):g}"


def _number(value: float) -> str:
    return f"{value:.3g}"
