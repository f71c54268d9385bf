"""Cursors: what went in comes out, on its own list only."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from api.errors import BadCursor, BadParameter
from api.pagination import Links, Page, Position, decode, encode, limit_of, links_of, parameter, position_of

POSITIONS = st.lists(st.none() | st.integers(0, 2**62) | st.text(max_size=6), max_size=3).map(tuple)


def request(query: str) -> Request:
    return Request(APIRequestFactory().get(f"/api/v1/things/?{query}"))


@settings(max_examples=100)
@given(position=POSITIONS, board=st.text(max_size=12))
def test_a_position_survives_its_cursor(position: Position, board: str) -> None:
    cursor = encode(position, board)
    assert decode(cursor, board) == position
    assert cursor.isascii()
    assert all(char.isalnum() or char in "-_" for char in cursor)


def test_a_board_position_makes_a_short_cursor() -> None:
    assert len(encode((4611681620380904448, 1234567), "2026-11-30")) <= 56


def test_a_cursor_of_another_board_is_refused() -> None:
    with pytest.raises(BadCursor):
        decode(encode((1, 2), "2026-11-30"), "2026-12-01")


@settings(max_examples=100)
@given(data=st.data())
def test_a_cursor_with_any_character_changed_is_refused(data: st.DataObject) -> None:
    cursor = encode((4611681620380904448, 17), "2026-11-30")
    place = data.draw(st.integers(0, len(cursor) - 1))
    other = data.draw(st.characters().filter(lambda char: char != cursor[place]))
    with pytest.raises(BadCursor):
        decode(cursor[:place] + other + cursor[place + 1 :], "2026-11-30")


@settings(max_examples=100)
@given(text=st.text(max_size=60))
def test_made_up_text_is_refused(text: str) -> None:
    with pytest.raises(BadCursor):
        decode(text, "2026-11-30")


@pytest.mark.parametrize("form", ["{}=", "{}\n", " {}", "{}A", "{0}{0}"])
def test_a_cursor_has_one_spelling(form: str) -> None:
    with pytest.raises(BadCursor):
        decode(form.format(encode((1, 2), "b")), "b")


@pytest.mark.parametrize("text", ["1", "7", "100"])
def test_limits_up_to_a_hundred_are_taken(text: str) -> None:
    assert limit_of(request(f"limit={text}")) == int(text)


def test_the_limit_may_be_left_out() -> None:
    assert limit_of(request("")) == 50


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "101",
        "-1",
        "+5",
        "1e1",
        "1_0",
        " 5",
        "5%20",
        "%D9%A3",
        "%C2%B2",
        "0x5",
        "999999999999",
        "5&limit=6",
    ],
)
def test_any_other_limit_is_refused(text: str) -> None:
    with pytest.raises(BadParameter):
        limit_of(request(f"limit={text}"))


def test_a_link_leads_to_its_position_and_keeps_the_limit() -> None:
    page = Page[str]([], next=("after", 4), previous=None)
    links = links_of(request("limit=5&around=me&x=1"), page, "b")
    assert links.previous is None
    assert links.next is not None
    assert links.next.startswith("http://testserver/api/v1/things/?limit=5&cursor=")
    assert position_of(request(links.next.partition("?")[2]), "b") == ("after", 4)
    assert position_of(request(""), "b") is None


def test_a_parameter_given_twice_is_refused() -> None:
    with pytest.raises(BadParameter):
        parameter(request("around=me&around=ann"), "around")


def test_the_link_header_names_the_neighbours_there_are() -> None:
    assert Links("/n", "/p").header() == {"Link": '</n>; rel="next", </p>; rel="prev"'}
    assert Links(None, "/p").header() == {"Link": '</p>; rel="prev"'}
    assert Links(None, None).header() == {}
