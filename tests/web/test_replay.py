"""The replay of a run: for everybody once its day is settled, for its player at once."""

import json
import re
from itertools import pairwise
from uuid import uuid4

import pytest
from django.test import Client

from daily.models import Challenge, Run
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import FrozenClock, greedy_log, make_player, started
from web.replays import tell

pytestmark = pytest.mark.django_db


def played(player: Player, log: list[str]) -> Run:
    run, _ = submit_run(player=player, attempt_id=started(player).pk, log=log)
    return run


def settle(clock: FrozenClock) -> None:
    clock.advance(days=2)
    assert settle_due(clock.moment)


def page_of(client: Client, run: Run, status: int = 200) -> str:
    response = client.get(f"/runs/{run.pk}/replay/")
    assert response.status_code == status
    assert "no-cache" in response["Cache-Control"]
    return response.content.decode()


def data_in(page: str) -> dict[str, object]:
    [text] = re.findall(r'<script id="replay-data" type="application/json">(.*?)</script>', page)
    data: dict[str, object] = json.loads(text)
    return data


def test_a_settled_run_is_there_for_everybody_with_deck_and_best_line(
    client: Client, clock: FrozenClock, challenge: Challenge, ann: Player
) -> None:
    challenge.best_clear, challenge.best_line_text = 4, " ".join(greedy_log(challenge, 4))
    challenge.save()
    run = played(ann, greedy_log(challenge, 6))
    settle(clock)
    page = page_of(client, run)
    assert data_in(page) == {
        "day": "2026-11-30",
        "rules": data_in(page)["rules"],
        "log": run.log,
        "deck": challenge.deck,
        "best": challenge.best_line,
    }
    assert page.count('<svg class="table-picture"') == 2
    assert len(re.findall(r'<li id="move=\d+"', page)) == len(run.log)
    assert page.count('href="#best=') == len(challenge.best_line)


def test_another_players_run_of_an_open_day_says_when_it_can_be_seen(
    client: Client, challenge: Challenge, ann: Player, bob: Player
) -> None:
    run = played(ann, greedy_log(challenge, 6))
    client.force_login(bob)
    page = page_of(client, run, status=403)
    assert "from 01:01 UTC on 1 December 2026" in page
    assert run.log[0] not in page
    assert "replay-data" not in page


def test_ones_own_run_of_an_open_day_is_told_without_the_deal(
    client: Client, challenge: Challenge, ann: Player
) -> None:
    run = played(ann, ["D", *greedy_log(challenge, 2)])
    client.force_login(ann)
    page = page_of(client, run)
    data = data_in(page)
    assert (data["log"], data["deck"], data["best"]) == (run.log, None, [])
    assert '<span class="words">draw</span>' in page
    assert "table-picture" not in page
    assert "best-table" not in page


def test_the_viewer_of_an_own_run_can_ask_the_api_for_the_deal(
    client: Client, challenge: Challenge, ann: Player
) -> None:
    run = played(ann, ["D"])
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    page_of(client, run)
    token = client.cookies["csrftoken"].value
    answer = client.post(
        "/api/v1/challenges/2026-11-30/attempts/",
        "{}",
        content_type="application/json",
        headers={"x-csrftoken": token},
    )
    assert (answer.status_code, answer.json()["deck"]) == (200, challenge.deck)


def test_who_only_looks_gets_no_cookie(
    client: Client, clock: FrozenClock, challenge: Challenge, ann: Player
) -> None:
    run = played(ann, ["D"])
    settle(clock)
    page_of(client, run)
    assert not client.cookies


def test_what_was_taken_back_is_shown_so(challenge: Challenge) -> None:
    moves = tell(challenge.deal, challenge.ruleset, ["D", "D", "U", "U", "D"], names_drawn=False)
    assert [move.words for move in moves] == ["draw", "draw", "undo", "undo", "draw"]
    assert [move.is_undone for move in moves] == [True, True, False, False, False]
    assert [move.is_undo for move in moves] == [False, False, True, True, False]


def test_drawn_cards_and_passes_are_named_where_the_deal_may_be_told(challenge: Challenge) -> None:
    moves = tell(challenge.deal, challenge.ruleset, [*["D"] * 24, "R"], names_drawn=True)
    last = challenge.deal.stock[-1]
    assert moves[23].words.startswith(f"draw {str(last)[0].replace('T', '10')}")
    assert moves[24].words == "redeal, pass 2"


def test_each_move_tells_what_is_cleared_by_then(challenge: Challenge) -> None:
    log = greedy_log(challenge, 5)
    moves = tell(challenge.deal, challenge.ruleset, log, names_drawn=True)
    assert moves[-1].cleared >= 5
    cleared = [0, *(move.cleared for move in moves)]
    assert [move.has_cleared for move in moves] == [after > before for before, after in pairwise(cleared)]


def test_a_run_without_a_move_has_a_replay(
    client: Client, clock: FrozenClock, challenge: Challenge, ann: Player
) -> None:
    run = played(ann, [])
    settle(clock)
    assert "No move was made." in page_of(client, run)


def test_a_name_is_shown_and_does_nothing(client: Client, clock: FrozenClock, challenge: Challenge) -> None:
    run = played(make_player("<script>x"), ["D"])
    settle(clock)
    page = page_of(client, run)
    assert "<script>x" not in page
    assert "<bdi>&lt;script&gt;x</bdi>" in page


def test_an_unknown_run_has_no_replay(client: Client) -> None:
    assert client.get(f"/runs/{uuid4()}/replay/").status_code == 404
