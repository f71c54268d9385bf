"""The bots of a first look: honest runs, marked, only where they belong."""

from datetime import timedelta
from random import Random

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from daily.models import Challenge, Policy, Run
from games.pyramid import Rules, replay
from games.pyramid.verify import Verifier
from leaderboard import bots
from leaderboard.bots import Skill, best_line, fill_today, settle_past_days
from leaderboard.bundles import bundle_lines
from leaderboard.models import Signal
from leaderboard.settling import settle_due
from leaderboard.standings import page_after
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge

SEED = 20261130


def test_bots_fill_the_board_of_today(challenge: Challenge) -> None:
    assert fill_today(25, Random(SEED)) == 25
    page = page_after("2026-11-30", None, 50)
    assert page.field_size == 25
    assert all(row.entry.is_bot for row in page.rows)
    assert len({row.elapsed_ms for row in page.rows}) > 20
    assert len({row.cleared for row in page.rows}) > 1


def test_bots_take_their_time_and_play_by_the_rules(challenge: Challenge) -> None:
    fill_today(5, Random(SEED))
    for run in Run.objects.all():
        assert replay(challenge.deal, challenge.ruleset, run.log).cleared == run.cleared
        assert 1 < run.elapsed_ms / 1000 / max(1, len(run.log)) < 5


def test_only_missing_bots_are_added(challenge: Challenge) -> None:
    fill_today(3, Random(SEED))
    assert fill_today(5, Random(SEED + 1)) == 2
    assert fill_today(4, Random(SEED + 2)) == 0


@pytest.mark.parametrize("rules", ["endless", "one-pass", "strict", "cover-pairs"])
def test_a_line_is_legal_under_every_rule_set(challenge: Challenge, rules: str) -> None:
    rng = Random(SEED)
    log = best_line(challenge.deal, Rules.named(rules), Skill.random(rng), rng)
    assert replay(challenge.deal, Rules.named(rules), log).moves == len(log)


@pytest.mark.parametrize("seconds", [0, 20, 90])
def test_just_after_midnight_bots_play_what_there_is_time_for(
    challenge: Challenge, clock: FrozenClock, seconds: int
) -> None:
    clock.moment = challenge.opens_at + timedelta(seconds=seconds)
    fill_today(20, Random(SEED))
    assert Run.objects.count() == 20
    for run in Run.objects.select_related("attempt"):
        assert challenge.opens_at <= run.attempt.started_at <= run.submitted_at <= clock.moment
        assert run.elapsed_ms >= 1000 * len(run.log)
    assert not Signal.objects.exists()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PAST_BOTS", 4)
    Policy.objects.update(min_best_clear=0, min_difficulty=0, max_difficulty=1)


def test_the_days_before_are_made_played_and_settled(challenge: Challenge, few: None) -> None:
    days = [DAY - timedelta(days=ago) for ago in (3, 2, 1)]
    assert settle_past_days(Random(SEED)) == days
    for day in Challenge.objects.filter(date__lt=DAY):
        assert (day.is_settled, day.settlements.get().field_size, day.runs.count()) == (True, 4, 4)
        for run in day.runs.select_related("attempt", "player"):
            assert day.opens_at <= run.attempt.started_at <= run.submitted_at <= day.closes_at
            assert run.player.is_bot
            assert run.player.created_at <= run.attempt.started_at
        assert list(Verifier(line.encode("ascii") for line in bundle_lines(day)).differences()) == []


def test_bots_come_again_the_next_day(challenge: Challenge, few: None) -> None:
    settle_past_days(Random(SEED))
    fill_today(5, Random(SEED))
    assert Player.objects.filter(is_bot=True).count() == 5


def test_days_that_are_settled_stay_as_they_are(challenge: Challenge, few: None) -> None:
    yesterday = make_challenge(DAY - timedelta(days=1))
    settle_due(yesterday.closes_at + timedelta(hours=2))
    assert settle_past_days(Random(SEED)) == [DAY - timedelta(days=3), DAY - timedelta(days=2)]
    assert not yesterday.runs.exists()
    assert settle_past_days(Random(SEED)) == []
    assert Run.objects.count() == 8


def test_a_day_that_may_still_be_played_is_left_to_its_players(
    challenge: Challenge, clock: FrozenClock, few: None
) -> None:
    clock.moment = challenge.opens_at + timedelta(minutes=30)
    assert settle_past_days(Random(SEED))[-1] == DAY - timedelta(days=2)


def test_the_command_says_what_it_does_and_did(
    challenge: Challenge, few: None, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("demo", players=1)
    assert capsys.readouterr().out == (
        "Letting 1 bot play today and 4 on each of the 3 days before ...\n"
        "Done. 1 bot played today's challenge."
        " Settled for you to look at: 2026-11-27, 2026-11-28, 2026-11-29.\n"
    )
    call_command("demo", players=1)
    assert capsys.readouterr().out.endswith(
        "Done. Today's board had as many already. The days before were settled already.\n"
    )


@pytest.mark.django_db
def test_no_bots_outside_of_demo_mode(settings: Settings) -> None:
    settings.DEMO = settings.DEBUG = False
    with pytest.raises(CommandError, match="demo mode"):
        call_command("demo")


@pytest.mark.parametrize("players", ["0", "-3", "10001", "many", "\u0663", "9" * 5000])
def test_a_silly_number_is_refused(players: str) -> None:
    with pytest.raises(CommandError, match="--players: takes a number from 1 to 10000"):
        call_command("demo", f"--players={players}")
