"""The pages of the rules: their examples are what the engine makes of them."""

import re

import pytest
from django.test import Client

from games.pyramid import RULES, IllegalMove, Move
from web.rule_examples import BASICS, SPECIAL, Example

EXAMPLES = [*BASICS, *(example for examples in SPECIAL.values() for example in examples)]

pytestmark = pytest.mark.django_db


def outcome_of(example: Example) -> str:
    """What the engine makes of an example, in the words of its claim."""
    board = example.board.copy()
    if not example.move:
        return "won" if board.is_won else "stuck" if board.is_stuck else "open"
    try:
        board.play(example.move)
    except IllegalMove as refused:
        return refused.code
    return "allowed"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.rules}: {example.heading}")
def test_an_example_claims_what_the_engine_makes_of_it(example: Example) -> None:
    assert outcome_of(example) == example.claim


@pytest.mark.parametrize("slug", RULES)
def test_the_examples_of_a_rule_set_are_played_by_it(slug: str) -> None:
    assert {example.rules for example in SPECIAL[slug]} == {slug}


def test_an_example_gained_what_it_says() -> None:
    first_waste, pair = SPECIAL["pyramide"][:2]
    assert first_waste.verdict == "A♥ and Q♥ go together: 1 + 12 = 13. 10 points."
    assert pair.verdict == "7♠ and 6♣ go together: 7 + 6 = 13. 20 points."


def test_an_empty_pyramid_does_not_win_under_strict() -> None:
    [example] = [example for example in SPECIAL["strict"] if example.claim == "open"]
    assert example.board.cleared == 28
    assert example.verdict == "28 of 28 cleared, and the run goes on."


def test_the_cards_of_the_move_are_ringed_where_they_can_be_seen() -> None:
    for example in EXAMPLES:
        seen = Move.parse(example.move).cards if example.move else ()
        assert example.picture.count('class="ring"') == len(seen) - (example.claim == "in_stock")


def test_a_card_face_down_is_not_drawn() -> None:
    [example] = [example for example in EXAMPLES if example.claim == "in_stock"]
    assert f"card-{example.board.stock[1]}" not in example.picture


def test_the_rules_compare_all_seven_sets(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    for rules in RULES.values():
        assert f'<a href="/rules/{rules.slug}/">{rules.title}</a>' in page
    assert page.count('<figure class="example">') == len(BASICS)
    [cover_pairs] = re.findall(r"<tr>.*?/rules/cover-pairs/.*?</tr>", page)
    cells = re.findall(r'<td data-name="([^"]+)">([^<]*)</td>', cover_pairs)
    assert dict(cells) == {
        "Passes": "3",
        "First card": "stock 24",
        "Stock top in play": "no",
        "Cover pairs": "yes",
        "Won when": "the pyramid is gone",
        "Undo": "any, the move is given back",
        "Points": "10 a pair, 5 a king, on a win + a point for each second left of 900",
    }


@pytest.mark.parametrize("slug", RULES)
def test_each_rule_set_has_its_page(client: Client, slug: str) -> None:
    response = client.get(f"/rules/{slug}/")
    page = response.content.decode()
    assert response.status_code == 200
    assert RULES[slug].summary in page
    assert f'href="/practice/?rules={slug}"' in page
    for example in SPECIAL[slug]:
        assert example.verdict in page


def test_the_pages_of_the_rule_sets_lead_through_all_of_them(client: Client) -> None:
    seen = ["endless"]
    while len(seen) <= len(RULES):
        [following] = re.findall(
            r'href="/rules/([a-z-]+)/">Next', client.get(f"/rules/{seen[-1]}/").content.decode()
        )
        seen.append(following)
    assert seen == [*RULES, "endless"]


@pytest.mark.parametrize("slug", ["nothing", "Endless", "-"])
def test_an_unknown_rule_set_is_not_found(client: Client, slug: str) -> None:
    assert client.get(f"/rules/{slug}/").status_code == 404
