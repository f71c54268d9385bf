"""What a league may be called: more than a player may, for only its members read it."""

import re
import unicodedata
from typing import Final

from players.errors import BadName
from players.names import INVISIBLE

MIN_LENGTH: Final = 3
MAX_LENGTH: Final = 40
"""In visible characters: a letter with its marks is one."""
MAX_CODE_POINTS: Final = 60
"""What any name fits in."""
EMOJI_STYLE: Final = "\ufe0f"
"""Asks for the coloured form of a symbol; typed by phones, of no use in a name."""


def normalise(text: str) -> str:
    """The name as it is kept: NFKC, without spaces at its ends or several in a row.

    Raises BadName unless it has 3 to 40 visible characters: letters and digits, at least one, with three
    marks each at most, punctuation, symbols and spaces.
    """
    if len(text) > 2 * MAX_CODE_POINTS:
        raise BadName("too_long", f"A league's name has at most {MAX_LENGTH} characters.")
    name = " ".join(unicodedata.normalize("NFKC", text.replace(EMOJI_STYLE, "")).split())
    kinds = "".join(map(_kind, name))
    _check_kinds(kinds)
    _check_length(kinds)
    return name


def _kind(char: str) -> str:
    """L for a letter, M a mark, N a number, P punctuation, S a symbol, Z a space."""
    kind = unicodedata.category(char)[0]
    if kind == "C" or INVISIBLE.match(char):
        raise BadName("bad_character", f"A league's name does not take U+{ord(char):04X}.")
    return kind


def _check_kinds(kinds: str) -> None:
    if re.search("(?:^|[PSZ])M|M{4}", kinds):
        raise BadName("stray_mark", "An accent or other mark needs a letter before it, which takes three.")
    if not re.search("[LN]", kinds):
        raise BadName("no_letter", "A league's name has at least one letter or digit.")


def _check_length(kinds: str) -> None:
    length = len(kinds) - kinds.count("M")
    if length < MIN_LENGTH:
        raise BadName("too_short", f"A league's name has at least {MIN_LENGTH} characters.")
    if length > MAX_LENGTH or len(kinds) > MAX_CODE_POINTS:
        raise BadName("too_long", f"A league's name has at most {MAX_LENGTH} characters.")
