"""``manage.py repair_index``."""

from datetime import timedelta
from io import StringIO
from unittest import mock

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from daily.models import Challenge
from leaderboard import index, queries
from leaderboard.boards import boards_of, day_board
from leaderboard.services import index_lag
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, record


def repaired(*arguments: str) -> dict[str, str]:
    """What the command says of each board."""
    output = StringIO()
    call_command("repair_index", *arguments, stdout=output)
    return dict(line.split(": ") for line in output.getvalue().splitlines())


@pytest.fixture
def run(challenge: Challenge, ann: Player) -> None:
    """A run that the index has not heard of."""
    with mock.patch.object(index, "apply"):
        record(ann, challenge, cleared=3, elapsed_ms=9)


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_what_is_missing_is_repaired_and_the_rest_is_left_alone(run: None, clock: FrozenClock) -> None:
    first, second = repaired(), repaired()
    assert first == dict.fromkeys(boards_of(DAY), "repaired") | {
        "2026-11-29": "complete",
        "2026-W48": "complete",
    }
    assert set(second.values()) == {"complete"}
    assert [(index_lag(board), queries.tallies(board).target) for board in boards_of(DAY)] == [(0, "3:1")] * 4


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_what_looks_complete_is_made_anew_when_asked_for(run: None, clock: FrozenClock, ann: Player) -> None:
    repaired()
    order, *_ = index.keys_of(day_board(DAY))
    index.wire().ask(("DEL", order), ("ZADD", order, 0, "0000000000000001:0000000009"))
    assert repaired("--anew")[day_board(DAY)] == "repaired"
    view = index.place(day_board(DAY), "", ann.pk)
    assert view
    assert view.own
    assert view.own[1] == (0, 0, 1)


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_an_old_day_is_repaired_when_it_is_named(ann: Player, clock: FrozenClock) -> None:
    old = make_challenge(DAY - timedelta(days=100))
    with mock.patch.object(index, "apply"):
        record(ann, old, cleared=3, elapsed_ms=9)
    assert day_board(old.date) not in repaired()
    assert repaired(str(old))[day_board(old.date)] == "repaired"


@pytest.mark.redis
def test_where_redis_does_not_answer_it_fails(
    db: None, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "lag", lambda _board, _target: None)
    with pytest.raises(CommandError, match="Redis does not answer"):
        repaired()


def test_where_there_is_no_redis_there_is_nothing_to_do(db: None, settings: Settings) -> None:
    settings.REDIS_URL = ""
    output = StringIO()
    call_command("repair_index", stdout=output)
    assert output.getvalue() == "There is no index, because there is no Redis.\n"
