"""Charts."""

import re
from datetime import date, timedelta
from xml.etree import ElementTree

from web.charts import BOTTOM, HEIGHT, LEAST_BAR, TOP, WIDTH, Point, bars, line

DAY = date(2026, 11, 30)


def numbers(svg: str, element: str, attribute: str) -> list[float]:
    root = ElementTree.fromstring(svg)
    return [float(found.attrib[attribute]) for found in root.iter(element)]


def heights(svg: str) -> list[float]:
    root = ElementTree.fromstring(svg)
    return [float(one.attrib["height"]) for one in root.iter("rect") if "bar" in one.attrib["class"].split()]


def label(svg: str) -> str:
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    return root.attrib["aria-label"]


def test_each_number_has_a_bar_as_high_as_its_count() -> None:
    assert heights(bars([0, 1, 4, 2], marked=None, label="Runs")) == [0, 22, 88, 44]


def test_the_label_tells_every_count_there_is_and_which_is_yours() -> None:
    svg = bars([0, 3, 0, 12], marked=3, label="Cards cleared")
    assert label(svg) == "Cards cleared. 1: 3, 3: 12 (yours)."


def test_nobody_yet_is_said_and_drawn_as_a_bare_scale() -> None:
    svg = bars([0] * 29, marked=None, label="Cards cleared")
    assert label(svg) == "Cards cleared. Nothing yet."
    assert heights(svg) == [0] * 29
    assert "highest" not in svg


def test_no_numbers_at_all_are_no_fault() -> None:
    assert heights(bars([], marked=None, label="Runs")) == []


def test_one_among_a_million_is_seen() -> None:
    found = heights(bars([1, 1_000_000_000_000], marked=None, label="Runs"))
    assert found == [LEAST_BAR, BOTTOM - TOP]


def test_huge_counts_are_written_with_separators_and_stay_inside() -> None:
    svg = bars([10**12] * 29, marked=28, label="Runs")
    assert "1,000,000,000,000" in svg
    assert all(0 <= x <= WIDTH for x in numbers(svg, "text", "x"))


def test_the_marked_bar_has_a_class_and_a_mark_that_needs_no_colour() -> None:
    svg = bars([2, 1], marked=1, label="Runs")
    assert svg.count('class="bar marked"') == svg.count('class="chart-mark"') == 1


def test_without_a_mark_nothing_is_marked() -> None:
    assert "mark" not in bars([2, 1], marked=None, label="Runs")


def test_a_mark_beyond_the_bars_is_left_out() -> None:
    assert "chart-mark" not in bars([2, 1], marked=7, label="Runs")


def test_a_label_is_escaped() -> None:
    svg = bars([1], marked=None, label='<script>"&')
    assert "<script>" not in svg
    assert label(svg).startswith('<script>"&.')


def test_no_chart_needs_an_inline_style() -> None:
    both = bars([1, 2], marked=0, label="Runs") + line([Point(DAY, 3)], top=28, label="Cleared")
    assert "style" not in both


def test_a_line_of_nothing_is_nothing() -> None:
    assert line([], top=28, label="Cleared") == ""


def test_a_line_of_one_day_is_a_dot_in_the_middle() -> None:
    svg = line([Point(DAY, 14)], top=28, label="Cleared")
    assert numbers(svg, "circle", "cx") == numbers(svg, "text", "x")[-1:]
    assert numbers(svg, "circle", "cy") == [(TOP + BOTTOM) / 2]
    assert svg.count("2026-11-30</text>") == 1


def test_days_lie_apart_as_they_are_in_time() -> None:
    points = [Point(DAY, 1), Point(DAY + timedelta(days=1), 2), Point(DAY + timedelta(days=4), 3)]
    first, second, third = numbers(line(points, top=28, label="Cleared"), "circle", "cx")
    assert round((third - first) / (second - first), 1) == 4


def test_the_label_of_a_line_tells_each_day() -> None:
    points = [Point(DAY, 12), Point(DAY + timedelta(days=1), 27.5)]
    told = label(line(points, top=28, label="Cleared"))
    assert told == "Cleared. 2026-11-30: 12, 2026-12-01: 27.5."


def test_the_ends_of_a_line_carry_their_days() -> None:
    points = [Point(DAY + timedelta(days=ahead), ahead) for ahead in range(9)]
    assert re.findall(r">(\d{4}-\d\d-\d\d)</text>", line(points, top=28, label="")) == [
        "2026-11-30",
        "2026-12-08",
    ]


def test_a_long_line_has_no_dots_and_stays_inside() -> None:
    points = [Point(DAY + timedelta(days=ahead), ahead % 29) for ahead in range(3000)]
    svg = line(points, top=28, label="Cleared")
    assert "<circle" not in svg
    path = re.findall(r'points="([^"]+)"', svg)[0]
    pairs = [tuple(map(float, pair.split(","))) for pair in path.split()]
    assert len(pairs) == 3000
    assert all(0 <= x <= WIDTH and TOP <= y <= HEIGHT for x, y in pairs)


def test_a_value_above_the_top_stays_on_the_chart() -> None:
    assert numbers(line([Point(DAY, 99)], top=28, label=""), "circle", "cy") == [TOP]
