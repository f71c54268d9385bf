"""One key for every way of writing a name."""
# ruff: noqa: RUF001

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.lookalikes import has_two_faces, skeleton

LETTERS = [
    char
    for char in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(char) in {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"}
]
ANY_TEXT = st.text(st.characters(), max_size=40)
NAME_LIKE = st.text(
    st.characters(categories=["L", "Mn", "Mc", "Nd"], include_characters=" -_.'"), max_size=30
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "Ann"),
        ("ann", "ＡＮＮ"),
        ("ann", "аnn"),  # Cyrillic
        ("straße", "STRASSE"),
        ("Zoe\u0308", "Zoë"),
        ("ﬁnn", "finn"),
        ("b0b", "bOb"),
        ("1an", "lan"),
        ("Ian", "lan"),
        ("ian", "lan"),
        ("modern", "modem"),
        ("BOB", "ВОВ"),  # Cyrillic capitals
        ("Вова", "вова"),
        ("İstanbul", "istanbul"),
        ("lan", "\u0627an"),  # an Arabic alef
        ("ΣΟΦΟΣ", "σοφος"),
        ("O'Neill", "Oʼneill"),
        ("p\u200bat", "pat"),
    ],
)
def test_names_that_read_alike_have_one_key(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("ann", "anna"), ("ann", "an n"), ("muller", "müller"), ("dom", "дом"), ("vera", "nera"), ("安", "女")],
)
def test_names_that_read_differently_have_different_keys(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_latin_letters_and_digits_stay_apart_but_for_the_known_doubles() -> None:
    plain = "abcdefghjknopqrstuvwxyz23456789"
    assert len(set(map(skeleton, plain))) == len(plain)
    assert {skeleton(double) for double in "iIlL1"} == {"l"}
    assert {skeleton(double) for double in "oO0"} == {"o"}


def test_every_character_reaches_a_fixed_point() -> None:
    assert [char for char in LETTERS if skeleton(skeleton(char)) != skeleton(char)] == []


def test_every_character_has_the_key_of_its_other_cases() -> None:
    others = ((char, change(char)) for char in LETTERS for change in (str.upper, str.lower, str.title))
    assert [char for char, other in others if skeleton(other) != skeleton(char)] == []


def test_a_key_of_a_longest_name_fits_its_column() -> None:
    assert max(len(skeleton(char)) for char in LETTERS if unicodedata.is_normalized("NFKC", char)) * 72 <= 512


@given(ANY_TEXT)
def test_the_key_of_a_key_is_itself(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


@given(NAME_LIKE)
def test_a_key_ignores_case_and_composition(name: str) -> None:
    assert {skeleton(name.upper()), skeleton(name.lower()), skeleton(name.casefold())} == {skeleton(name)}
    assert {skeleton(unicodedata.normalize(form, name)) for form in ("NFC", "NFD", "NFKC", "NFKD")} == {
        skeleton(name)
    }


@given(ANY_TEXT)
def test_a_key_holds_nothing_invisible(text: str) -> None:
    assert not any(unicodedata.category(char).startswith("C") for char in skeleton(text))


def test_letters_whose_cases_resemble_different_letters_are_known() -> None:
    assert [letter for letter in "ΝνΥυ" if not has_two_faces(letter)] == []
    assert [letter for letter in "abiIlmoßАаВвΑαΟο安" if has_two_faces(letter)] == []
