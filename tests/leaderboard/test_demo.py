"""The bots of a first look: honest runs, marked, only where they belong."""

from random import Random

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from daily.models import Challenge, Run
from games.pyramid import Rules, replay
from leaderboard.bots import Skill, best_line, fill_today
from leaderboard.standings import page_after
from tests.cast import DAY

SEED = 20261130


def test_bots_fill_the_board_of_today(challenge: Challenge) -> None:
    assert fill_today(25, Random(SEED)) == 25
    page = page_after("2026-11-30", None, 50)
    assert page.field_size == 25
    assert all(row.player.is_bot for row in page.rows)
    assert len({row.elapsed_ms for row in page.rows}) > 20
    assert len({row.cleared for row in page.rows}) > 1


def test_bots_take_their_time_and_play_by_the_rules(challenge: Challenge) -> None:
    fill_today(5, Random(SEED))
    for run in Run.objects.all():
        assert replay(challenge.deal, challenge.ruleset, run.log).cleared == run.cleared
        assert 0.8 < run.elapsed_ms / 1000 / max(1, len(run.log)) < 5


def test_only_missing_bots_are_added(challenge: Challenge) -> None:
    fill_today(3, Random(SEED))
    assert fill_today(5, Random(SEED + 1)) == 2
    assert fill_today(4, Random(SEED + 2)) == 0


@pytest.mark.parametrize("rules", ["endless", "one-pass", "strict", "cover-pairs"])
def test_a_line_is_legal_under_every_rule_set(challenge: Challenge, rules: str) -> None:
    rng = Random(SEED)
    log = best_line(challenge.deal, Rules.named(rules), Skill.random(rng), rng)
    assert replay(challenge.deal, Rules.named(rules), log).moves == len(log)


def test_the_command_says_what_it_did(challenge: Challenge, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("demo", players=2)
    assert "2 bots played" in capsys.readouterr().out
    assert Run.objects.filter(challenge_id=DAY).count() == 2


@pytest.mark.django_db
def test_no_bots_outside_of_demo_mode(settings: Settings) -> None:
    settings.DEMO = settings.DEBUG = False
    with pytest.raises(CommandError, match="demo mode"):
        call_command("demo")


@pytest.mark.parametrize("players", [0, -3, 10_001])
def test_a_silly_number_is_refused(players: int) -> None:
    with pytest.raises(CommandError, match="--players"):
        call_command("demo", players=players)
