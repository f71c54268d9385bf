"""What a player may be called."""
# ruff: noqa: RUF001

import unicodedata
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.errors import BadName
from players.names import MAX_CODE_POINTS, normalise

SOUND_NAMES = [
    "ann",
    "Brave Heron 417",
    "Jean-Luc",
    "O'Neill",
    "j.r.r",
    "_x_",
    "a" * 24,
    "Zoë",
    "Nguyễn Thị Hương",
    "Straße",
    "Владимир",
    "Νίκος",
    "김민준",
    "山田太郎",
    "ひらがな",
    "ジョーカー",
    "محمد علي",
    "מרים כהן",
    "ज़िंदगी",
    "မြို့ရွာသား",
    "สมชายใจดี",
    "Ալիկ",
]
PLAYABLE = st.text(
    st.characters(categories=["L", "Mn", "Mc", "Nd"], include_characters=" -_.'"), min_size=1, max_size=30
)


def refusal(text: str) -> str:
    with pytest.raises(BadName) as refused:
        normalise(text)
    return refused.value.code


@pytest.mark.parametrize("name", SOUND_NAMES)
def test_a_sound_name_is_kept_as_it_is(name: str) -> None:
    assert normalise(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ＡＮＮ", "ANN"),
        ("Zoe\u0308", "Zoë"),
        ("ﬁnn", "finn"),
        ("O’Neill", "O'Neill"),
        ("Ann\u00a0Lee", "Ann Lee"),
    ],
)
def test_a_name_is_kept_in_its_plain_form(text: str, name: str) -> None:
    assert normalise(text) == name


@pytest.mark.parametrize("text", ["", "a", "ab", "e\u0301e\u0301", "김민"])
def test_a_name_of_two_visible_characters_is_too_short(text: str) -> None:
    assert refusal(text) == "too_short"


@pytest.mark.parametrize("text", ["a" * 25, "김" * 25, "a" * 100_000, "ﷺ" * 3, "x̧̂" * 24 + "x"])
def test_a_name_of_25_visible_characters_is_too_long(text: str) -> None:
    assert refusal(text) == "too_long"


def test_marks_do_not_count_as_characters() -> None:
    name = "x\u0327\u0302" * 24
    assert normalise(name) == name


@pytest.mark.parametrize(
    "char",
    [
        "\0", "\n", "\t", "\x7f", "\x85", "\u200b", "\u200d", "\u2066", "\u202e", "\ufeff", "\u00ad",
        "\u2028", "\ud800", "\ue000", "\U000f0000", "\u0378", "\uffff", "\u3164", "\u115f", "\uffa0",
        "\ufe0f", "\U000e0100", "\u034f", "\u180b", "\U000e0041", "\u2800", "\u20dd",
        "/", "?", "#", "%", "\\", "／", "？", "@", ":", ";", "<", ">", '"', "&", "|", "(", "*", "+", ",",
        "!", "~", "`", "$", "=", "^", "[", "{", "🔥", "♠", "½", "·", "‐", "—",
    ],
)  # fmt: skip
def test_a_character_outside_the_policy_is_refused(char: str) -> None:
    assert refusal(f"an{char}na") == "bad_character"


@pytest.mark.parametrize(
    "text", [" ann", "ann ", "-ann", "ann.", ".ann", "'ann'", "...", "ann-", "\u3000ann"]
)
def test_a_name_begins_and_ends_with_a_letter_a_digit_or_an_underscore(text: str) -> None:
    assert refusal(text) == "bad_edge"


def test_two_spaces_in_a_row_are_refused() -> None:
    assert refusal("ann  lee") == "double_space"


@pytest.mark.parametrize("text", ["\u0327ann", "ann \u0327b", "ann-\u0327", "4\u0327ann"])
def test_a_mark_without_a_letter_is_refused(text: str) -> None:
    assert refusal(text) == "stray_mark"


@pytest.mark.parametrize("text", ["ax\u0316\u0317\u0318b", "ann\u0e47\u0e47\u0e47\u0e47\u0e47"])
def test_a_tower_of_marks_is_refused(text: str) -> None:
    assert refusal(text) == "too_many_marks"


@pytest.mark.parametrize("text", ["417", "___", "1_2", "٣٣٣"])
def test_a_name_has_a_letter(text: str) -> None:
    assert refusal(text) == "no_letter"


@pytest.mark.parametrize(
    "text",
    [
        "admin", "Admin", "ADMIN", "аdmin", "adm1n", "a.d.m.i.n", "admin 2", "7admin",
        "0fficial7", "7officia1",
        "Moderator", "m0derat0r", "rnoderator", "Pyramid", "Pyramid Daily", "pyramid admin", "Admin Bob",
        "The Staff", "today", "anonymous", "System", "deleted", "deleted-417", "keeper", "null", "Ｓｔａｆｆ",
    ],
)  # fmt: skip
def test_a_reserved_word_is_refused_however_it_is_written(text: str) -> None:
    assert refusal(text) == "reserved"


@pytest.mark.parametrize(
    "name", ["Badminton", "Staffan", "Goal Keeper", "Pyramid Bob", "Ali", "Mel", "Modesty"]
)
def test_a_name_that_only_contains_a_reserved_word_is_free(name: str) -> None:
    assert normalise(name) == name


def test_staff_may_have_a_reserved_name() -> None:
    assert normalise("Admin", allow_reserved=True) == "Admin"


def test_staff_may_not_have_a_malformed_name() -> None:
    with pytest.raises(BadName):
        normalise("ad/min", allow_reserved=True)


def test_a_letter_that_could_be_two_latin_ones_does_not_stand_among_latin_letters() -> None:
    assert refusal("Νova") == "mixed_scripts"  # a Greek capital


def test_a_refusal_points_at_the_name_and_says_why() -> None:
    with pytest.raises(BadName) as refused:
        normalise("an\u202ena")
    assert refused.value.status_code == 400
    assert refused.value.default_code == "bad_name"
    assert refused.value.pointer == "/name"
    assert "U+202E" in str(refused.value.detail)


@given(st.one_of(PLAYABLE, st.text(st.characters(), max_size=90)))
def test_any_text_is_refused_or_kept_in_a_form_that_is_stable_and_safe(text: str) -> None:
    try:
        name = normalise(text)
    except BadName:
        return
    assert normalise(name) == name
    assert len(name) <= MAX_CODE_POINTS
    assert unquote(quote(name, safe="")) == name
    assert not set(name) & set('/?#%\\"<>&')
    assert name.strip(" .") == name
