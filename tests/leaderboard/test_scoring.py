"""The one order, in Python, in SQL and as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.models import Standing
from leaderboard.scoring import Place, Position, result, score
from tests.cast import make_player

results = st.tuples(st.integers(0, 2**20 - 1), st.integers(0, 2**42 - 1))


@given(results, results)
def test_more_cleared_is_better_and_then_less_time(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert (score(*one) < score(*other)) == ((-one[0], one[1]) < (-other[0], other[1]))


@given(results)
def test_a_score_tells_its_result(figures: tuple[int, int]) -> None:
    assert result(score(*figures)) == figures


@given(st.tuples(results, st.integers(1, 2**63 - 1)), st.tuples(results, st.integers(1, 2**63 - 1)))
def test_positions_sort_alike_as_text(
    one: tuple[tuple[int, int], int], other: tuple[tuple[int, int], int]
) -> None:
    a, b = Position(score(*one[0]), one[1]), Position(score(*other[0]), other[1])
    assert (str(a) < str(b)) == (a < b)
    assert Position.parse(str(a)) == a


@pytest.mark.django_db
@pytest.mark.parametrize(
    "figures", [(0, 0), (28, 151_200), (102_256, 3652 * 3_600_000), (2**20 - 1, 2**42 - 1)]
)
def test_sql_computes_the_same_score(figures: tuple[int, int]) -> None:
    cleared, elapsed_ms = figures
    player = make_player("ann")
    Standing.objects.create(
        board="all-time", player=player, cleared=cleared, elapsed_ms=elapsed_ms, days=1, version=1
    )
    assert Standing.objects.get().score == score(cleared, elapsed_ms)


@pytest.mark.parametrize(
    ("place", "percentile"),
    [(Place(1, 0, 1), 100.0), (Place(3, 201, 204), 99.01), (Place(2, 0, 2), 0.0), (Place(1, 1, 3), 50.0)],
)
def test_percentile_is_the_share_of_the_others_beaten(place: Place, percentile: float) -> None:
    assert place.percentile == percentile
