"""The known cast: a clock that stands still, the day, the players and logs for its deal."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.db.models import DateTimeField, Value

from daily import clock as database_clock
from daily.models import Attempt, Challenge, Run
from daily.scheduling import deal_challenge
from daily.services import start_attempt
from games.pyramid import Board, Deal, Rules
from leaderboard import services
from players.models import Player
from players.prepared import Prepared

DAY = date(2026, 11, 30)
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class FrozenClock:
    """Every clock, standing at ``moment`` until a test moves it."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def as_sql(self, compiler: Any, connection: Any, **_context: Any) -> Any:
        return Value(self.moment, output_field=DateTimeField()).as_sql(compiler, connection)

    def advance(self, **span: float) -> None:
        self.moment += timedelta(**span)

    def put_in_force(self, patch: pytest.MonkeyPatch) -> None:
        """Let everybody go by this clock."""
        for name in ("now", "about_now"):
            patch.setattr(database_clock, name, self.now)
        for name in ("as_sql", "as_sqlite"):
            patch.setattr(database_clock.Now, name, self.as_sql)
        # Or the time at which a query is compiled would stay in it.
        patch.setattr(Prepared, "_compiled", property(Prepared._compile))

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Let everybody go by this clock for a while."""
        with pytest.MonkeyPatch.context() as patch:
            self.put_in_force(patch)
            yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FrozenClock:
    """Noon of the day. Put in force by the test's own patches, so that what it puts on top goes first."""
    frozen = FrozenClock(NOON)
    frozen.put_in_force(monkeypatch)
    return frozen


@pytest.fixture
def challenge(db: None, clock: FrozenClock) -> Challenge:
    """The challenge of the day, the same deal in every test."""
    return make_challenge(DAY)


def make_challenge(day: date, rules: str = "endless") -> Challenge:
    """A stored challenge whose deal depends on the day only."""
    rng = Random(day.toordinal())
    dealt = deal_challenge(day, Rules.named(rules), Deal.random(rng), rng)
    dealt.save(force_insert=True)
    return dealt


@pytest.fixture
def ann(db: None) -> Player:
    return make_player("ann")


@pytest.fixture
def bob(db: None) -> Player:
    return make_player("bob")


def make_player(name: str) -> Player:
    """A stored guest."""
    player = Player(name=name)
    player.set_unusable_password()
    player.save()
    return player


def greedy_log(challenge: Challenge, cleared: int) -> list[str]:
    """A legal log that clears at least so many cards of the challenge, taking the first removal there is."""
    board = Board(challenge.deal, challenge.ruleset)
    log: list[str] = []
    while board.cleared < cleared:
        log.append(str(board.play(board.legal_moves[0])))
    return log


def record(player: Player, challenge: Challenge, *, cleared: int, elapsed_ms: int) -> Run:
    """A run with this result, entered on the boards as a submission would be, without playing it."""
    started_at = challenge.opens_at
    attempt = Attempt.objects.create(
        challenge=challenge, player=player, started_at=started_at, deadline_at=started_at + timedelta(hours=1)
    )
    run = Run(
        attempt=attempt,
        challenge=challenge,
        player=player,
        submitted_at=started_at + timedelta(milliseconds=elapsed_ms),
        elapsed_ms=elapsed_ms,
        line_hash=0,
        cleared=cleared,
        won=cleared == 28,
        stuck=False,
        moves=0,
        points=0,
        rank=1,
        beaten=0,
        field_size=1,
    )
    services.record(run)
    return run


def started(player: Player) -> Attempt:
    """The player's attempt at today's challenge."""
    return start_attempt(player=player)[0]
