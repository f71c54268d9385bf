"""Practice in a browser: deals of all kinds, what is kept and counted, and what goes wrong harmlessly."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from daily.models import Challenge
from games.pyramid import Board, Deal, Rules
from games.pyramid.solver import best_clear
from leaderboard.settling import settle_due
from tests.cast import DAY, FrozenClock, make_challenge
from tests.web.browser.accessibility import Axe
from tests.web.browser.hands import rush, settle
from tests.web.browser.watch import NewContext, Watch

pytestmark = pytest.mark.django_db(transaction=True)

CODE = "PYR1-0000-0000-0000-0017"
"""Deal 1."""
WIN = best_clear(Deal.from_number(1), Rules.named("endless")).log
FIRST, OTHER = "Four of spades", "Six of spades"
"""The apex of deal 1, and that of deal 2."""
NONE = "\N{EN DASH}"
RANDOM = re.compile(r"\?deal=PYR1(-[0-9A-Z]{4}){4}&rules=")


def open_practice(page: Page, query: str = f"?deal={CODE}") -> Page:
    page.goto(f"/practice/{query}")
    expect(page.locator(".card.is-in-play").first).to_be_visible()
    return page


def apex(page: Page, name: str) -> None:
    """See that the deal with this apex lies on the table."""
    expect(page.locator(".card").first).to_have_attribute("aria-label", re.compile(f"^{name}, row 1,"))


def moves(page: Page, number: int) -> None:
    expect(page.locator('[data-figure="moves"]')).to_have_text(str(number))


def new_deal(page: Page) -> None:
    page.get_by_role("button", name="New deal").first.click()
    page.get_by_role("button", name="Random deal").click()
    moves(page, 0)


def statistics(page: Page) -> dict[str, str]:
    """What the dialog says of the rules that are played."""
    page.get_by_role("button", name="Statistics").click()
    figures = page.locator("[data-statistic]").evaluate_all(
        "(slots) => Object.fromEntries(slots.map((slot) => [slot.dataset.statistic, slot.textContent]))"
    )
    page.keyboard.press("Escape")
    assert isinstance(figures, dict)
    return figures


def holds(figures: Mapping[str, str], **expected: str) -> None:
    assert {name: figures[name] for name in expected} == expected


def stored(page: Page, key: str) -> Any:
    return json.loads(page.evaluate("(key) => localStorage.getItem(key)", key))


def test_a_first_visit_deals_at_random_and_names_the_deal(new_context: NewContext) -> None:
    addresses = set()
    for page in (new_context().new_page(), new_context().new_page()):
        open_practice(page, "")
        expect(page).to_have_url(RANDOM)
        addresses.add(page.url)
    assert len(addresses) == 2


@pytest.mark.parametrize("named", [CODE, "pyr1-oooo-oooo-oooo-ooi7", " 1 "])
def test_a_deal_is_had_by_code_or_number(page: Page, named: str) -> None:
    open_practice(page, "?deal=2")
    apex(page, OTHER)
    page.get_by_role("button", name="New deal").click()
    page.get_by_label("A deal by its code or number").fill(named)
    page.keyboard.press("Enter")
    apex(page, FIRST)
    expect(page).to_have_url(re.compile(rf"\?deal={CODE}&rules=endless$"))


def test_a_link_names_deal_and_rules(page: Page) -> None:
    open_practice(page, f"?deal={CODE}&rules=strict")
    apex(page, FIRST)
    expect(page.locator("#deal-line")).to_have_text(f"Strict · {CODE}")
    page.get_by_role("button", name="New deal").click()
    expect(page.get_by_label("A link to the deal on the table")).to_have_value(page.url)


def test_the_link_can_be_copied(new_context: NewContext, base_url: str) -> None:
    context = new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=base_url)
    page = open_practice(context.new_page())
    page.get_by_role("button", name="New deal").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("PYR1-0000-0000-0000-0018", "The deal code has a typing error: its last symbol does not fit."),
        ("PYR2-0000", "A deal code looks like PYR1-0000-0000-0000-0017."),
        ("0", "A deal's number is a whole number from 1 to 9007199254740991."),
        ("9007199254740992", "A deal's number is a whole number from 1 to 9007199254740991."),
        ("", "Write a deal code or a number here."),
    ],
)
def test_a_wrong_code_or_number_says_what_is_wrong_and_loses_nothing(
    page: Page, named: str, why: str
) -> None:
    open_practice(page)
    rush(page, WIN[:2])
    page.get_by_role("button", name="New deal").click()
    page.get_by_label("A deal by its code or number").fill(named)
    page.get_by_role("button", name="Play it").first.click()
    expect(page.locator("#named-problem")).to_have_text(why)
    page.keyboard.press("Escape")
    moves(page, 2)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("?deal=PYR1-0000-0000-0000-0018", "The deal code has a typing error: its last symbol does not fit."),
        ("?deal=2&rules=mine", "There is no rule set “mine”."),
        ("?deal=%3Cscript%3E", "A deal code looks like PYR1-0000-0000-0000-0017."),
    ],
)
def test_a_wrong_link_says_what_is_wrong_and_goes_on_with_what_was_there(
    page: Page, query: str, why: str
) -> None:
    open_practice(page)
    rush(page, WIN[:2])
    open_practice(page, query)
    expect(page.get_by_role("alert").get_by_text(why)).to_be_visible()
    apex(page, FIRST)
    moves(page, 2)
    page.get_by_role("button", name="Close this message").click()
    expect(page.locator("#problem")).to_be_hidden()


def test_a_deal_is_there_again_after_a_reload(page: Page) -> None:
    open_practice(page)
    rush(page, WIN[:10])
    page.reload()
    moves(page, 10)
    rush(page, WIN[10:])
    expect(page.locator(".outcome").get_by_role("heading")).to_have_text("Won: the pyramid is gone")


def test_another_link_does_not_take_a_started_deal_away_unasked(page: Page) -> None:
    open_practice(page)
    rush(page, WIN[:2])
    open_practice(page, "?deal=2")
    dialog = page.get_by_role("dialog", name="Leave your deal?")
    dialog.get_by_role("button", name="Go on with mine").click()
    moves(page, 2)
    open_practice(page, "?deal=2")
    dialog.get_by_role("button", name="Play the link's deal").click()
    apex(page, OTHER)
    holds(statistics(page), played="1", won="0")


def test_rules_alone_in_the_address_are_played(page: Page) -> None:
    open_practice(page, "?rules=open-stock")
    expect(page).to_have_url(re.compile(r"&rules=open-stock$"))
    rush(page, ["D"])
    open_practice(page, "?rules=open-stock")
    moves(page, 1)


def test_the_same_deal_can_be_played_by_other_rules(page: Page) -> None:
    open_practice(page)
    page.get_by_role("button", name="New deal").click()
    page.get_by_label("Rules").first.select_option("Strict")
    expect(page.get_by_text("A single trip with the next stock card in play")).to_be_visible()
    page.get_by_role("button", name="This deal by these rules").click()
    expect(page.locator("#deal-line")).to_have_text(f"Strict · {CODE}")
    apex(page, FIRST)


def test_a_win_is_counted_once_however_often_the_deal_is_started_over(page: Page) -> None:
    open_practice(page)
    for _ in range(2):
        rush(page, WIN)
        expect(page.locator(".outcome")).to_be_visible()
        holds(statistics(page), played="1", won="1", rate="100%", fewest=str(len(WIN)), streak="1")
        page.locator(".outcome").get_by_role("button", name="Start over").click()
        moves(page, 0)
    new_deal(page)
    holds(statistics(page), played="1", won="1")


def test_a_started_deal_that_is_left_is_lost(page: Page) -> None:
    open_practice(page)
    rush(page, WIN)
    new_deal(page)
    holds(statistics(page), played="1", won="1", streak="1")
    rush(page, ["D"])
    page.get_by_role("button", name="New deal").click()
    expect(page.get_by_text("counts as lost when you leave it")).to_be_visible()
    page.keyboard.press("Escape")
    new_deal(page)
    holds(statistics(page), played="2", won="1", rate="50%", streak="0", longest="1")


def test_a_deal_without_a_move_is_not_counted_when_it_is_left(page: Page) -> None:
    open_practice(page)
    new_deal(page)
    new_deal(page)
    holds(statistics(page), played="0", won="0", rate=NONE, best=NONE, fewest=NONE)


def test_a_deal_that_was_started_over_is_still_lost_when_left(page: Page) -> None:
    open_practice(page)
    rush(page, WIN[:3])
    page.get_by_role("button", name="Restart").click()
    page.get_by_role("button", name="Start over").click()
    moves(page, 0)
    new_deal(page)
    holds(statistics(page), played="1", won="0")


def test_a_restart_is_asked_about_in_the_middle_of_a_deal(page: Page) -> None:
    open_practice(page)
    rush(page, WIN[:3])
    page.get_by_role("button", name="Restart").click()
    page.get_by_role("button", name="Play on").click()
    moves(page, 3)


def test_each_rule_set_has_statistics_of_its_own_and_all_can_be_reset(page: Page) -> None:
    open_practice(page)
    rush(page, ["D"])
    open_practice(page, f"?deal={CODE}&rules=strict")
    page.get_by_role("button", name="Play the link's deal").click()
    holds(statistics(page), played="0")
    page.get_by_role("button", name="Statistics").click()
    page.locator("#statistics-rules").select_option("endless")
    expect(page.locator('[data-statistic="played"]')).to_have_text("1")
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Keep them").click()
    expect(page.locator('[data-statistic="played"]')).to_have_text("1")
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Erase them").click()
    expect(page.locator('[data-statistic="played"]')).to_have_text("0")


def test_best_time_and_fewest_moves_are_told_at_the_end(page: Page) -> None:
    best = {
        "played": 4,
        "won": 2,
        "bestMs": 3_600_000,
        "fewestMoves": 200,
        "streak": 1,
        "longestStreak": 2,
    }
    page.add_init_script(f"localStorage['pyramid-statistics'] = '{json.dumps({'endless': best})}'")
    open_practice(page)
    rush(page, WIN)
    expect(page.locator(".outcome")).to_contain_text(
        "Your best time by these rules. Your fewest moves. 2 wins in a row."
    )


def test_the_clock_starts_with_the_first_move_and_stands_still_in_a_pause(page: Page) -> None:
    page.clock.install()
    open_practice(page)
    time = page.locator('[data-figure="time"]')
    page.clock.run_for(5_000)
    expect(time).to_have_text("0:00")
    rush(page, ["D"])
    page.clock.run_for(65_000)
    expect(time).to_have_text("1:05")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".card:visible")).to_have_count(0)
    page.clock.run_for(60_000)
    expect(time).to_have_text("1:05")
    page.keyboard.press("d")
    moves(page, 1)
    page.get_by_role("button", name="Go on").click()
    page.clock.run_for(2_000)
    expect(time).to_have_text("1:07")
    page.reload()
    expect(time).to_have_text("1:07")


def test_points_and_the_bonus_for_time_are_told(page: Page) -> None:
    log = best_clear(Deal.from_number(1), Rules.named("cover-pairs")).log
    board = Board(Deal.from_number(1), Rules.named("cover-pairs"))
    for move in log:
        board.play(move)
    page.clock.install()
    open_practice(page, f"?deal={CODE}&rules=cover-pairs")
    for move in log:
        rush(page, [move])
        page.clock.run_for(50)
    told = page.locator(".outcome").get_by_text(re.compile(r"\d+ points, \d+ of them for time\."))
    expect(told).to_be_visible()
    total, bonus = re.findall(r"(\d+) points, (\d+)", told.inner_text())[0]
    assert int(total) - int(bonus) == board.points
    assert 850 < int(bonus) <= 900


def test_how_much_could_be_cleared_is_told_on_demand(page: Page) -> None:
    get_stuck(page)
    page.get_by_role("button", name="How much could be cleared?").click()
    best = best_clear(Deal.from_number(1), Rules.named("one-pass")).cleared
    expect(page.locator(".outcome")).to_contain_text(f"No play clears more than {best} of 28.")


@pytest.mark.parametrize(
    ("status", "told"),
    [(404, "Nothing can be told of this deal for now."), (429, "Wait a minute."), (0, "cannot be reached")],
)
def test_a_server_that_does_not_tell_the_best_is_no_harm(
    page: Page, watch: Watch, status: int, told: str
) -> None:
    watch.allow("status of 4", "ERR_FAILED")
    body = json.dumps({"status": status, "code": "throttled", "detail": "Wait a minute."})

    def answer(route: Route) -> None:
        if status:
            route.fulfill(status=status, body=body, content_type="application/problem+json")
        else:
            route.abort()

    page.route("**/api/v1/deals/**", answer)
    get_stuck(page)
    page.get_by_role("button", name="How much could be cleared?").click()
    expect(page.locator(".outcome")).to_contain_text(told)
    page.unroute("**/api/v1/deals/**")
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".outcome")).to_contain_text("of 28.")


def get_stuck(page: Page) -> None:
    """Play deal 1 by one pass as far as drawing goes."""
    open_practice(page, f"?deal={CODE}&rules=one-pass")
    board, log = Board(Deal.from_number(1), Rules.named("one-pass")), list[str]()
    while not board.is_stuck:
        log.append(str(board.play(board.legal_moves[-1])))
    rush(page, log)


def test_the_deal_of_a_settled_day_is_played_and_kept(page: Page, clock: FrozenClock) -> None:
    challenge: Challenge = make_challenge(DAY)
    clock.advance(days=2)
    settle_due(clock.moment)
    open_practice(page, f"?day={DAY}")
    expect(page.locator("#deal-line")).to_have_text(f"Endless · Deal of {DAY}")
    first, *_ = challenge.deck.split()
    expect(page.locator(".card").first).to_have_attribute("data-card", first)
    rush(page, ["D"])
    open_practice(page, "")
    moves(page, 1)
    expect(page.locator("#deal-line")).to_have_text(f"Endless · Deal of {DAY}")


def test_the_deal_of_an_open_day_is_refused_and_another_is_there_to_play(
    page: Page, clock: FrozenClock
) -> None:
    make_challenge(DAY)
    open_practice(page, f"?day={DAY}")
    expect(page.get_by_text("That day is being played.")).to_be_visible()
    rush(page, ["D"])


SPOILT = [
    "nonsense",
    "null",
    "[]",
    '{"deck": 5}',
    json.dumps({"deck": "KS " * 51 + "KS", "code": None, "day": None, "best": None, "rules": "endless",
                "log": [], "elapsedMs": 0, "isStarted": False, "isCounted": False}),
    json.dumps({"deck": Deal.from_number(1).deck, "code": CODE, "day": None, "best": None, "rules": "gone",
                "log": [], "elapsedMs": 0, "isStarted": False, "isCounted": False}),
    json.dumps({"deck": Deal.from_number(1).deck, "code": CODE, "day": None, "best": None,
                "rules": "endless", "log": ["R"], "elapsedMs": 0, "isStarted": True, "isCounted": False}),
]  # fmt: skip


@pytest.mark.parametrize("kept", SPOILT)
def test_what_cannot_be_read_is_passed_over(page: Page, kept: str) -> None:
    spoil = """(kept) => {
      for (const name of ["practice", "statistics", "options"]) localStorage.setItem(`pyramid-${name}`, kept);
    }"""
    page.goto("/rules/")
    page.evaluate(spoil, kept)
    open_practice(page)
    rush(page, ["D"])
    holds(statistics(page), played="0")
    new_deal(page)
    holds(statistics(page), played="1", won="0")


@pytest.mark.parametrize("how", ["get: null", "get localStorage() { throw new DOMException('no') }"])
def test_a_browser_that_keeps_nothing_can_be_played_in(page: Page, how: str) -> None:
    broken = {
        "get: null": "Storage.prototype.getItem = Storage.prototype.setItem = () => {"
        " throw new DOMException('full', 'QuotaExceededError'); };",
    }.get(how, "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } });")
    page.add_init_script(broken)
    open_practice(page)
    rush(page, WIN)
    expect(page.locator(".outcome")).to_be_visible()
    new_deal(page)


def test_a_browser_without_a_secure_page_still_deals(page: Page) -> None:
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });")
    open_practice(page, "")
    expect(page.locator("#deal-line")).to_have_text("Endless · A deal without a code")
    rush(page, ["D"])
    page.get_by_role("button", name="New deal").click()
    page.get_by_label("A deal by its code or number").fill(CODE)
    page.keyboard.press("Enter")
    expect(page.locator("#named-problem")).to_contain_text("needs a secure connection")


def test_what_is_kept_is_small(page: Page) -> None:
    open_practice(page)
    rush(page, WIN[:5])
    assert stored(page, "pyramid-practice")["log"] == list(WIN[:5])
    assert len(json.dumps(stored(page, "pyramid-practice"))) < 600


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_table_and_its_dialogs(new_context: NewContext, axe: Axe, scheme: str) -> None:
    page = new_context(color_scheme=scheme, viewport={"width": 390, "height": 844}).new_page()
    open_practice(page)
    rush(page, WIN[:20])
    axe(page)
    for name in ("Options", "How to play", "New deal", "Statistics", "Restart"):
        page.get_by_role("button", name=name).click()
        axe(page)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Pause").click()
    axe(page)
    page.get_by_role("button", name="Go on").click()
    page.locator('[data-card="4S"]').click()
    expect(page.locator(".table-status")).to_contain_text("is still covered by")
    axe(page)
    rush(page, WIN[20:])
    settle(page)
    axe(page)
