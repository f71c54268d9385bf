"""A settled day as everybody can get and check it."""

import json
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from daily.models import Challenge, Run
from games.pyramid.verify import Verifier
from leaderboard import bundles
from leaderboard.bundles import NotSettled, bundle_lines
from leaderboard.corrections import reinstate_run, void_day, void_run
from leaderboard.models import Settlement
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from players.services import rename
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, make_player, started

WHY = "Played by a program."


@pytest.fixture
def challenge(db: None, clock: FrozenClock) -> Challenge:
    """The challenge of the day, as the schedule makes it: with a code and a best line."""
    challenge = make_challenge(DAY)
    log = greedy_log(challenge, 12)
    Challenge.objects.filter(pk=DAY).update(best_line_text=" ".join(log), best_clear=12, difficulty=0.5)
    return Challenge.objects.get()


@pytest.fixture
def runs(challenge: Challenge, clock: FrozenClock) -> list[Run]:
    """Five runs, the second and the third alike, the last with nothing cleared."""
    results = [(12, 40), (8, 50), (8, 50), (4, 30), (0, 20)]
    return [played(number, challenge, clock, *result) for number, result in enumerate(results)]


def played(number: int, challenge: Challenge, clock: FrozenClock, cleared: int, seconds: int) -> Run:
    attempt = started(make_player(f"player {number}"))
    clock.advance(seconds=seconds)
    log = greedy_log(challenge, cleared)
    return submit_run(player=attempt.player, attempt_id=attempt.pk, log=log)[0]


def settled(challenge: Challenge, clock: FrozenClock) -> Challenge:
    clock.moment = challenge.closes_at + settings.ATTEMPT_TIME_LIMIT + settings.DEADLINE_GRACE
    settle_due(clock.now())
    return Challenge.objects.get(pk=challenge.pk)


def bundle(challenge: Challenge) -> list[dict[str, Any]]:
    return [json.loads(line) for line in bundle_lines(challenge)]


def assert_holds(challenge: Challenge) -> None:
    """What the service publishes is what anybody's check accepts."""
    lines = [line.encode("ascii") for line in bundle_lines(challenge)]
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    assert list(Verifier(lines).differences()) == []


def test_a_bundle_tells_all_about_its_day(challenge: Challenge, runs: list[Run], clock: FrozenClock) -> None:
    day = settled(challenge, clock)
    header, *_ = bundle(day)
    settlement = Settlement.objects.get()
    assert header == {
        "format": "pyramid-daily-bundle/1",
        "date": "2026-11-30",
        "rules": "endless",
        "rules_version": 1,
        "salt": day.salt,
        "deck": day.deck,
        "code": day.code,
        "commitment": day.commitment,
        "best_clear": 12,
        "best_line": day.best_line,
        "difficulty": 0.5,
        "opens_at": "2026-11-30T00:00:00.000000Z",
        "closes_at": "2026-12-01T00:00:00.000000Z",
        "settled_at": "2026-12-01T01:01:00.000000Z",
        "voided": False,
        "revision": 1,
        "digest": settlement.digest,
        "field_size": 5,
        "runs": 5,
        "revisions": [
            {"revision": 1, "digest": settlement.digest, "settled_at": "2026-12-01T01:01:00.000000Z"}
        ],
    }


def test_a_bundle_has_its_runs_in_order(challenge: Challenge, runs: list[Run], clock: FrozenClock) -> None:
    lines = bundle(settled(challenge, clock))[1:]
    assert [line["rank"] for line in lines] == [1, 2, 2, 4, 5]
    assert {line["run"] for line in lines} == {str(run.pk) for run in runs}
    first = runs[0]
    assert lines[0] == {
        "run": str(first.pk),
        "player": "player 0",
        "rank": 1,
        "cleared": first.cleared,
        "elapsed_ms": 40_000,
        "log": first.log,
        "won": False,
        "moves": first.moves,
        "points": 0,
        "voided": False,
        "unranked": None,
    }


