"""Who is ranked: decided when a run is submitted, by what its player is then."""

import pytest
from pytest_django import Settings

from daily.models import Challenge, Run
from daily.services import keep_checkpoint
from leaderboard import standings
from leaderboard.boards import boards_of, day_board
from leaderboard.scoring import Place, score
from leaderboard.services import submit_run
from leaderboard.settling import finish_overdue
from players.accounts import create_account
from players.models import Player
from tests.cast import DAY, NOON, FrozenClock, greedy_log, make_player, record, started
from tests.players.conftest import quick_passwords  # noqa: F401  (a fixture)

pytestmark = pytest.mark.django_db

BOARD = day_board(DAY)
PASSWORD = "seven silent swans"
KINDS = ("guest", "account", "verified")
REASONS = {
    "anyone": ("", "", ""),
    "account": ("no_account", "", ""),
    "verified": ("no_account", "not_verified", ""),
}


def become(player: Player, kind: str) -> None:
    """Make a guest what ``kind`` says."""
    if kind != "guest":
        create_account(player=player, email=f"{player.name}@example.org", password=PASSWORD)
    if kind == "verified":
        player.email_verified_at = NOON
        player.save()


def play(player: Player, challenge: Challenge, cleared: int = 4) -> Run:
    """Start, play and submit at once; the run as it was stored."""
    attempt = started(player)
    submit_run(player=player, attempt_id=attempt.pk, log=greedy_log(challenge, cleared))
    return Run.objects.get(pk=attempt.pk)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("required", REASONS)
def test_the_setting_says_who_is_ranked(
    challenge: Challenge, ann: Player, settings: Settings, required: str, kind: str
) -> None:
    settings.RANKED_REQUIRES = required
    become(ann, kind)
    run = play(ann, challenge)
    assert run.unranked_reason == REASONS[required][KINDS.index(kind)]
    for board in boards_of(DAY):
        assert (standings.place_of(board, ann.pk) is not None) is run.counts


def test_a_guests_unranked_run_stays_so_when_the_guest_signs_up(
    challenge: Challenge, ann: Player, settings: Settings
) -> None:
    settings.RANKED_REQUIRES = "account"
    run = play(ann, challenge)
    become(ann, "verified")
    run.refresh_from_db()
    assert run.unranked_reason == "no_account"
    assert standings.place_of(BOARD, ann.pk) is None


def test_a_guests_ranked_run_stays_so_when_the_setting_changes(
    challenge: Challenge, ann: Player, settings: Settings
) -> None:
    run = play(ann, challenge)
    settings.RANKED_REQUIRES = "verified"
    run.refresh_from_db()
    assert run.counts
    assert standings.place_of(BOARD, ann.pk)


def test_who_signs_up_while_playing_is_ranked(challenge: Challenge, ann: Player, settings: Settings) -> None:
    settings.RANKED_REQUIRES = "account"
    started(ann)
    become(ann, "account")
    assert play(ann, challenge).counts


@pytest.mark.parametrize(("kind", "reason"), [("guest", "no_account"), ("account", "")])
def test_an_attempt_that_ends_at_its_deadline_is_decided_then(
    challenge: Challenge, ann: Player, settings: Settings, clock: FrozenClock, kind: str, reason: str
) -> None:
    settings.RANKED_REQUIRES = "account"
    attempt = started(ann)
    keep_checkpoint(player=ann, attempt_id=attempt.pk, log=["D"])
    become(ann, kind)
    clock.advance(hours=2)
    finish_overdue(clock.now())
    assert Run.objects.get(pk=attempt.pk).unranked_reason == reason


def test_an_unranked_player_is_told_where_the_run_would_stand(
    challenge: Challenge, ann: Player, bob: Player, settings: Settings
) -> None:
    record(bob, challenge, cleared=28, elapsed_ms=90_000)
    record(make_player("cleo"), challenge, cleared=0, elapsed_ms=90_000)
    settings.RANKED_REQUIRES = "account"
    run = play(ann, challenge)
    assert (run.rank, run.beaten, run.field_size) == (2, 1, 3)
    assert standings.page_after(BOARD, None, 10).field_size == 2


def test_where_an_unranked_run_would_stand_moves_with_the_field(
    challenge: Challenge, ann: Player, bob: Player, settings: Settings
) -> None:
    settings.RANKED_REQUIRES = "account"
    run = play(ann, challenge)
    own = score(run.cleared, run.elapsed_ms)
    assert standings.place_of_score(BOARD, own) == Place(rank=1, beaten=0, field_size=1)
    record(bob, challenge, cleared=28, elapsed_ms=90_000)
    record(make_player("cleo"), challenge, cleared=0, elapsed_ms=90_000)
    assert standings.place_of_score(BOARD, own) == Place(rank=2, beaten=1, field_size=3)
