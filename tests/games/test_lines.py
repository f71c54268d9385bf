"""Lines: what a log plays, without its detours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.pyramid import RULES, Board, Deal, Rules
from games.pyramid.lines import canonical_line
from tests.games.cast import facts, seeds, wander

GIVES_MOVES_BACK = [rules for rules in RULES.values() if rules.undo_gives_move_back]


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ([], []),
        (["D", "D"], ["D", "D"]),
        (["D", "U", "D"], ["D"]),
        (["D", "D", "U", "U"], []),
        (["U", "D"], ["D"]),
        (["KD", "D", "U", "R"], ["KD", "R"]),
        (["TC3S"], ["3STC"]),
        (["3STC", "U", "TC3S"], ["3STC"]),
    ],
)
def test_undone_moves_are_left_out_and_pairs_written_alike(log: list[str], line: list[str]) -> None:
    assert canonical_line(log) == line


@given(st.sampled_from(GIVES_MOVES_BACK), st.integers(1, 1000), seeds)
def test_a_line_plays_like_its_log(rules: Rules, number: int, seed: int) -> None:
    deal = Deal.from_number(number)
    board = Board(deal, rules)
    line = canonical_line(wander(board, seed, 60))
    again = Board(deal, rules)
    for move in line:
        again.play(move)
    assert facts(again) == facts(board)


@given(st.sampled_from(list(RULES.values())), seeds)
def test_a_line_is_its_own_line(rules: Rules, seed: int) -> None:
    line = canonical_line(wander(Board(Deal.from_number(7), rules), seed, 60))
    assert canonical_line(line) == line
    assert "U" not in line
