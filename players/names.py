"""What a player may be called."""

import re
import unicodedata
from typing import Final

from players.errors import BadName
from players.lookalikes import has_two_faces, skeleton

MIN_LENGTH: Final = 3
MAX_LENGTH: Final = 24
"""In visible characters: a letter with its marks is one."""
MAX_CODE_POINTS: Final = 72
"""What any name fits in."""

# A name's shape: L for a letter, N a digit, M a mark, S a mark that stacks, punctuation as it is.
PUNCTUATION: Final = " -_.'"
KINDS: Final = dict.fromkeys(("Lu", "Ll", "Lt", "Lm", "Lo"), "L") | {"Nd": "N", "Mn": "M", "Mc": "M"}
INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that Unicode lets fonts draw as nothing."""
SHAPES: Final = (
    (re.compile(r"^[ \-.']|[ \-.']$"), "bad_edge", "A name begins and ends with a letter, a digit or _."),
    (re.compile("  "), "double_space", "A name has no two spaces in a row."),
    (re.compile("(?:^|[^LMS])[MS]"), "stray_mark", "An accent or other mark needs a letter before it."),
    (re.compile("S{3}|[MS]{5}"), "too_many_marks", "A letter of a name has at most two accents."),
    (re.compile("^[^L]*$"), "no_letter", "A name has at least one letter."),
)

ROLE_WORDS: Final = """
    admin admins administrator administrators moderator moderators staff support official
    """
"""Who speaks for the house: refused as any word of a name."""
OWN_WORDS: Final = """
    account anonymous api bot bots deleted everybody everyone guest help host keeper login logout me
    mod mods nobody null operator owner player players pyramid pyramiddaily root settings signup
    sysadmin sysop system team today tomorrow undefined unknown webmaster yesterday you
    """
"""What the service calls things itself: refused as a whole name, with digits around it or without."""
DELETED: Final = "Deleted player "
"""How the names of those who were deleted begin, with or without spaces: nobody else's may."""
ROLES: Final = frozenset(map(skeleton, ROLE_WORDS.split()))
RESERVED: Final = ROLES.union(map(skeleton, OWN_WORDS.split()))
DELETED_KEY: Final = skeleton(DELETED.replace(" ", ""))


def normalise(text: str, *, allow_reserved: bool = False) -> str:
    """The name as it is kept: NFKC with a plain apostrophe.

    Raises ``BadName`` unless it has 3 to 24 visible characters, all letters, marks, digits, single spaces or
    ``- _ . '``, and is not reserved (``allow_reserved`` is for staff).
    """
    if len(text) > MAX_CODE_POINTS:
        raise BadName("too_long", f"A name has at most {MAX_LENGTH} characters.")
    name = unicodedata.normalize("NFKC", text.replace("\u2019", "'"))
    _check_shape("".join(map(_kind, name)))
    _check_meaning(name, allow_reserved=allow_reserved)
    return name


def _kind(char: str) -> str:
    """The character's sign in the shape of a name."""
    if char in PUNCTUATION:
        return char
    kind = KINDS.get(unicodedata.category(char))
    if kind is None or INVISIBLE.match(char):
        raise BadName(
            "bad_character",
            f"A name has letters, digits, single spaces and - _ . ' only, not U+{ord(char):04X}.",
        )
    return "S" if kind == "M" and unicodedata.combining(char) >= 200 else kind


def _check_shape(shape: str) -> None:
    length = len(shape) - shape.count("M") - shape.count("S")
    if length < MIN_LENGTH:
        raise BadName("too_short", f"A name has at least {MIN_LENGTH} characters.")
    if length > MAX_LENGTH or len(shape) > MAX_CODE_POINTS:
        raise BadName("too_long", f"A name has at most {MAX_LENGTH} characters.")
    for pattern, code, sentence in SHAPES:
        if pattern.search(shape):
            raise BadName(code, sentence)


def _check_meaning(name: str, *, allow_reserved: bool) -> None:
    if not allow_reserved and _is_reserved(name):
        raise BadName("reserved", "This name could be mistaken for the service or its staff.")
    if re.search("[A-Za-z]", name) and any(map(has_two_faces, name)):
        raise BadName("mixed_scripts", "A name does not mix Latin letters with others that look like them.")


def _is_reserved(name: str) -> bool:
    words = re.split(r"[ \-_.']+", name)
    whole = "".join(words)
    return (
        skeleton(whole).startswith(DELETED_KEY)
        or not RESERVED.isdisjoint(_readings(whole))
        or any(not ROLES.isdisjoint(_readings(word)) for word in words)
    )


def _readings(word: str) -> set[str]:
    """The keys of a word without digits at either end; with them too, since a 0 may stand for an O."""
    front, back = re.sub(r"^\d+", "", word), re.sub(r"\d+$", "", word)
    return set(map(skeleton, (word, front, back, re.sub(r"\d+$", "", front))))
