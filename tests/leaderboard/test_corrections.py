"""What an admin puts right shows everywhere at once, with its reason, and can be put back."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction

from daily.models import AuditEntry, Challenge, Run, Unranked
from leaderboard import queries, standings
from leaderboard.boards import boards_of, day_board
from leaderboard.corrections import (
    LONGEST_REASON,
    BadReason,
    NothingToCorrect,
    clean_reason,
    dismiss_signals,
    reinstate_run,
    void_day,
    void_run,
)
from leaderboard.models import Settlement, Signal, Standing
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player, record, started

BOARD = day_board(DAY)
WHY = "Played by a program."


@pytest.fixture
def keeper(db: None) -> Player:
    """The admin."""
    return make_player("keeper")


def settle_day(challenge: Challenge, clock: FrozenClock) -> Settlement:
    clock.moment = challenge.closes_at + settings.ATTEMPT_TIME_LIMIT + settings.DEADLINE_GRACE
    assert settle_due(clock.now()) == [challenge.date]
    return Settlement.objects.get(challenge=challenge)


def names(board: str) -> list[tuple[int, str]]:
    return [(row.rank, row.entry.player) for row in standings.page_after(board, None, 50).rows]


def test_a_voided_run_leaves_every_board_and_the_others_move_up(
    challenge: Challenge, ann: Player, bob: Player
) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    record(bob, challenge, cleared=20, elapsed_ms=90_000)
    void_run(run_id=run.pk, reason=WHY, by=None)
    for board in boards_of(DAY):
        assert names(board) == [(1, "bob")]
        assert standings.place_of(board, ann.pk) is None
        assert standings.page_around(board, ann.pk, 2) is None
        assert queries.tallies(board).distribution[20:] == [1, *[0] * 8]
    found = standings.place_of(BOARD, bob.pk)
    assert found
    assert found[1].percentile == 100


def test_a_voided_run_tells_when_and_why(
    challenge: Challenge, ann: Player, keeper: Player, clock: FrozenClock
) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    void_run(run_id=run.pk, reason=f"  {WHY} ", by=keeper)
    kept = Run.objects.get()
    assert (kept.voided_at, kept.void_reason, kept.counts) == (clock.moment, WHY, False)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.at, entry.reason) == ("void_run", keeper, clock.moment, WHY)
    assert (entry.run, entry.player, entry.day) == (run, ann, DAY)


def test_a_reinstated_run_has_its_old_place_back(challenge: Challenge, ann: Player, bob: Player) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    record(bob, challenge, cleared=20, elapsed_ms=90_000)
    before = {board: names(board) for board in boards_of(DAY)}
    void_run(run_id=run.pk, reason=WHY, by=None)
    reinstate_run(run_id=run.pk, reason="It was not.", by=None)
    assert {board: names(board) for board in boards_of(DAY)} == before
    kept = Run.objects.get(pk=run.pk)
    assert (kept.voided_at, kept.void_reason, kept.counts) == (None, "", True)
    assert AuditEntry.objects.filter(action="reinstate_run", reason="It was not.").exists()


def test_only_the_voided_day_leaves_the_sums_of_longer_periods(challenge: Challenge, ann: Player) -> None:
    record(ann, make_challenge(DAY + timedelta(days=1)), cleared=10, elapsed_ms=40_000)
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    void_run(run_id=run.pk, reason=WHY, by=None)
    [row] = standings.page_after("all-time", None, 5).rows
    assert (row.cleared, row.elapsed_ms) == (10, 40_000)


def test_a_correction_of_a_settled_day_is_a_revision(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    record(bob, challenge, cleared=20, elapsed_ms=90_000)
    first = settle_day(challenge, clock)
    clock.advance(days=3)
    void_run(run_id=run.pk, reason=WHY, by=None)
    second = Settlement.objects.get(revision=2)
    assert (second.field_size, second.reason, second.settled_at) == (1, WHY, clock.moment)
    assert second.digest != first.digest
    assert dict(Standing.objects.filter(board=BOARD).values_list("player", "rank")) == {
        ann.pk: None,
        bob.pk: 1,
    }
    reinstate_run(run_id=run.pk, reason="It was not.", by=None)
    third = Settlement.objects.get(revision=3)
    assert (third.digest, third.field_size) == (first.digest, 2)
    assert Settlement.objects.get(revision=1) == first
    assert dict(Standing.objects.filter(board=BOARD).values_list("player", "rank")) == {ann.pk: 1, bob.pk: 2}


def test_the_day_of_a_correction_stays_settled_when_it_was(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    settled_at = settle_day(challenge, clock).settled_at
    clock.advance(days=3)
    void_run(run_id=run.pk, reason=WHY, by=None)
    assert Challenge.objects.get().settled_at == settled_at


def test_there_is_nothing_to_correct_twice(challenge: Challenge, ann: Player) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    with pytest.raises(NothingToCorrect):
        reinstate_run(run_id=run.pk, reason=WHY, by=None)
    void_run(run_id=run.pk, reason=WHY, by=None)
    with pytest.raises(NothingToCorrect):
        void_run(run_id=run.pk, reason=WHY, by=None)
    void_day(challenge=challenge, reason=WHY, by=None)
    with pytest.raises(NothingToCorrect):
        void_day(challenge=challenge, reason=WHY, by=None)
    assert AuditEntry.objects.count() == 2


@pytest.mark.parametrize("correct", [void_run, reinstate_run, dismiss_signals])
def test_an_unknown_run_does_not_exist(db: None, correct: partial[None]) -> None:
    with pytest.raises(Run.DoesNotExist):
        correct(run_id=uuid4(), reason=WHY, by=None)


@pytest.mark.parametrize("reason", ["", "   ", "x" * (LONGEST_REASON + 1), "two\nlines", "nothing\0"])
def test_a_correction_without_a_reason_to_show_is_refused(
    challenge: Challenge, ann: Player, reason: str
) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    for correct in (void_run, reinstate_run, dismiss_signals):
        with pytest.raises(BadReason, match="1 to 200"):
            correct(run_id=run.pk, reason=reason, by=None)
    with pytest.raises(BadReason):
        void_day(challenge=challenge, reason=reason, by=None)
    assert names(BOARD) == [(1, "ann")]
    assert not AuditEntry.objects.exists()


def test_a_reason_may_have_all_its_characters() -> None:
    assert clean_reason("ü" * LONGEST_REASON) == "ü" * LONGEST_REASON


def test_an_unranked_run_is_voided_without_a_trace_on_the_boards(challenge: Challenge, ann: Player) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    void_day(challenge=challenge, reason=WHY, by=None)
    before = list(Standing.objects.order_by("pk").values())
    void_run(run_id=run.pk, reason=WHY, by=None)
    reinstate_run(run_id=run.pk, reason=WHY, by=None)
    assert list(Standing.objects.order_by("pk").values()) == before


# --- Voiding a day


def test_a_voided_day_counts_for_nobody(challenge: Challenge, ann: Player, bob: Player) -> None:
    other = make_challenge(DAY + timedelta(days=1))
    record(ann, challenge, cleared=28, elapsed_ms=90_000)
    record(bob, challenge, cleared=20, elapsed_ms=90_000)
    record(bob, other, cleared=5, elapsed_ms=30_000)
    void_day(challenge=challenge, reason=WHY, by=None)
    assert names(BOARD) == []
    assert names("all-time") == names(day_board(other.date)) == [(1, "bob")]
    assert standings.page_after("all-time", None, 5).rows[0].cleared == 5
    assert sum(queries.tallies(BOARD).distribution) == 0
    assert sum(queries.tallies("all-time").distribution) == 1


def test_a_voided_day_tells_when_and_why(challenge: Challenge, keeper: Player, clock: FrozenClock) -> None:
    void_day(challenge=challenge, reason=WHY, by=keeper)
    kept = Challenge.objects.get()
    assert (kept.voided_at, kept.void_reason) == (clock.moment, WHY)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.day, entry.reason) == ("void_day", keeper, DAY, WHY)


def test_a_run_of_a_voided_day_tells_that_it_is_not_ranked(challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=28, elapsed_ms=90_000)
    void_day(challenge=challenge, reason=WHY, by=None)
    assert Run.objects.get().unranked_reason == Unranked.DAY_VOIDED


def test_on_a_voided_day_people_play_on_unranked(challenge: Challenge, ann: Player) -> None:
    attempt = started(ann)
    void_day(challenge=challenge, reason=WHY, by=None)
    run, is_new = submit_run(player=ann, attempt_id=attempt.pk, log=["D"])
    assert (run.unranked_reason, is_new) == (Unranked.DAY_VOIDED, True)
    assert names(BOARD) == []


def test_a_run_that_was_voided_before_its_day_does_not_come_back(challenge: Challenge, ann: Player) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=90_000)
    void_run(run_id=run.pk, reason=WHY, by=None)
    void_day(challenge=challenge, reason=WHY, by=None)
    reinstate_run(run_id=run.pk, reason=WHY, by=None)
    assert Run.objects.get().unranked_reason == Unranked.DAY_VOIDED
    assert names(BOARD) == names("all-time") == []


def test_no_run_that_counts_enters_a_voided_day(challenge: Challenge, ann: Player) -> None:
    void_day(challenge=challenge, reason=WHY, by=None)
    with pytest.raises(IntegrityError, match="void"), transaction.atomic():
        record(ann, challenge, cleared=28, elapsed_ms=90_000)


def test_voiding_a_settled_day_is_a_revision(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    record(ann, challenge, cleared=28, elapsed_ms=90_000)
    settle_day(challenge, clock)
    void_day(challenge=challenge, reason=WHY, by=None)
    last = Settlement.objects.get(revision=2)
    assert (last.field_size, last.reason) == (0, WHY)
    assert Standing.objects.get(board=BOARD).rank is None


# --- Signals


@pytest.fixture
def flagged(challenge: Challenge, ann: Player, clock: FrozenClock) -> Run:
    """A run that was noticed."""
    run = record(ann, challenge, cleared=28, elapsed_ms=10_000)
    assert Signal.objects.get().decided_at is None
    return run


def test_a_dismissal_decides_and_changes_nothing_else(
    flagged: Run, keeper: Player, clock: FrozenClock
) -> None:
    dismiss_signals(run_id=flagged.pk, reason="I know her.", by=keeper)
    assert Signal.objects.get().decided_at == clock.moment
    assert names(BOARD) == [(1, "ann")]
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.run, entry.reason) == ("dismiss_signals", flagged, "I know her.")
    with pytest.raises(NothingToCorrect):
        dismiss_signals(run_id=flagged.pk, reason="Again.", by=keeper)


def test_voiding_decides_too(flagged: Run, clock: FrozenClock) -> None:
    void_run(run_id=flagged.pk, reason=WHY, by=None)
    assert Signal.objects.get().decided_at == clock.moment
