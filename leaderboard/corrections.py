"""What an admin puts right: voiding and reinstating runs, voiding a day. Each with a reason, each in the audit trail."""

from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from rest_framework.exceptions import APIException

from daily import clock
from daily.audit import note
from daily.models import Challenge, Run, Unranked
from leaderboard import ledger
from leaderboard.boards import boards_of, day_board
from leaderboard.models import Signal, Tally
from leaderboard.services import tell_index
from leaderboard.settling import freeze
from players.models import Player


class NothingToCorrect(APIException):
    """The run or the day is in that state already."""

    status_code = 409
    default_code = "nothing_to_correct"
    default_detail = "That is how it stands already."


TAKE_DAY_FROM_STANDINGS = """
    UPDATE leaderboard_standing AS old
    SET cleared = old.cleared - run.cleared, elapsed_ms = old.elapsed_ms - run.elapsed_ms, days = old.days - 1,
        version = old.version + 1
    FROM daily_run AS run
    WHERE run.challenge_id = %s AND run.unranked_reason = '' AND run.voided_at IS NULL
        AND old.player_id = run.player_id AND old.board IN (%s, %s, %s, %s)
"""
TAKE_DAY_FROM_TALLIES = """
    UPDATE leaderboard_tally SET runs = runs - %s, changes = changes + %s WHERE board = %s AND cleared = %s
"""


@transaction.atomic
def void_run(*, run_id: UUID, reason: str, by: Player | None) -> Run:
    """Take a run off every board, the others moving up. Raises Run.DoesNotExist, NothingToCorrect."""
    run, now = _lock(run_id), clock.now()
    if run.voided_at:
        raise NothingToCorrect
    if run.counts:
        tell_index(ledger.discount(run))
    run.voided_at, run.void_reason = now, reason
    _correct(run, "void_run", reason, by, now)
    return run


@transaction.atomic
def reinstate_run(*, run_id: UUID, reason: str, by: Player | None) -> Run:
    """Give a voided run its old place back. Raises Run.DoesNotExist, NothingToCorrect."""
    run, now = _lock(run_id), clock.now()
    if not run.voided_at:
        raise NothingToCorrect
    run.voided_at, run.void_reason = None, ""
    if run.counts:
        tell_index(ledger.count(run))
    _correct(run, "reinstate_run", reason, by, now)
    return run


@transaction.atomic
def dismiss_signals(*, run_id: UUID, reason: str, by: Player | None) -> None:
    """Decide that a run is all right. Raises Run.DoesNotExist, NothingToCorrect."""
    run, now = _lock(run_id), clock.now()
    if not Signal.objects.filter(run=run, decided_at=None).update(decided_at=now):
        raise NothingToCorrect
    note("dismiss_signals", by=by, at=now, run=run, reason=reason)


def _lock(run_id: UUID) -> Run:
    """The run, with its challenge's row locked first, as settling does."""
    day = Run.objects.values_list("challenge_id", flat=True).get(pk=run_id)
    challenge = Challenge.objects.select_for_update().get(date=day)
    run = Run.objects.select_for_update().get(pk=run_id)
    run.challenge = challenge
    return run


def _correct(run: Run, action: str, reason: str, by: Player | None, now: datetime) -> None:
    run.save(update_fields=["voided_at", "void_reason"])
    Signal.objects.filter(run=run, decided_at=None).update(decided_at=now)
    note(action, by=by, at=now, run=run, reason=reason)
    if run.challenge.is_settled:
        freeze(run.challenge, now, reason=reason)


@transaction.atomic
def void_day(*, challenge: Challenge, reason: str, by: Player | None) -> None:
    """Let a day count for nobody; streaks go on over it. Raises NothingToCorrect."""
    challenge, now = Challenge.objects.select_for_update().get(pk=challenge.pk), clock.now()
    if challenge.is_voided:
        raise NothingToCorrect
    challenge.voided_at, challenge.void_reason = now, reason
    challenge.save(update_fields=["voided_at", "void_reason"])
    note("void_day", by=by, at=now, day=challenge.date, reason=reason)
    sweep(challenge)
    if challenge.is_settled:
        freeze(challenge, now, reason=reason)


def sweep_voided_days() -> None:
    """Take off the boards what was submitted just while its day was voided. Converges."""
    late = Run.objects.counting().filter(challenge__voided_at__isnull=False).values_list("challenge_id", flat=True)
    for day in set(late):
        with transaction.atomic():
            sweep(Challenge.objects.select_for_update().get(pk=day))


def sweep(challenge: Challenge) -> None:
    """Take every run of a voided day off its boards, in a few statements for all. Call it holding the row lock."""
    day, boards = challenge.date, boards_of(challenge.date)
    tallies = Tally.objects.filter(board=day_board(day), runs__gt=0).values_list("cleared", "runs")
    with connection.cursor() as cursor:
        cursor.execute(TAKE_DAY_FROM_STANDINGS, [day, *boards])
        for cleared, runs in list(tallies):
            for board in boards:
                cursor.execute(TAKE_DAY_FROM_TALLIES, [runs, runs, board, cleared])
    Run.objects.counting().filter(challenge=challenge).update(unranked_reason=Unranked.DAY_VOIDED)
