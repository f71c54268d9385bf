"""What an admin puts right: voiding and reinstating runs, voiding a day, each with a reason and audited.

Each holds its challenge's row lock, so corrections of a day come one after the other and a settled day gets
one revision for each. Voiding a run does not keep submissions waiting. Voiding a day does: what is being
recorded comes first, and what comes after knows that the day is void.
"""

from datetime import date, datetime
from uuid import UUID

from django.db import connection, transaction
from rest_framework import status
from rest_framework.exceptions import APIException

from daily import clock
from daily.audit import note
from daily.models import Challenge, Run, Unranked
from leaderboard import ledger
from leaderboard.boards import boards_of, day_board
from leaderboard.models import Signal, Standing, Tally
from leaderboard.services import tell_index
from leaderboard.settling import freeze
from players.models import Player

LONGEST_REASON = 200

TAKE_DAY_FROM_STANDINGS = """
    UPDATE leaderboard_standing AS old
    SET cleared = old.cleared - run.cleared, elapsed_ms = old.elapsed_ms - run.elapsed_ms,
        days = old.days - 1, version = old.version + 1
    FROM daily_run AS run
    WHERE run.challenge_id = %s AND run.unranked_reason = '' AND run.voided_at IS NULL
        AND old.player_id = run.player_id AND old.board = %s
"""
TAKE_DAY_FROM_TALLY = """
    UPDATE leaderboard_tally SET runs = runs - %s, changes = changes + %s WHERE board = %s AND cleared = %s
"""


class NothingToCorrect(APIException):
    """The run or the day is in that state already."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "nothing_to_correct"
    default_detail = "That is how it stands already."


class BadReason(APIException):
    """A correction without a reason that can be shown to the player."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad_reason"
    default_detail = f"A correction needs a reason: one line of 1 to {LONGEST_REASON} printable characters."


def clean_reason(text: str) -> str:
    """The reason without space around it. Raises BadReason."""
    reason = text.strip()
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise BadReason
    return reason


@transaction.atomic
def void_run(*, run_id: UUID, reason: str, by: Player | None) -> Run:
    """Take a run off every board, the others moving up.

    Raises BadReason, Run.DoesNotExist, NothingToCorrect.
    """
    reason, run = clean_reason(reason), _lock(run_id)
    if run.voided_at:
        raise NothingToCorrect
    if run.counts:
        tell_index(ledger.discount(run))
    run.voided_at, run.void_reason = clock.now(), reason
    _correct(run, "void_run", reason, by)
    return run


@transaction.atomic
def reinstate_run(*, run_id: UUID, reason: str, by: Player | None) -> Run:
    """Give a voided run its old place back. Raises BadReason, Run.DoesNotExist, NothingToCorrect."""
    reason, run = clean_reason(reason), _lock(run_id)
    if not run.voided_at:
        raise NothingToCorrect
    run.voided_at, run.void_reason = None, ""
    if run.counts:
        tell_index(ledger.count(run))
    _correct(run, "reinstate_run", reason, by)
    return run


@transaction.atomic
def dismiss_signals(*, run_id: UUID, reason: str, by: Player | None) -> None:
    """Decide that a run is all right. Raises BadReason, Run.DoesNotExist, NothingToCorrect."""
    reason, run, now = clean_reason(reason), _lock(run_id), clock.now()
    if not _decide(run, now):
        raise NothingToCorrect
    note("dismiss_signals", by=by, at=now, run=run, reason=reason)


def _lock(run_id: UUID) -> Run:
    """The run, with its challenge's row locked first, as settling does."""
    day = Run.objects.values_list("challenge_id", flat=True).get(pk=run_id)
    challenge = Challenge.objects.select_for_update(no_key=True).get(date=day)
    run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    run.challenge = challenge
    return run


def _correct(run: Run, action: str, reason: str, by: Player | None) -> None:
    now = clock.now()
    run.save(update_fields=["voided_at", "void_reason"])
    _decide(run, now)
    note(action, by=by, at=now, run=run, reason=reason)
    if run.challenge.is_settled:
        freeze(run.challenge, now, reason=reason)


def _decide(run: Run, now: datetime) -> int:
    return Signal.objects.filter(run=run, decided_at=None).update(decided_at=now)


@transaction.atomic
def void_day(*, challenge: Challenge, reason: str, by: Player | None) -> None:
    """Let a day count for nobody, for good; streaks go on over it. Raises BadReason, NothingToCorrect."""
    reason = clean_reason(reason)
    challenge, now = Challenge.objects.select_for_update().get(pk=challenge.pk), clock.now()
    if challenge.is_voided:
        raise NothingToCorrect
    challenge.voided_at, challenge.void_reason = now, reason
    challenge.save(update_fields=["voided_at", "void_reason"])
    note("void_day", by=by, at=now, day=challenge.date, reason=reason)
    _clear_boards(challenge.date)
    if challenge.is_settled:
        freeze(challenge, now, reason=reason)


def _clear_boards(day: date) -> None:
    """Take every run of the day off its boards, in a few statements for all.

    The index is not told and so not believed, until the next `repair`.
    """
    tallies = list(Tally.objects.filter(board=day_board(day), runs__gt=0).order_by("cleared"))
    with connection.cursor() as cursor:
        for board in boards_of(day):
            _lock_standings(board, day)
            cursor.execute(TAKE_DAY_FROM_STANDINGS, [day, board])
        for tally in tallies:
            for board in boards_of(day):
                cursor.execute(TAKE_DAY_FROM_TALLY, [tally.runs, tally.runs, board, tally.cleared])
    Run.objects.filter(challenge_id=day, unranked_reason="").update(unranked_reason=Unranked.DAY_VOIDED)


def _lock_standings(board: str, day: date) -> None:
    """Lock what changes on a board player by player, in the order that another day would."""
    players = Run.objects.counting().filter(challenge_id=day).values("player_id")
    standings = Standing.objects.filter(board=board, player_id__in=players).order_by("player_id")
    list(standings.select_for_update(no_key=True).values_list("pk", flat=True))