def test_anybody_can_check_it(challenge: Challenge, runs: list[Run], clock: FrozenClock) -> None:
    day = settled(challenge, clock)
    assert_holds(day)
    void_run(run_id=runs[1].pk, reason=WHY, by=None)
    assert_holds(day)
    reinstate_run(run_id=runs[1].pk, reason="It was not.", by=None)
    assert_holds(day)
    void_day(challenge=day, reason="The deal leaked.", by=None)
    assert_holds(day)


def test_the_bundle_of_a_day_without_runs_holds(challenge: Challenge, clock: FrozenClock) -> None:
    day = settled(challenge, clock)
    assert bundle(day)[0]["runs"] == 0
    assert_holds(day)


def test_a_day_without_a_proven_best_and_without_a_code_holds(
    challenge: Challenge, clock: FrozenClock
) -> None:
    day = settled(challenge, clock)
    day.code, day.best_clear, day.best_line_text, day.difficulty = "", None, "", None
    with mock.patch.object(Challenge.objects, "get", return_value=day):
        header = bundle(day)[0]
        assert_holds(day)
    assert (header["code"], header["best_clear"], header["difficulty"]) == (None, None, None)


def test_a_voided_run_is_in_the_bundle_without_a_rank_and_without_the_reason(
    challenge: Challenge, runs: list[Run], clock: FrozenClock
) -> None:
    day = settled(challenge, clock)
    void_run(run_id=runs[0].pk, reason=WHY, by=None)
    header, *lines = bundle(day)
    assert [(line["rank"], line["voided"]) for line in lines] == [
        (None, True), (1, False), (1, False), (3, False), (4, False)
    ]  # fmt: skip
    assert (header["revision"], header["field_size"], header["runs"]) == (2, 4, 5)
    assert WHY not in "".join(bundle_lines(day))


def test_a_voided_day_says_so(challenge: Challenge, runs: list[Run], clock: FrozenClock) -> None:
    void_day(challenge=challenge, reason="The deal leaked.", by=None)
    header, *lines = bundle(settled(challenge, clock))
    assert (header["voided"], header["field_size"]) == (True, 0)
    assert {(line["rank"], line["unranked"]) for line in lines} == {(None, "day_voided")}


def test_a_player_is_called_as_today(challenge: Challenge, runs: list[Run], clock: FrozenClock) -> None:
    day = settled(challenge, clock)
    rename(player=runs[0].player, name="zoë")
    assert bundle(day)[1]["player"] == "zoë"


def test_a_day_that_is_not_settled_has_none(challenge: Challenge) -> None:
    with pytest.raises(NotSettled):
        bundle_lines(challenge)


def test_a_correction_in_between_is_in_all_of_it_or_in_nothing(
    challenge: Challenge, runs: list[Run], clock: FrozenClock
) -> None:
    day = settled(challenge, clock)
    real, corrections = bundles._run_lines, iter([runs[0], runs[1]])

    def corrected_first(date: Any) -> Any:
        for run in corrections:
            void_run(run_id=run.pk, reason=WHY, by=None)
            break
        return real(date)

    with mock.patch.object(bundles, "_run_lines", corrected_first):
        header, *lines = bundle(day)
        assert header["revision"] == 3
        assert sum(line["rank"] is not None for line in lines) == header["field_size"] == 3
    assert_holds(day)


def test_runs_are_read_with_one_query(challenge: Challenge, runs: list[Run], clock: FrozenClock) -> None:
    day = settled(challenge, clock)
    lines = bundle_lines(day)
    next(lines)
    with CaptureQueriesContext(connection) as queries:
        assert len(list(lines)) == 5
    assert len(queries) == 0


def test_another_day_is_another_bundle(challenge: Challenge, runs: list[Run], clock: FrozenClock) -> None:
    other = make_challenge(DAY - timedelta(days=1))
    settled(challenge, clock)
    assert bundle(Challenge.objects.get(pk=other.pk))[0]["runs"] == 0


def test_names_that_are_not_ascii_are_written_so(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    rename(player=ann, name="zoë")
    submit_run(player=ann, attempt_id=started(ann).pk, log=[])
    lines = list(bundle_lines(settled(challenge, clock)))
    assert "zo\\u00eb" in lines[1]
