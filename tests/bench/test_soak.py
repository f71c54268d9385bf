"""How ``bench/soak.py`` judges memory and answers."""

import os

import pytest

from bench.memory import own_mb
from bench.soak import Memory, Trend, growths, mistakes_in
from bench.traffic import Call, Seen

NO_PID = 2**22 + 1


def memory_of(*mb: float) -> Memory:
    """Samples of a web, one a minute."""
    memory = Memory()
    for number, figure in enumerate(mb):
        memory.add(60 * number, {"web": figure})
    return memory


def test_what_comes_during_the_warm_up_does_not_count() -> None:
    [trend] = memory_of(10, 90, *[100] * 10).trends().values()
    assert trend == Trend(100, 100, 0)
    assert trend.growth == 0


def test_a_steady_growth_is_told_in_mb_an_hour() -> None:
    [trend] = memory_of(*range(100, 160)).trends().values()
    assert (trend.after_mb, trend.end_mb) == (114.5, 154.5)
    assert trend.mb_an_hour == pytest.approx(60)


def test_a_peak_is_no_growth() -> None:
    [trend] = memory_of(*[100] * 17, 900).trends().values()
    assert trend.growth == 0


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_who_grew_too_much_is_named(name: str) -> None:
    flat = dict.fromkeys(("web", "worker", "beat", "db"), Trend(100, 110, 0))
    assert list(growths(flat, 10)) == []
    assert list(growths({**flat, name: Trend(100, 111, 0)}, 10)) == [f"{name} grew by 11.0 %."]


def test_calls_that_go_wrong_are_told_by_their_kind() -> None:
    ids = [f"{number:08}-0000-4000-8000-000000000000" for number in range(3)]
    seen = [Seen(Call("GET", f"/runs/{each}/"), 500, 0.1) for each in ids]
    assert mistakes_in([Seen(Call("GET", "/"), 200, 0.1), *seen]) == ["500 for GET /runs/ID/: 3"]


def test_memory_is_what_a_process_has_of_its_own() -> None:
    before = own_mb([os.getpid()])
    held = b"x" * 50_000_000
    assert own_mb([os.getpid(), NO_PID]) - before > 0.9 * len(held) / 2**20
