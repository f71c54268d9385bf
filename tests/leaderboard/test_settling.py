"""The end of an attempt and of a day: once, alike, whoever comes first and whatever breaks on the way."""

from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from types import MappingProxyType
from unittest import mock
from uuid import UUID

import pytest
from django.conf import settings
from django.db import IntegrityError, OperationalError, transaction
from pytest_django import DjangoAssertNumQueries, Settings

from daily.errors import DeadlinePassed
from daily.models import Attempt, Challenge, Run
from daily.services import judge_checkpoint, keep_checkpoint
from games.pyramid import rules as rules_module
from games.pyramid.bundle import Entry, Ranking
from leaderboard import services, settling, standings
from leaderboard.boards import day_board
from leaderboard.corrections import reinstate_run, void_day, void_run
from leaderboard.models import Settlement, Standing
from leaderboard.queries import Background
from leaderboard.services import enter, submit_run
from leaderboard.settling import (
    ensure_all_settled,
    ensure_settled,
    finish_overdue,
    freeze,
    is_due,
    read_attempt,
    settle,
    settle_due,
)
from players.models import Player
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, make_player, record, started

BOARD = day_board(DAY)


def keep(attempt: Attempt, log: list[str]) -> None:
    keep_checkpoint(player=attempt.player, attempt_id=attempt.pk, log=log)


def pass_deadline(attempt: Attempt, clock: FrozenClock) -> None:
    """Let the deadline and the grace pass."""
    clock.moment = attempt.deadline_at + settings.DEADLINE_GRACE + timedelta(microseconds=1)


def end_day(challenge: Challenge, clock: FrozenClock) -> None:
    """Come to the first moment at which the day is due for settling."""
    clock.moment = challenge.closes_at + settings.ATTEMPT_TIME_LIMIT + settings.DEADLINE_GRACE


def digest_of(*lines: str) -> str:
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


# --- Deadlines


