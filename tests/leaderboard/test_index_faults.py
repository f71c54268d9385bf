"""Redis dead, frozen or back again: the same answers, and nobody waits for long."""

import signal
import time
from collections.abc import Callable, Iterable, Iterator

import pytest
from pytest_django import Settings

from daily.models import Challenge
from leaderboard import index, standings
from leaderboard.boards import day_board
from leaderboard.ledger import Change
from leaderboard.services import index_lag, repair, submit_run
from players.models import Player
from tests.cast import DAY, make_player, record, started
from tests.services import Server, valkey

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]
BOARD = day_board(DAY)


@pytest.fixture
def server(settings: Settings) -> Iterator[Server]:
    """A Redis of our own to hurt, which the index uses."""
    with valkey() as running:
        settings.REDIS_URL = running.url
        index.wire.cache_clear()
        index.breaker.rests_until = 0
        yield running
        running.process.send_signal(signal.SIGCONT)
    index.wire.cache_clear()
    index.breaker.rests_until = 0


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSTOP])
def test_a_submission_is_quick_and_ranked_without_redis(
    challenge: Challenge, ann: Player, server: Server, blow: signal.Signals
) -> None:
    record(make_player("zoe"), challenge, cleared=0, elapsed_ms=3_600_000)
    attempt = started(ann)
    server.process.send_signal(blow)
    before = time.monotonic()
    run, _ = submit_run(player=ann, attempt_id=attempt.pk, log=["D"])
    assert time.monotonic() - before < 1
    assert (run.rank, run.beaten, run.field_size) == (1, 1, 2)


def test_a_redis_that_failed_is_left_alone_for_a_while(challenge: Challenge, server: Server) -> None:
    server.process.send_signal(signal.SIGSTOP)
    standings.page_after(BOARD, None, 10)
    before = time.monotonic()
    for _ in range(20):
        standings.page_after(BOARD, None, 10)
    assert time.monotonic() - before < 1  # and not 20 time-outs, which are five seconds


def test_what_redis_missed_is_repaired_when_it_is_back(
    challenge: Challenge, ann: Player, server: Server
) -> None:
    server.process.send_signal(signal.SIGSTOP)
    record(ann, challenge, cleared=3, elapsed_ms=5)
    server.process.send_signal(signal.SIGCONT)
    index.breaker.rests_until = 0
    assert standings.page_after(BOARD, None, 10).field_size == 1
    assert repair(BOARD)
    assert not repair(BOARD)
    assert index_lag(BOARD) == 0


@pytest.fixture
def _forgotten(challenge: Challenge, server: Server) -> None:
    """Three runs of which the index knows nothing any more."""
    for letter in "abc":
        record(make_player(f"player {letter}"), challenge, cleared=3, elapsed_ms=5)
    index.clear(BOARD)


@pytest.mark.usefixtures("_forgotten")
def test_a_board_is_rebuilt_while_requests_leave_a_slow_redis_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(monkeypatch, index.breaker.trip)
    assert repair(BOARD)
    index.breaker.rests_until = 0
    assert index_lag(BOARD) == 0


@pytest.mark.usefixtures("_forgotten")
def test_a_rebuilding_that_redis_does_not_live_to_see_is_done_by_the_next(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, server.process.kill)
    assert repair(BOARD)
    assert standings.page_after(BOARD, None, 10).field_size == 3


def interrupt(monkeypatch: pytest.MonkeyPatch, blow: Callable[[], None]) -> None:
    """Let it happen after every standing that a rebuilding sends."""
    fill = index.fill

    def then_blow(changes: Iterable[Change]) -> bool:
        filled = fill(changes)
        blow()
        return filled

    monkeypatch.setattr(index, "fill", then_blow)
    monkeypatch.setattr("leaderboard.services.BATCH", 1)
