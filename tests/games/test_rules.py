import dataclasses
import pickle

import pytest

from games.pyramid import RULES, Rules, UnknownRules

FLAGS = (
    "passes", "first_waste", "stock_top_in_play", "cover_pairs", "win", "undo_limit", "undo_gives_move_back",
    "points_per_pyramid_card", "points_per_pair", "points_per_king", "time_bonus_s",
)  # fmt: skip

TABLE = {
    "endless": (None, False, False, False, "pyramid", None, True, 0, 0, 0, 0),
    "pyramide": (None, True, False, False, "pyramid", 100, False, 10, 0, 0, 0),
    "three-pass": (3, False, False, False, "pyramid", None, True, 0, 0, 0, 0),
    "cover-pairs": (3, False, False, True, "pyramid", None, True, 0, 10, 5, 900),
    "open-stock": (3, False, True, False, "pyramid", None, True, 0, 0, 0, 0),
    "one-pass": (1, False, False, False, "pyramid", None, True, 0, 0, 0, 0),
    "strict": (1, False, True, False, "all", None, True, 0, 0, 0, 0),
}


def test_the_seven_rule_sets_are_what_their_table_says() -> None:
    assert {slug: tuple(getattr(rules, flag) for flag in FLAGS) for slug, rules in RULES.items()} == TABLE


def test_every_rule_set_is_listed_under_its_slug_in_version_1_with_words_for_people() -> None:
    for slug, rules in RULES.items():
        assert (rules.slug, rules.version, str(rules)) == (slug, 1, slug)
        assert rules.title
        assert rules.summary.endswith(".")


def test_a_rule_set_is_found_by_its_slug() -> None:
    assert Rules.named("strict") is RULES["strict"]


@pytest.mark.parametrize("slug", ["", "Strict", "strict ", "\ud800", None, 1, ["strict"]])
def test_an_unknown_slug_is_refused_and_kept(slug: object) -> None:
    with pytest.raises(UnknownRules, match="no rule set") as refused:
        Rules.named(slug)  # type: ignore[arg-type]
    assert (refused.value.slug, refused.value.code) == (slug, "unknown_rules")
    assert pickle.loads(pickle.dumps(refused.value)).slug == slug


def test_rule_sets_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        RULES["strict"].passes = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        RULES["mine"] = RULES["strict"]  # type: ignore[index]


def test_a_rule_set_reads_itself_back_from_repr() -> None:
    assert eval(repr(RULES["pyramide"])) == RULES["pyramide"]


@pytest.mark.parametrize(
    ("won", "elapsed_ms", "bonus"),
    [
        (True, 0, 900),
        (True, 999, 900),
        (True, 1000, 899),
        (True, 899_999, 1),
        (True, 10**9, 0),
        (False, 0, 0),
    ],
)
def test_cover_pairs_pays_each_whole_second_left_of_900_on_a_win(
    won: bool, elapsed_ms: int, bonus: int
) -> None:
    assert RULES["cover-pairs"].time_bonus(won=won, elapsed_ms=elapsed_ms) == bonus


def test_other_rule_sets_pay_nothing_for_time() -> None:
    others = [rules for rules in RULES.values() if rules.slug != "cover-pairs"]
    assert {rules.time_bonus(won=True, elapsed_ms=0) for rules in others} == {0}