def test_an_attempt_that_is_never_submitted_ends_with_its_last_checkpoint(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt, log = started(ann), greedy_log(challenge, 4)
    keep(attempt, log)
    pass_deadline(attempt, clock)
    assert finish_overdue(clock.now()) == 1
    run = Run.objects.get()
    assert (run.log, run.is_from_checkpoint) == (log, True)
    assert (run.submitted_at, run.elapsed_ms) == (attempt.deadline_at, 3_600_000)
    assert standings.place_of(BOARD, ann.pk)


def test_an_attempt_without_a_checkpoint_is_played_and_not_ranked(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    pass_deadline(started(ann), clock)
    assert finish_overdue(clock.now()) == 0
    assert not Run.objects.exists()
    assert standings.place_of(BOARD, ann.pk) is None


def test_a_kept_empty_log_is_a_run_that_cleared_nothing(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    keep(attempt, [])
    pass_deadline(attempt, clock)
    finish_overdue(clock.now())
    assert Run.objects.get().cleared == 0


def test_nothing_is_decided_within_the_grace(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    clock.moment = attempt.deadline_at + settings.DEADLINE_GRACE
    assert finish_overdue(clock.now()) == 0
    assert not hasattr(read_attempt(player=ann, attempt_id=attempt.pk), "run")


def test_an_overdue_attempt_is_finished_once(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    pass_deadline(attempt, clock)
    assert [finish_overdue(clock.now()) for _ in range(3)] == [1, 0, 0]


def test_a_checkpoint_that_is_refused_holds_nobody_up(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    spoilt, sound = started(ann), started(bob)
    keep(spoilt, ["D"])
    keep(sound, ["D"])
    Attempt.objects.filter(pk=spoilt.pk).update(checkpoint_text="ASAH")
    end_day(challenge, clock)
    assert settle_due(clock.now()) == [DAY]
    assert Run.objects.get().attempt_id == sound.pk
    with mock.patch("leaderboard.settling.judge_checkpoint") as judge:
        assert finish_overdue(clock.now()) == 0
    judge.assert_not_called()
    assert str(spoilt.pk) in caplog.text
    assert "ASAH" not in caplog.text


def test_an_attempt_that_was_in_the_way_of_another_is_finished_before_its_day_settles(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    keep(started(ann), ["D"])
    end_day(challenge, clock)
    with mock.patch("leaderboard.settling.enter", side_effect=[IntegrityError, mock.DEFAULT], wraps=enter):
        assert settle(DAY, clock.now())
    assert Settlement.objects.get().field_size == 1


def test_the_player_who_looks_first_finds_the_attempt_finished(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    pass_deadline(attempt, clock)
    assert read_attempt(player=ann, attempt_id=attempt.pk).run.log == ["D"]
    assert read_attempt(player=ann, attempt_id=attempt.pk).run.log == ["D"]


def test_looking_at_an_attempt_costs_two_queries(
    challenge: Challenge, ann: Player, clock: FrozenClock, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    with django_assert_num_queries(2):
        read_attempt(player=ann, attempt_id=attempt.pk)


def test_nobody_looks_at_the_attempt_of_another(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    pass_deadline(attempt, clock)
    with pytest.raises(Attempt.DoesNotExist):
        read_attempt(player=bob, attempt_id=attempt.pk)
    assert not Run.objects.exists()


def test_after_the_attempt_ended_with_its_checkpoint_another_log_is_too_late(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    pass_deadline(attempt, clock)
    finish_overdue(clock.now())
    with pytest.raises(DeadlinePassed):
        submit_run(player=ann, attempt_id=attempt.pk, log=["D", "D"])
    assert submit_run(player=ann, attempt_id=attempt.pk, log=["D"]) == (Run.objects.get(), False)


# --- Days


def settled(challenge: Challenge, clock: FrozenClock) -> Settlement:
    """The first settlement of the day, which has ended."""
    end_day(challenge, clock)
    assert settle_due(clock.now()) == [challenge.date]
    return Settlement.objects.get(challenge=challenge)


def test_a_day_settles_with_its_ranks_and_its_digest(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    second = record(ann, challenge, cleared=20, elapsed_ms=90_000)
    first = record(bob, challenge, cleared=21, elapsed_ms=95_000)
    settlement = settled(challenge, clock)
    assert (settlement.revision, settlement.field_size, settlement.reason) == (1, 2, "")
    assert settlement.settled_at == Challenge.objects.get().settled_at == clock.moment
    assert settlement.digest == digest_of(f"1|{first.pk}|21|95000|", f"2|{second.pk}|20|90000|")
    assert dict(Standing.objects.filter(board=BOARD).values_list("player", "rank")) == {bob.pk: 1, ann.pk: 2}


def test_the_digest_is_over_the_logs_as_they_were_submitted(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    run, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=["D", "U", "D"])
    assert settled(challenge, clock).digest == digest_of(f"1|{run.pk}|0|0|D U D")


@pytest.mark.parametrize("seed", range(3))
def test_stored_ranks_pages_and_canonical_lines_agree(
    challenge: Challenge, clock: FrozenClock, seed: int
) -> None:
    rng = Random(seed)
    players = [make_player(f"player {number}") for number in range(20)]
    for player in players:
        record(player, challenge, cleared=rng.randint(26, 28), elapsed_ms=rng.randint(1, 4))
    settled(challenge, clock)
    ranking, ranks = Ranking(), {}
    for entry in sorted(settling.board_entries(DAY), key=lambda entry: entry.order):
        player_id = Run.objects.get(pk=UUID(entry.run)).player_id
        ranks[player_id] = ranking.place(entry.cleared, entry.elapsed_ms)
    assert dict(Standing.objects.filter(board=BOARD).values_list("player", "rank")) == ranks
    assert {row.position.player_id: row.rank for row in standings.page_after(BOARD, None, 50).rows} == ranks
    assert len(set(ranks.values())) < len(ranks) == 20


def test_sql_reads_the_entries_in_their_order(challenge: Challenge, clock: FrozenClock) -> None:
    for number in range(12):
        record(make_player(f"player {number}"), challenge, cleared=28 - number % 2, elapsed_ms=number % 3)
    entries = list(settling.board_entries(DAY))
    assert entries == sorted(entries, key=lambda entry: entry.order)
    assert {type(entry) for entry in entries} == {Entry}


def test_a_day_is_due_once_the_last_attempt_has_ended_for_good(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    clock.moment = challenge.closes_at - timedelta(microseconds=1)
    attempt = started(ann)
    keep(attempt, ["D"])
    end_day(challenge, clock)
    clock.moment -= timedelta(microseconds=1)
    assert not is_due(challenge, clock.now())
    assert settle_due(clock.now()) == []
    assert not settle(DAY, clock.now())
    clock.moment += timedelta(microseconds=1)
    assert is_due(challenge, clock.now())
    assert settle_due(clock.now()) == [DAY]
    assert Settlement.objects.get().field_size == 1


def test_an_attempt_that_started_under_a_longer_limit_keeps_its_day_open(
    challenge: Challenge, ann: Player, clock: FrozenClock, settings: Settings
) -> None:
    settings.ATTEMPT_TIME_LIMIT = timedelta(hours=20)
    attempt = started(ann)
    settings.ATTEMPT_TIME_LIMIT = timedelta(hours=1)
    end_day(challenge, clock)
    assert settle_due(clock.now()) == []
    assert submit_run(player=ann, attempt_id=attempt.pk, log=["D"])[1]
    pass_deadline(attempt, clock)
    assert settle_due(clock.now()) == [DAY]


def test_settling_again_changes_nothing(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    first = settled(challenge, clock)
    clock.advance(hours=5)
    assert settle_due(clock.now()) == []
    assert not settle(DAY, clock.now())
    assert Settlement.objects.get() == first
    assert Challenge.objects.get().settled_at == first.settled_at


def test_an_outage_of_days_is_made_up_for(db: None, clock: FrozenClock) -> None:
    days = [DAY + timedelta(days=ahead) for ahead in range(3)]
    challenges = [make_challenge(day) for day in days]
    end_day(challenges[-1], clock)
    assert settle_due(clock.now()) == days


def test_a_day_that_cannot_be_settled_holds_up_no_other(
    db: None, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = make_challenge(DAY), make_challenge(DAY + timedelta(days=1))
    end_day(good, clock)

    def freeze_good(challenge: Challenge, now: datetime) -> Settlement:
        if challenge.date == bad.date:
            raise BrokenError
        return freeze(challenge, now)

    with mock.patch("leaderboard.settling.freeze", freeze_good), pytest.raises(ExceptionGroup) as raised:
        settle_due(clock.now())
    assert raised.group_contains(BrokenError)
    assert list(Settlement.objects.values_list("challenge_id", flat=True)) == [good.date]
    assert f"'item': '{bad.date}'" in caplog.text
    assert settle_due(clock.now()) == [bad.date]


def test_an_attempt_that_cannot_be_finished_holds_up_no_other_but_its_day(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    broken, sound = started(ann), started(bob)
    keep(broken, ["D"])
    keep(sound, ["D"])
    end_day(challenge, clock)

    def judge_sound(attempt: Attempt) -> Run:
        if attempt.pk == broken.pk:
            raise BrokenError
        return judge_checkpoint(attempt)

    with mock.patch("leaderboard.settling.judge_checkpoint", judge_sound):
        with pytest.raises(ExceptionGroup):
            finish_overdue(clock.now())
        with pytest.raises(ExceptionGroup):
            settle_due(clock.now())
    assert Run.objects.get().attempt_id == sound.pk
    assert not Settlement.objects.exists()
    assert settle_due(clock.now()) == [DAY]
    assert Settlement.objects.get().field_size == 2


def test_nothing_goes_on_without_the_database(
    challenge: Challenge, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    end_day(challenge, clock)
    gone = mock.patch("leaderboard.settling.connection.is_usable", return_value=False)
    with gone, mock.patch("leaderboard.settling.freeze", side_effect=OperationalError):
        for look in (lambda: settle_due(clock.now()), lambda: ensure_settled(challenge, clock.now())):
            with pytest.raises(OperationalError):
                look()
    assert not caplog.records


def test_a_voided_day_settles_with_an_empty_board(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    void_day(challenge=challenge, reason="The deal leaked.", by=None)
    settlement = settled(challenge, clock)
    assert (settlement.field_size, settlement.digest) == (0, digest_of())
    assert set(Standing.objects.filter(board=BOARD).values_list("rank", flat=True)) == {None}


class BrokenError(Exception):
    """A fault of ours."""


STEPS = [
    "leaderboard.settling.judge_checkpoint",
    "leaderboard.queries.background",
    "leaderboard.services.signals_of",
    "leaderboard.ledger.enter",
    "leaderboard.settling.connection.cursor",
    "leaderboard.settling.board_entries",
    "leaderboard.settling.BoardDigest.add",
    "leaderboard.settling.Max",
    "daily.models.Challenge.save",
]


class KilledError(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", STEPS)
def test_a_settling_that_is_killed_half_way_is_done_by_the_next(
    challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock, step: str
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    attempt = started(bob)
    keep(attempt, ["D"])
    end_day(challenge, clock)
    with mock.patch(step, side_effect=KilledError), pytest.raises(KilledError):
        settle_due(clock.now())
    assert not Settlement.objects.exists()
    assert Challenge.objects.get().settled_at is None
    assert settle_due(clock.now()) == [DAY]
    ann_run, bob_run = Run.objects.get(player=ann), Run.objects.get(player=bob)
    lines = f"1|{ann_run.pk}|20|90000|", f"2|{bob_run.pk}|0|3600000|D"
    assert Settlement.objects.get().digest == digest_of(*lines)


def test_a_settled_day_takes_no_more_runs(challenge: Challenge, ann: Player, clock: FrozenClock) -> None:
    settled(challenge, clock)
    with pytest.raises(IntegrityError, match="settled"), transaction.atomic():
        record(ann, challenge, cleared=20, elapsed_ms=90_000)
    assert not Standing.objects.exists()


def test_a_submission_that_was_held_up_until_the_day_settled_is_too_late(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)

    def settle_meanwhile(run: Run, background: Background | None) -> None:
        settled(challenge, clock)
        real_enter(run, background)

    real_enter = services.enter
    with (
        mock.patch("leaderboard.services.enter", side_effect=settle_meanwhile),
        pytest.raises(DeadlinePassed),
        transaction.atomic(),
    ):
        submit_run(player=ann, attempt_id=attempt.pk, log=["D"])
    assert not Run.objects.exists()


def test_a_later_version_of_the_rules_never_scores_a_settled_day_anew(
    challenge: Challenge, ann: Player, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=greedy_log(challenge, 6))
    first = settled(challenge, clock)
    changed = rules_module.Rules(slug="endless", version=2, passes=1, win="all")
    monkeypatch.setattr(rules_module, "RULES", MappingProxyType({"endless": changed}))
    assert settle_due(clock.now()) == []
    void_run(run_id=run.pk, reason="A second look.", by=None)
    reinstate_run(run_id=run.pk, reason="It was fine.", by=None)
    assert Settlement.objects.get(revision=3).digest == first.digest
    assert Challenge.objects.get().rules_version == 1
    kept = Run.objects.get()
    assert (kept.cleared, kept.moves, kept.points) == (run.cleared, run.moves, run.points)


# --- The first reader


def test_the_first_reader_of_a_due_day_finds_it_settled(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    end_day(challenge, clock)
    ensure_settled(challenge, clock.now())
    assert challenge.settled_at == clock.moment
    assert standings.page_after(BOARD, None, 10).field_size == 1


def test_a_day_that_cannot_be_settled_is_read_as_it_was_and_left_alone_for_a_while(
    challenge: Challenge, ann: Player, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settling, "_resting", {})
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    end_day(challenge, clock)
    with mock.patch("leaderboard.settling.freeze", side_effect=BrokenError) as freeze:
        for _ in range(3):
            assert ensure_settled(challenge, clock.now())
    freeze.assert_called_once()
    assert not challenge.is_settled
    assert standings.page_after(BOARD, None, 10).field_size == 1
    assert settle_due(clock.now()) == [DAY]


def test_where_there_is_no_worker_what_fails_is_kept_from_readers(
    challenge: Challenge, ann: Player, clock: FrozenClock, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settling, "_resting", {})
    settings.CELERY_TASK_ALWAYS_EAGER = True
    attempt = started(ann)
    keep(attempt, ["D"])
    pass_deadline(attempt, clock)
    with mock.patch("leaderboard.settling.judge_checkpoint", side_effect=BrokenError):
        assert not ensure_settled(challenge, clock.now())
        ensure_all_settled()
    assert not Run.objects.exists()


def test_reading_costs_nothing_where_nothing_is_due(
    challenge: Challenge,
    clock: FrozenClock,
    django_assert_num_queries: DjangoAssertNumQueries,
    settings: Settings,
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    coming = make_challenge(DAY + timedelta(days=1))
    with django_assert_num_queries(0):
        ensure_settled(coming, clock.now())
        ensure_settled(challenge, clock.now())
    end_day(challenge, clock)
    ensure_settled(challenge, clock.now())
    with django_assert_num_queries(0):
        ensure_settled(challenge, clock.now())


def test_where_there_is_no_worker_readers_finish_what_is_overdue(
    challenge: Challenge, ann: Player, clock: FrozenClock, settings: Settings
) -> None:
    attempt = started(ann)
    keep(attempt, ["D"])
    pass_deadline(attempt, clock)
    settings.CELERY_TASK_ALWAYS_EAGER = False
    ensure_settled(challenge, clock.now())
    assert not Run.objects.exists()
    settings.CELERY_TASK_ALWAYS_EAGER = True
    ensure_settled(challenge, clock.now())
    assert Run.objects.get().is_from_checkpoint


def test_a_web_server_whose_clock_is_wrong_settles_nothing(challenge: Challenge, clock: FrozenClock) -> None:
    ensure_settled(challenge, clock.now() + timedelta(days=2))
    assert not challenge.is_settled


def test_a_web_server_whose_clock_is_wrong_ends_no_attempt(
    challenge: Challenge, ann: Player, clock: FrozenClock, settings: Settings
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    keep(started(ann), ["D"])
    ensure_settled(challenge, clock.now() + timedelta(hours=2))
    assert not Run.objects.exists()


@pytest.mark.parametrize("has_worker", [True, False])
def test_where_there_is_no_worker_readers_of_many_days_find_all_of_them_settled(
    challenge: Challenge, ann: Player, clock: FrozenClock, settings: Settings, has_worker: bool
) -> None:
    keep(started(ann), ["D"])
    end_day(challenge, clock)
    settings.CELERY_TASK_ALWAYS_EAGER = not has_worker
    ensure_all_settled()
    challenge.refresh_from_db()
    assert challenge.is_settled is not has_worker
