"""Views whose first query finds who asks too: what a token opens, and what one that does not work gets."""

from collections.abc import Callable
from unittest import mock

import pytest
from django.utils import timezone

from daily.models import Challenge, Run
from leaderboard.personal_data import erase
from players import throttling
from players.models import Player, Token
from players.services import issue_token
from players.tokens import make_secret
from tests.api.conftest import CheckedClient
from tests.cast import record

BOARD = "/api/v1/challenges/today/leaderboard/"


@pytest.fixture
def run(challenge: Challenge, ann: Player) -> Run:
    return record(ann, challenge, cleared=9, elapsed_ms=60_000)


@pytest.fixture(params=["a board", "one's run", "another's run", "no run"])
def address(request: pytest.FixtureRequest, run: Run, bob: Player) -> str:
    others = record(bob, run.challenge, cleared=1, elapsed_ms=60_000)
    missing = "00000000-0000-0000-0000-000000000000"
    addresses = {"a board": BOARD, "one's run": run.pk, "another's run": others.pk, "no run": missing}
    place = addresses[request.param]
    return place if place == BOARD else f"/api/v1/runs/{place}/"


def revoke(player: Player) -> str:
    token, secret = issue_token(player=player)
    Token.objects.filter(pk=token.pk).update(revoked_at=timezone.now())
    return secret


def leave(player: Player) -> str:
    _, secret = issue_token(player=player)
    erase(player=player)
    return secret


def invent(_player: Player) -> str:
    return make_secret()


@pytest.mark.parametrize("broken", [revoke, leave, invent])
def test_a_token_that_does_not_work_is_refused_whatever_is_asked_for(
    api: CheckedClient, address: str, ann: Player, broken: Callable[[Player], str]
) -> None:
    answer = api.get(address, HTTP_AUTHORIZATION=f"Bearer {broken(ann)}")
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")


def test_what_is_asked_for_with_a_token_counts_for_its_player_and_is_theirs(
    as_ann: CheckedClient, api: CheckedClient, address: str, ann: Player
) -> None:
    with mock.patch.object(throttling.meter(), "hit", wraps=throttling.meter().hit) as hit:
        answers = [client.get(address) for client in (as_ann, api)]
    assert [call.args for call in hit.call_args_list] == [
        ("read", f"player:{ann.pk}"),
        ("read", "net:127.0.0.1"),
    ]
    assert answers[0].headers["Cache-Control"].startswith(("private", "no-store"))


def test_a_run_shows_its_log_to_its_own_players_token_only(
    as_ann: CheckedClient, as_bob: CheckedClient, api: CheckedClient, run: Run
) -> None:
    shown = [client.get(f"/api/v1/runs/{run.pk}/").json()["log"] for client in (as_ann, as_bob, api)]
    assert shown == [[], None, None]


def test_a_board_tells_each_token_where_its_player_stands(
    as_ann: CheckedClient, as_bob: CheckedClient, run: Run
) -> None:
    assert as_ann.get(BOARD).json()["me"]["run"] == str(run.pk)
    assert as_bob.get(BOARD).json()["me"] is None
