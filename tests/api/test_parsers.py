"""Strict JSON: one reading for every body, or a refusal."""

import json
from contextlib import suppress
from io import BytesIO
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.exceptions import UnsupportedMediaType

from api.errors import MalformedJSON
from api.parsers import StrictJSONParser, loads

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(-1e6, 1e6, allow_nan=False, width=32).map(lambda number: round(number, 3))
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text('abc\\"[{é', max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(max_examples=100)
@given(value=st.dictionaries(st.text("ab", max_size=3), VALUES, max_size=4), is_ascii=st.booleans())
def test_whatever_json_writes_is_read_back(value: dict[str, Any], is_ascii: bool) -> None:
    assert loads(json.dumps(value, ensure_ascii=is_ascii).encode()) == value


@settings(max_examples=200)
@given(data=st.binary(max_size=60) | st.text('{}[]",:\\u0d8Efalsn1.-+ ', max_size=60).map(str.encode))
def test_any_bytes_are_an_object_or_a_refusal(data: bytes) -> None:
    with suppress(MalformedJSON):
        assert isinstance(loads(data), dict)


def test_no_body_is_an_empty_object() -> None:
    assert loads(b"") == {}


def test_an_escaped_pair_of_surrogates_is_one_character() -> None:
    assert loads(rb'{"a": "\ud83d\ude00"}') == {"a": "😀"}


def test_brackets_inside_strings_are_not_nesting() -> None:
    text = "[{" * 100 + '\\"['
    assert loads(json.dumps({"a": text}).encode()) == {"a": text}


def test_32_levels_are_read_and_33_are_not() -> None:
    assert loads(b'{"a":' + b"[" * 31 + b"]" * 31 + b"}")
    with pytest.raises(MalformedJSON, match="nested"):
        loads(b'{"a":' + b"[" * 32 + b"]" * 32 + b"}")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"a": NaN}', "NaN"),
        (b'{"a": Infinity}', "Infinity"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": -1e999}', "too large"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too long"),
        (b'{"a": 0.' + b"1" * 5000 + b"}", "too long"),
        (b'{"a": 1, "a": 2}', "twice"),
        (rb'{"a": 1, "\u0061": 2}', "twice"),
        (b'{"a": {"b": 1, "b": 1}}', "twice"),
        (b'{"a": "\0"}', "control character"),
        (rb'{"a": "\u0000"}', "NUL"),
        (rb'{"\u0000": 1}', "NUL"),
        (rb'{"a": ["x", {"b": "\u0000"}]}', "NUL"),
        (rb'{"a": "\ud800"}', "surrogate"),
        (rb'{"a": "\udc00\ud800"}', "surrogate"),
        (b'{"a": "\xed\xa0\x80"}', "UTF-8"),
        (b'{"a": "\xff"}', "UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "UTF-8"),
        (b'\xef\xbb\xbf{"a": 1}', "byte order mark"),
        (b'{"a": 1} x', "Extra data"),
        (b'{"a": 1}{"a": 1}', "Extra data"),
        (b"[]", "object"),
        (b'"text"', "object"),
        (b"1", "object"),
        (b"null", "object"),
        (b" ", "Expecting value"),
        (b'{"a": 1', "line 1"),
        (b'{"a": 1,}', "line 1"),
        (b"{'a': 1}", "line 1"),
        (b"{a: 1}", "line 1"),
        (b'{"a": 01}', "line 1"),
        (b'{"a": .5}', "line 1"),
        (b'{"a": +1}', "line 1"),
        (b'{"a": 0x10}', "line 1"),
        (b'{"a": 1_0}', "line 1"),
        ('{"a": ٣}'.encode(), "line 1"),
        (b'{"a": "\t"}', "control character"),
        (rb'{"a": "\x41"}', "escape"),
        (b'{"a": 1 /* note */}', "line 1"),
        (b'{"a": "unfinished', "Unterminated"),
        (b"[" * 100_000, "nested"),
        (b'{"a":' * 20_000, "nested"),
        (b'{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}", "nested"),
    ],
    ids=lambda value: value[:30] if isinstance(value, bytes) else value,
)
def test_everything_else_is_refused_with_a_reason(data: bytes, why: str) -> None:
    with pytest.raises(MalformedJSON) as refusal:
        loads(data)
    assert why in str(refusal.value.detail)
    assert len(str(refusal.value.detail)) < 100


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 96_000,
        b'{"a":"' + b"\\" * 96_000,
        b'{"' + b'[{"' * 32_000,
        b'"' * 96_000,
        b'{"a":"' + b"\\u0041" * 16_000,
    ],
    ids=["brackets", "backslashes", "mixed", "quotes", "escapes"],
)
def test_the_largest_hostile_body_is_refused_quickly(data: bytes) -> None:
    start = process_time()
    with pytest.raises(MalformedJSON):
        loads(data)
    assert process_time() - start < 0.5


@pytest.mark.parametrize(
    "media_type", ["application/json", "application/json; charset=utf-8", 'application/json; charset="UTF-8"']
)
def test_utf_8_may_be_named(media_type: str) -> None:
    assert StrictJSONParser().parse(BytesIO(b"{}"), media_type) == {}


@pytest.mark.parametrize(
    "media_type",
    ["application/json; charset=latin-1", "application/json; x=1; charset=utf-16", "a/b; charset="],
)
def test_another_charset_is_not_read(media_type: str) -> None:
    with pytest.raises(UnsupportedMediaType):
        StrictJSONParser().parse(BytesIO(b"{}"), media_type)
