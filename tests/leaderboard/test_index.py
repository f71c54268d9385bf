"""When the index is believed: it is waited for what is on its way, not for what was lost."""

from collections.abc import Callable, Iterable
from unittest import mock

import pytest

from daily.models import Challenge
from leaderboard import index, queries, standings
from leaderboard.boards import boards_of, day_board
from leaderboard.ledger import Change
from leaderboard.services import index_lag, repair
from players.models import Player
from tests.cast import DAY, make_player, record

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]
BOARD = day_board(DAY)


@pytest.fixture(autouse=True)
def _fresh() -> None:
    index.wire().ask(("FLUSHDB",))
    index._lost.clear()


@pytest.fixture
def on_its_way(challenge: Challenge, ann: Player, bob: Player) -> list[Change]:
    """Ann's run is indexed, and of bob's the index has not heard."""
    record(ann, challenge, cleared=20, elapsed_ms=5)
    with mock.patch.object(index, "apply") as apply:
        record(bob, challenge, cleared=20, elapsed_ms=9)
    changes: list[Change] = apply.call_args.args[0]
    return changes


def pauses(meanwhile: Callable[[], object] = lambda: None) -> mock.Mock:
    """Stands for ``time.sleep``, and lets something happen in each pause."""
    return mock.Mock(side_effect=lambda pause_s: meanwhile() if pause_s else None)


def names_by_index(tallies: queries.Tallies | None = None) -> list[str]:
    """The players on the board, where SQL may not be asked about it."""
    slow = AssertionError("SQL was asked")
    with mock.patch.object(queries, "after", side_effect=slow):
        return [row.entry.player for row in standings.page_after(BOARD, None, 10, tallies=tallies).rows]


def test_a_reader_waits_for_a_change_that_is_on_its_way(on_its_way: list[Change]) -> None:
    with mock.patch("leaderboard.index.time.sleep", pauses(lambda: index.apply(on_its_way))) as sleep:
        assert names_by_index() == ["ann", "bob"]
    assert [call.args[0] for call in sleep.call_args_list] == [index.PAUSES_S[1]]


def test_a_redis_that_forgot_the_scripts_is_told_of_them_again(
    challenge: Challenge, ann: Player, bob: Player
) -> None:
    for player in (ann, bob):
        index.wire().ask(("SCRIPT", "FLUSH"))
        record(player, challenge, cleared=20, elapsed_ms=9)
    assert names_by_index() == ["ann", "bob"]


def test_a_reader_who_asked_before_a_change_need_not_wait_for_it(
    challenge: Challenge, ann: Player, bob: Player
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=5)
    tallies = queries.tallies(BOARD)
    with mock.patch.object(index, "apply"):
        record(bob, challenge, cleared=20, elapsed_ms=9)
    assert names_by_index(tallies) == ["ann"]


def test_an_index_that_is_further_than_its_reader_is_believed(
    challenge: Challenge, ann: Player, bob: Player
) -> None:
    tallies = queries.tallies(BOARD)
    record(ann, challenge, cleared=20, elapsed_ms=5)
    record(bob, challenge, cleared=3, elapsed_ms=5)
    assert names_by_index(tallies) == ["ann", "bob"]


@pytest.mark.usefixtures("on_its_way")
def test_what_was_lost_is_waited_for_once_and_read_from_sql() -> None:
    with mock.patch("leaderboard.index.time.sleep", pauses()) as sleep:
        for _ in range(3):
            page = standings.page_after(BOARD, None, 10)
            assert [row.entry.player for row in page.rows] == ["ann", "bob"]
    waited = [call.args[0] for call in sleep.call_args_list]
    assert waited == list(index.PAUSES_S[1:])


def test_what_is_lost_on_one_board_lets_others_wait(on_its_way: list[Change]) -> None:
    other = boards_of(DAY)[-1]
    with mock.patch("leaderboard.index.time.sleep", pauses()):
        standings.page_after(BOARD, None, 10)
    with mock.patch("leaderboard.index.time.sleep", pauses(lambda: index.apply(on_its_way))) as sleep:
        standings.page_after(other, None, 10)
    assert len(sleep.call_args_list) == 1


def test_changes_may_come_in_any_order(challenge: Challenge) -> None:
    changes: list[list[Change]] = []
    with mock.patch.object(index, "apply", side_effect=changes.append):
        for number, cleared in enumerate([20, 20, 28, 20]):
            record(make_player(f"player {'abcd'[number]}"), challenge, cleared=cleared, elapsed_ms=number)
    lags = []
    for number in (3, 1, 2, 0):
        index.apply(changes[number])
        lags.append(index_lag(BOARD))
    assert lags == [4, 4, 3, 0]
    assert names_by_index() == ["player c", "player a", "player b", "player d"]


def test_a_change_that_comes_twice_counts_once(on_its_way: list[Change]) -> None:
    for _ in range(3):
        index.apply(on_its_way)
    assert index_lag(BOARD) == 0
    assert index.wire().ask(("SCARD", index.keys_of(BOARD)[2])) == [0]


def test_a_repair_takes_in_what_came_too_early(challenge: Challenge, on_its_way: list[Change]) -> None:
    record(make_player("carl"), challenge, cleared=20, elapsed_ms=11)
    assert index_lag(BOARD) == 2
    assert repair(BOARD)
    assert (index_lag(BOARD), index.wire().ask(("SCARD", index.keys_of(BOARD)[2]))) == (0, [0])
    index.apply(on_its_way)
    record(make_player("zoe"), challenge, cleared=20, elapsed_ms=12)
    assert index_lag(BOARD) == 0


def test_a_repair_leaves_alone_what_only_waits_for_a_change(on_its_way: list[Change]) -> None:
    with mock.patch("leaderboard.index.time.sleep", pauses(lambda: index.apply(on_its_way))):
        assert not repair(BOARD)


@pytest.mark.usefixtures("on_its_way")
@pytest.mark.parametrize("part", ["order", "seen", "everything"])
def test_what_is_lost_while_a_board_is_filled_is_missed(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    """Whatever went before the loss is gone, so the filling may not count as done."""
    keys = index.keys_of(BOARD)
    gone = {"order": keys[:1], "seen": keys[1:2], "everything": keys}[part]
    fill = index.fill

    def fill_and_lose(changes: Iterable[Change]) -> bool:
        filled = fill(changes)
        index.wire().ask(("DEL", *gone))
        monkeypatch.setattr(index, "fill", fill)
        return filled

    monkeypatch.setattr("leaderboard.services.BATCH", 1)
    monkeypatch.setattr(index, "fill", fill_and_lose)
    with mock.patch("leaderboard.index.time.sleep", pauses()):
        assert repair(BOARD)
        assert names_by_index() == ["ann", "bob"]
