"""The browser's deals against the server's: the golden decks, what is read and refused, the commitment."""

import json
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from games.pyramid import BadDeal, Deal
from games.pyramid.commitment import commitment

VECTORS = [
    json.loads(line) for line in (Path(__file__).parents[2] / "data" / "deals.jsonl").read_text().splitlines()
]
CODE = "PYR1-XRBY-YA4F-X07N-Z4NX"

CALL = """async ([name, calls]) => {
  const deals = await import("/static/web/deals.js");
  const told = (error) => {
    if (!(error instanceof deals.BadCode)) throw error;
    return [error.code, error.message];
  };
  return Promise.all(calls.map((parameters) => deals[name](...parameters).catch(told)));
}"""


def called(page: Page, name: str, *calls: list[Any]) -> Any:
    """What the function of deals.js answers to each of these lists of parameters, or why it refuses."""
    page.goto("/static/web/deals.js")
    return page.evaluate(CALL, [name, list(calls)])


def refusal(read: Any, value: object) -> list[str]:
    with pytest.raises(BadDeal) as refused:
        read(value)
    return [refused.value.code, str(refused.value)]


def test_codes_deal_the_golden_decks(page: Page) -> None:
    codes = [[vector["code"]] for vector in VECTORS]
    assert called(page, "deckOf", *codes) == [vector["deck"] for vector in VECTORS]


def test_numbers_have_the_golden_codes(page: Page) -> None:
    numbered = [vector for vector in VECTORS if "number" in vector]
    numbers = [[vector["number"]] for vector in numbered]
    assert numbered
    assert called(page, "codeOfNumber", *numbers) == [vector["code"] for vector in numbered]


def test_random_numbers_name_the_deals_that_they_name_on_the_server(page: Page) -> None:
    rng = Random(0)
    deals = [(number, Deal.from_number(number)) for number in [1, 2**53 - 1, *rng.sample(range(2**53), 200)]]
    assert called(page, "codeOfNumber", *([number] for number, _ in deals)) == [
        deal.code for _, deal in deals
    ]
    assert called(page, "deckOf", *([deal.code] for _, deal in deals)) == [deal.deck for _, deal in deals]


@pytest.mark.parametrize("number", [0, -1, 1.5, 2**53, "12", None, True])
def test_what_is_no_number_of_a_deal_is_refused_in_the_same_words(page: Page, number: object) -> None:
    assert called(page, "codeOfNumber", [number]) == [refusal(Deal.from_number, number)]


READABLE = [
    CODE, CODE.lower(), CODE.replace("-", ""), "pyr1xrby-ya4fx07n-z4nx", CODE.replace("0", "O"),
    CODE.replace("0", "o"), "PYRI-OOOO-oooo-0000-0OL7", "pyrl00000000000000i7",
]  # fmt: skip
MALFORMED = [
    "", "PYR1", CODE[5:], CODE + "0", CODE[:-1], CODE + " ", " " + CODE, CODE + "\n", CODE.replace("X", "U"),
    CODE.replace("0", "\u0660"),
    CODE.replace("-", "_"), CODE.replace("-", "--"), CODE.replace("PYR1", "PYR2"),
    CODE.replace("X", "\uff38"), "pyr\u0131" + CODE[4:], "PY-R1XRBYYA4FX07NZ4NX", "X" * 10**5, None, 5,
]  # fmt: skip
MISTYPED = ["PYR1-XRBY-YA4F-X07N-Z4NY", "PYR1-XRBY-YA4F-X07M-Z4NX", "PYR1-XRBY-YA4F-X0N7-Z4NX"]


def test_a_code_is_read_forgivingly_and_written_canonically(page: Page) -> None:
    assert called(page, "readCode", *([text] for text in READABLE)) == [
        Deal.from_code(text).code for text in READABLE
    ]


def test_what_is_no_code_is_refused_in_the_same_words(page: Page) -> None:
    bad: list[Any] = [*MALFORMED, *MISTYPED]
    assert called(page, "readCode", *([text] for text in bad)) == [
        refusal(Deal.from_code, text) for text in bad
    ]


def test_random_codes_differ_and_can_be_read(page: Page) -> None:
    codes = called(page, "randomCode", *[[]] * 50)
    assert len(set(codes)) == 50
    assert [Deal.from_code(code).code for code in codes] == codes


def test_the_commitment_is_the_server_s(page: Page) -> None:
    deck = VECTORS[0]["deck"]
    right = commitment(day=date(2026, 11, 30), rules="endless", salt="00ff" * 8, deck=deck)
    assert called(page, "commitmentOf", ["2026-11-30", "endless", "00ff" * 8, deck]) == [right]


def test_without_a_secure_connection_dealing_says_what_is_missing(page: Page) -> None:
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.goto("/static/web/deals.js")
    told = page.evaluate(
        "import('/static/web/deals.js').then(({ randomCode }) => randomCode()).catch((error) => `${error}`)"
    )
    assert told == (
        "NotSecure: Dealing by code needs a secure connection: open this page by https, or on the machine"
        " itself by localhost."
    )
