"""The canonical form of a board: order, ranks, digest."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.pyramid.bundle import BoardDigest, Entry, Ranking

results = st.tuples(st.integers(26, 28), st.integers(0, 3))


def test_more_cleared_comes_first_then_less_time_then_the_lesser_id() -> None:
    best, quick, slow, slow_too = (
        Entry("d", 28, 90, ""),
        Entry("c", 27, 10, ""),
        Entry("a", 27, 20, ""),
        Entry("b", 27, 20, ""),
    )
    entries = [slow_too, quick, slow, best]
    assert sorted(entries, key=lambda entry: entry.order) == [best, quick, slow, slow_too]


@given(st.lists(results))
def test_a_rank_is_one_more_than_are_better(figures: list[tuple[int, int]]) -> None:
    best_first = sorted(figures, key=lambda result: (-result[0], result[1]))
    ranking = Ranking()
    for cleared, elapsed_ms in best_first:
        better = sum((-c, ms) < (-cleared, elapsed_ms) for c, ms in figures)
        assert ranking.place(cleared, elapsed_ms) == better + 1
    assert ranking.field_size == len(figures)


def test_the_digest_is_over_the_documented_lines() -> None:
    digest = BoardDigest()
    digest.add(Entry("0b", 28, 151200, "KD TC3S D"))
    digest.add(Entry("0a", 26, 90000, ""))
    digest.add(Entry("0c", 26, 90000, "D"))
    text = "1|0b|28|151200|KD TC3S D\n2|0a|26|90000|\n2|0c|26|90000|D\n"
    assert digest.hexdigest() == sha256(text.encode()).hexdigest()
    assert digest.field_size == 3


def test_an_empty_board_has_a_digest() -> None:
    assert BoardDigest().hexdigest() == sha256(b"").hexdigest()


@pytest.mark.parametrize("log", ["\u2660", "\ud800"])
def test_a_log_that_is_not_ascii_makes_a_digest_too(log: str) -> None:
    digest = BoardDigest()
    digest.add(Entry("0a", 1, 1, log))
    assert digest.hexdigest() != BoardDigest().hexdigest()
