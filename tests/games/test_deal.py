import json
import pickle
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import FULL_DECK
from games.pyramid import BadDeal, Deal

VECTORS = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "deals.jsonl").read_text().splitlines()
]
CODE = "PYR1-XRBY-YA4F-X07N-Z4NX"
DECK = " ".join(map(str, FULL_DECK))


def refusal(read: Any, text: object) -> str:
    with pytest.raises(BadDeal) as refused:
        read(text)
    assert refused.value.text is text
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200
    return refused.value.code


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["code"])
def test_codes_deal_the_golden_decks(vector: dict[str, Any]) -> None:
    deal = Deal.from_code(vector["code"])
    assert (deal.deck, deal.code) == (vector["deck"], vector["code"])


@pytest.mark.parametrize(
    "vector", [vector for vector in VECTORS if "number" in vector], ids=lambda v: str(v["number"])
)
def test_numbers_deal_the_golden_decks(vector: dict[str, Any]) -> None:
    deal = Deal.from_number(vector["number"])
    assert (deal.deck, deal.code) == (vector["deck"], vector["code"])


@pytest.mark.parametrize(
    "text",
    [
        CODE.lower(),
        CODE.replace("-", ""),
        "pyr1xrby-ya4fx07n-z4nx",
        CODE.replace("0", "O"),
        CODE.replace("0", "o"),
    ],
)
def test_a_code_is_read_forgivingly_and_written_canonically(text: str) -> None:
    assert Deal.from_code(text).code == CODE


@pytest.mark.parametrize("text", ["PYRI-OOOO-oooo-0000-0OL7", "pyrl00000000000000i7"])
def test_i_and_l_are_read_as_1(text: str) -> None:
    assert Deal.from_code(text) == Deal.from_number(1)


@pytest.mark.parametrize(
    "text",
    [
        "", "PYR1", CODE[5:], CODE + "0", CODE[:-1], CODE + " ", " " + CODE, CODE + "\n",
        CODE.replace("X", "U"), CODE.replace("-", "_"), CODE.replace("-", "--"), CODE.replace("PYR1", "PYR2"),
        CODE.replace("0", "\u0660"), CODE.replace("X", "\uff38"), "pyr\u0131" + CODE[4:],
        "PY-R1XRBYYA4FX07NZ4NX", "X" * 10**6, "\ud800" * 24,
        None, 5, True, b"PYR1-XRBY-YA4F-X07N-Z4NX", [CODE],
    ],
    ids=count(),
)  # fmt: skip
def test_what_does_not_look_like_a_code_is_malformed(text: object) -> None:
    assert refusal(Deal.from_code, text) == "malformed_code"


@pytest.mark.parametrize(
    "text", ["PYR1-XRBY-YA4F-X07N-Z4NY", "PYR1-XRBY-YA4F-X07M-Z4NX", "PYR1-XRBY-YA4F-X0N7-Z4NX"]
)
def test_a_typing_error_shows_in_the_check_symbol(text: str) -> None:
    assert refusal(Deal.from_code, text) == "bad_check_symbol"


@pytest.mark.parametrize(
    "number",
    [
        0,
        -1,
        2**53,
        10**5000,
        -(10**5000),
        1.0,
        float("nan"),
        float("inf"),
        True,
        "1",
        "\u0663",
        "1_0",
        None,
        [1],
    ],
    ids=count(),
)
def test_only_whole_numbers_from_1_to_2_to_the_53_minus_1_are_deals(number: object) -> None:
    assert refusal(Deal.from_number, number) == "bad_number"


def test_the_largest_number_has_its_digits_in_base_32_in_its_code() -> None:
    code = Deal.from_number(2**53 - 1).code
    assert code is not None
    assert code.startswith("PYR1-0000-7ZZZ-ZZZZ-ZZZ")


@given(st.integers(1, 2**53 - 1))
def test_a_numbered_deal_reads_itself_back_from_code_deck_and_repr(number: int) -> None:
    deal = Deal.from_number(number)
    assert deal.code is not None
    assert Deal.from_code(deal.code) == Deal.from_deck(deal.deck) == deal
    assert eval(repr(deal)).code == deal.code
    assert sorted(deal.cards) == list(FULL_DECK)


@given(st.permutations(FULL_DECK))
def test_any_order_of_the_cards_is_a_deal_without_a_code(cards: list[Any]) -> None:
    text = " ".join(map(str, cards))
    deal = Deal.from_deck(text)
    assert (deal.code, deal.deck, deal.cards, str(deal)) == (None, text, tuple(cards), text)
    assert eval(repr(deal)) == deal


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "malformed_deck"),
        (DECK.lower(), "malformed_deck"),
        (DECK.replace(" ", "  "), "malformed_deck"),
        (DECK.replace(" ", ""), "malformed_deck"),
        (DECK.replace(" ", "\u00a0"), "malformed_deck"),
        (DECK + " ", "wrong_card_count"),
        (" " + DECK, "malformed_deck"),
        (DECK + "\n", "malformed_deck"),
        (DECK.replace("TC", "10C"), "malformed_deck"),
        (DECK.replace("TC", "T\ud800"), "malformed_deck"),
        (DECK + " AC", "wrong_card_count"),
        (DECK[:-3], "wrong_card_count"),
        (DECK.replace("KS", "AC"), "duplicate_card"),
        ("AC " * 10**6, "wrong_card_count"),
        (None, "malformed_deck"),
        (52, "malformed_deck"),
        (DECK.split(), "malformed_deck"),
    ],
    ids=count(),
)
def test_a_deck_that_is_not_52_different_cards_with_single_spaces_is_refused(text: object, code: str) -> None:
    assert refusal(Deal.from_deck, text) == code


def test_a_refused_deck_names_the_card_it_holds_twice() -> None:
    with pytest.raises(BadDeal, match="AC more than once"):
        Deal.from_deck(DECK.replace("KS", "AC"))


def test_deals_are_equal_by_their_cards_whatever_they_were_made_from() -> None:
    deal = Deal.from_number(1)
    assert Deal.from_deck(deal.deck) == deal
    assert hash(Deal.from_deck(deal.deck)) == hash(deal)
    assert Deal.from_number(2) != deal


def test_the_first_28_cards_are_the_pyramid_and_the_rest_is_the_stock() -> None:
    deal = Deal.from_deck(DECK)
    assert (deal.pyramid, deal.stock) == (FULL_DECK[:28], FULL_DECK[28:])


class CountingRandom(Random):
    """All bits set, and a note of how many were asked for."""

    bits = 0

    def getrandbits(self, k: int, /) -> int:
        self.bits = k
        return (1 << k) - 1


def test_a_random_deal_takes_75_bits_for_the_15_symbols_of_its_code() -> None:
    rng = CountingRandom()
    code = Deal.random(rng).code
    assert rng.bits == 75
    assert code is not None
    assert code[5:-1] == "ZZZZ-ZZZZ-ZZZZ-ZZZ"


def test_a_random_deal_depends_on_nothing_but_its_generator() -> None:
    assert Deal.random(Random(7)) == Deal.random(Random(7)) != Deal.random(Random(8))


def test_a_refused_deal_survives_a_pickle() -> None:
    with pytest.raises(BadDeal) as refused:
        Deal.from_code("nonsense")
    copy = pickle.loads(pickle.dumps(refused.value))
    assert (copy.code, copy.text, str(copy)) == ("malformed_code", "nonsense", str(refused.value))
