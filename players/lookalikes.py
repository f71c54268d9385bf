"""When two names read alike: one key for every way of writing a name.

The key follows the skeleton of Unicode TR39 with two changes. Names also compare without regard to case, so
letters are folded first; and a letter of which only the capital resembles a Latin one (Cyrillic ve: a B as a
capital, no b else) takes its capital's look-alike. The data is the table of ``confusable-homoglyphs``.
"""

import json
import unicodedata
from functools import cache
from importlib.resources import files

type Neighbours = dict[str, list[str]]


def skeleton(name: str) -> str:
    """The key of a name: equal for names that differ in case, width, composition or look-alikes only.

    Takes any text, drops what cannot be seen, and is idempotent. Keys are for comparing, never for showing.
    They depend on the version of the Unicode data: when that changes, stored keys are to be computed anew.
    """
    while (folded := _fold(name)) != name:
        name = folded
    return name


def has_two_faces(letter: str) -> bool:
    """Whether a letter's capital and small form resemble different Latin letters, as Greek nu does (v, N)."""
    small, capital = _prototype(letter.casefold()), _prototype(letter.upper())
    return small.isascii() and capital.isascii() and skeleton(small) != skeleton(capital)


def _fold(text: str) -> str:
    visible = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c)[0] != "C")
    alike = "".join(map(_letter, visible.casefold()))
    return unicodedata.normalize("NFKD", alike.replace("l\u0307", "l"))


@cache
def _letter(letter: str) -> str:
    """What a folded letter counts as. All of i, I, l, 1 are one, for I is i's capital and l's double."""
    if letter == "i":
        return "l"
    prototype = _prototype(letter)
    if letter.isascii() or prototype.isascii():
        return prototype
    capital = _prototype(letter.upper())
    return capital if capital.isascii() else prototype


def _prototype(char: str) -> str:
    """What TR39 maps a character to: the hub of its star of look-alikes, or the plainer one of a pair."""
    alike = _neighbours().get(char, [])
    if len(alike) != 1:
        return char
    [other] = alike
    is_pair = len(other) == 1 and len(_neighbours()[other]) == 1
    return min(char, other) if is_pair else other


@cache
def _neighbours() -> Neighbours:
    """Look-alikes of each character both ways, without the marks the table puts around right-to-left text."""
    table = json.loads((files("confusable_homoglyphs") / "confusables.json").read_text("utf-8"))
    return {_bare(char): [_bare(alike["c"]) for alike in others] for char, others in table.items()}


def _bare(text: str) -> str:
    return text.replace("\u200e", "")
