"""Rule sets, deals to practise on, and the judge for client developers."""

from itertools import chain
from typing import Any

import pytest

from api.views import games
from daily.models import Challenge
from games.pyramid import RULES, Deal, replay
from games.pyramid.difficulty import difficulty
from games.pyramid.solver import best_clear
from tests.api.conftest import CheckedClient
from tests.api.test_challenges import settle
from tests.cast import FrozenClock, greedy_log

pytestmark = pytest.mark.django_db
REPLAY = "/api/v1/replay/"


def test_every_rule_set_is_told(api: CheckedClient) -> None:
    listed = api.get("/api/v1/rules/").json()["results"]
    assert [rules["slug"] for rules in listed] == list(RULES)
    assert all(api.get(f"/api/v1/rules/{rules['slug']}/").json() == rules for rules in listed)


def test_an_unknown_rule_set_is_a_404(api: CheckedClient) -> None:
    assert api.get("/api/v1/rules/solitaire/").json()["code"] == "not_found"


@pytest.mark.parametrize("name", ["PYR1-0000-0000-0000-0017", "pyr1oooooooooooooo17", "1"])
def test_a_deal_is_found_by_code_and_number(api: CheckedClient, name: str) -> None:
    deal = api.get(f"/api/v1/deals/{name}/").json()
    assert deal["code"] == "PYR1-0000-0000-0000-0017"
    assert deal["deck"] == Deal.from_number(1).deck
    assert [len(row) for row in deal["pyramid"]] == [1, 2, 3, 4, 5, 6, 7]
    assert " ".join([*chain.from_iterable(deal["pyramid"]), *deal["stock"]]) == deal["deck"]
    assert (deal["rules"], deal["waste"]) == ("endless", [])


def test_a_deal_is_solved_as_the_rules_say(api: CheckedClient) -> None:
    for slug, rules in RULES.items():
        deal = api.get(f"/api/v1/deals/1/?rules={slug}").json()
        best = best_clear(Deal.from_number(1), rules)
        assert (deal["best_clear"], deal["proven"]) == (best.cleared, True)
        assert deal["difficulty"] == difficulty(Deal.from_number(1), rules, best=best.cleared)


def test_a_deal_that_takes_too_long_is_not_proven(
    api: CheckedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SOLVER_NODES", 1)
    games.solution.cache_clear()
    deal = api.get("/api/v1/deals/1/?rules=strict").json()
    assert deal["proven"] is False
    games.solution.cache_clear()


def test_a_deal_is_solved_once(api: CheckedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = api.get("/api/v1/deals/2/").json()
    monkeypatch.delattr(games, "best_clear")
    assert api.get("/api/v1/deals/2/").json() == first


def test_solving_has_a_limit_of_its_own(api: CheckedClient) -> None:
    assert api.get("/api/v1/deals/1/").headers["RateLimit-Policy"].startswith('"solve";')
    assert api.head("/api/v1/deals/1/").headers["RateLimit"].startswith('"solve";r=28;')


def test_a_deal_is_laid_out_as_the_rules_say(api: CheckedClient) -> None:
    deal = api.get("/api/v1/deals/1/?rules=pyramide").json()
    assert (len(deal["stock"]), len(deal["waste"])) == (23, 1)


@pytest.mark.parametrize(
    "name", ["PYR1-0000-0000-0000-0018", "0", "9007199254740992", "x", "9" * 3000, "٣", "1_0", "+1", "AC 2C"]
)
def test_no_deal_of_that_name_is_a_404(api: CheckedClient, name: str) -> None:
    assert api.get(f"/api/v1/deals/{name}/").json()["code"] == "not_found"


def test_the_deal_of_a_day_is_hidden_until_it_is_settled(
    api: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    address = f"/api/v1/deals/{challenge.code}/"
    assert api.get(address).json() == api.get("/api/v1/nothing/").json()
    settle(challenge, clock)
    assert api.get(address).json()["deck"] == challenge.deck


@pytest.mark.parametrize("rules", ["x", "Endless", ""])
def test_a_deal_needs_known_rules(api: CheckedClient, rules: str) -> None:
    response = api.get(f"/api/v1/deals/1/?rules={rules}")
    assert response.status_code == 400
    assert response.json()["code"] == "bad_parameter"


@pytest.mark.parametrize(
    "deal",
    [{"number": 1}, {"code": "PYR1-0000-0000-0000-0017"}, {"deck": Deal.from_number(1).deck}],
    ids=repr,
)
def test_a_log_is_judged_on_any_deal(api: CheckedClient, deal: dict[str, Any]) -> None:
    log = ["D", "D", "U"]
    outcome = api.post(REPLAY, {**deal, "rules": "three-pass", "log": log}).json()
    assert outcome == replay(Deal.from_number(1), RULES["three-pass"], log).as_dict()


def test_a_dry_run_stores_nothing_and_needs_nobody(
    api: CheckedClient, challenge: Challenge, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        log = greedy_log(challenge, 4)
        assert api.post(REPLAY, {"deck": challenge.deck, "rules": "endless", "log": log}).status_code == 200


def test_an_illegal_move_is_told_as_in_earnest(api: CheckedClient) -> None:
    response = api.post(REPLAY, {"number": 1, "rules": "endless", "log": ["D", "R"]})
    assert response.status_code == 422
    assert (response.json()["move_index"], response.json()["reason"]) == (1, "stock_not_empty")


@pytest.mark.parametrize(
    ("deal", "pointer", "code"),
    [
        ({"code": "PYR1-0000-0000-0000-0018"}, "/code", "bad_check_symbol"),
        ({"code": "hello"}, "/code", "malformed_code"),
        ({"number": 0}, "/number", "bad_number"),
        ({"number": 2**53}, "/number", "bad_number"),
        ({"deck": "AC 2C"}, "/deck", "wrong_card_count"),
        ({"deck": "AC " * 51 + "AC"}, "/deck", "duplicate_card"),
        ({"deck": "🂡"}, "/deck", "malformed_deck"),
    ],
)
def test_a_bad_deal_is_pointed_at(api: CheckedClient, deal: dict[str, Any], pointer: str, code: str) -> None:
    problem = api.post(REPLAY, {**deal, "rules": "endless", "log": []}).json()
    assert problem["code"] == "bad_deal"
    assert (problem["errors"][0]["pointer"], problem["errors"][0]["code"]) == (pointer, code)


@pytest.mark.parametrize("number", ["1", 1.0, True, None, [1]])
def test_a_number_is_an_integer(api: CheckedClient, number: Any) -> None:
    problem = api.post(REPLAY, {"number": number, "rules": "endless", "log": []}).json()
    assert problem["errors"][0]["pointer"] == "/number"


@pytest.mark.parametrize("deal", [{}, {"number": 1, "code": "PYR1-0000-0000-0000-0017"}], ids=["none", "two"])
def test_a_dry_run_has_one_deal(api: CheckedClient, deal: dict[str, Any]) -> None:
    problem = api.post(REPLAY, {**deal, "rules": "endless", "log": []}).json()
    assert problem["errors"] == [
        {
            "pointer": "",
            "code": "one_deal",
            "detail": "Name the deal by exactly one of code, number and deck.",
        }
    ]


def test_a_dry_run_has_known_rules(api: CheckedClient) -> None:
    problem = api.post(REPLAY, {"number": 1, "rules": "x", "log": []}).json()
    assert problem["code"] == "unknown_rules"
    assert problem["errors"][0]["pointer"] == "/rules"
