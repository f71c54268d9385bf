"""The verbs of the rank: a submission is judged, recorded and ranked, and the index kept whole."""

from contextlib import nullcontext
from itertools import batched
from uuid import UUID, uuid4

from django.db import IntegrityError, connection, transaction

from daily import services as daily
from daily.errors import DeadlinePassed, IllegalLog
from daily.models import Attempt, Run
from leaderboard import index, ledger, queries
from leaderboard.arrivals import Arriving, background_of
from leaderboard.boards import day_board
from leaderboard.ledger import Change, change_of
from leaderboard.models import Signal, Standing
from leaderboard.queries import Background
from leaderboard.scoring import score
from leaderboard.signals import signals_of
from leaderboard.standings import place_of_score
from players.models import Player

BATCH = 500
"""Standings sent to the index in one round trip while a board is rebuilt."""


def submit_run(
    *, player: Player, attempt_id: UUID, log: list[str], arriving: Arriving | None = None
) -> tuple[Run, bool]:
    """Judge the log of the player's attempt and rank its run; the same log again gives the same run.

    ``arriving`` is the attempt, where it was found with this log as the whole of it arrived. Returns the run
    and whether it is new. Raises Attempt.DoesNotExist, AlreadySubmitted, DeadlinePassed, IllegalLog.
    """
    try:
        if arriving:
            return _judged(arriving, log, background_of(arriving)), True
        return _judged(daily.arriving_at(player=player, attempt_id=attempt_id), log), True
    except (IntegrityError, DeadlinePassed, IllegalLog):
        # Mostly the attempt has its run by now. If not, the day was settled or voided just then: that shows.
        if earlier := Run.objects.select_related("challenge").filter(pk=attempt_id, player=player).first():
            return daily.same_run(earlier, log), False
        return _judged(daily.arriving_at(player=player, attempt_id=attempt_id), log), True


def _judged(attempt: Attempt, log: list[str], background: Background | None = None) -> Run:
    run = daily.judge(attempt, log)
    enter(run, background)
    return run


def enter(run: Run, background: Background | None = None) -> None:
    """Rank a judged run and record it. Raises IntegrityError; see `record`."""
    background = background or queries.background(run)
    board, own = day_board(run.challenge_id), score(run.cleared, run.elapsed_ms)
    run.rank, run.beaten, run.field_size = place_of_score(board, own, background.tallies)
    record(run, background.earlier_id)


def record(run: Run, earlier_id: UUID | str | None = None) -> None:
    """Store a ranked run with its signals and count it on its boards, together or not at all.

    Raises IntegrityError when its attempt or player has a run already, when the day is settled, and for a run
    that would count on a voided day.
    """
    signals = list(signals_of(run, earlier_id))
    with transaction.atomic() if signals or connection.in_atomic_block else nullcontext():
        changes = ledger.enter(run)
        Signal.objects.bulk_create(signals)
    tell_index(changes)


def tell_index(changes: list[Change]) -> None:
    """Let the index know once the transaction is committed."""
    transaction.on_commit(lambda: index.apply(changes))


def repair(board: str) -> bool:
    """Make the board's index complete again; whether it had to be touched. Then the whole board is read.

    Converges: what the index has already it ignores, so a second repair or a submission meanwhile is no harm.
    Where Redis goes away meanwhile, the next repair goes on.
    """
    if _is_complete(board):
        return False
    _refill(board)
    if not _is_complete(board):
        index.clear(board)
        _refill(board)
    return True


def index_lag(board: str) -> int | None:
    """How many changes the index of a board lacks; None where Redis does not answer."""
    return index.lag(board, queries.tallies(board).target)


def _is_complete(board: str) -> bool:
    target = queries.tallies(board).target
    return not index.lag(board, target) or index.has_reached(board, target)


def _refill(board: str) -> None:
    target, filling = queries.tallies(board).target, uuid4().hex
    if not index.begin(board, filling):
        return
    standings = Standing.objects.filter(board=board)
    figures = standings.values_list("board", "player_id", "version", "days", "cleared", "elapsed_ms")
    for batch in batched(figures.iterator(BATCH), BATCH):
        if not index.fill(change_of(row) for row in batch):
            return
    index.reach(board, target, filling)
