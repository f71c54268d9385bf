"""The table: every way of playing, what it says, how it fits; on the practice page, where any deal is."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from games.pyramid import Board, Deal, Rules
from games.pyramid.solver import best_clear
from tests.web.browser.hands import Hand, carry, drag, go_to, rush, settle, tap, use_keys
from tests.web.browser.watch import NewContext

PHONE, PHONE_ON_ITS_SIDE = {"width": 360, "height": 640}, {"width": 640, "height": 360}
SMALLEST, SMALLEST_ON_ITS_SIDE = {"width": 320, "height": 568}, {"width": 568, "height": 320}
TABLET, DESKTOP = {"width": 768, "height": 1024}, {"width": 1440, "height": 900}
STRICT_WIN = (
    "KH 5D8C KD D 9S4H D D D QSAC D D KS 6C7H TC3H 7S6D KC 4D9D QHAD D AHQC 8S5C D 8D5H D JC2C 6H7C 3STH 4S9H"
    " 5S8H QDAS 7D6S 2DJD 3CTS 4C9C 2SJS TD3D JH2H"
)
"""How deal 82 is won by the strict rules; the solver looks no further than the pyramid."""
WINS = {
    "endless": 1,
    "pyramide": 1,
    "three-pass": 1,
    "cover-pairs": 1,
    "open-stock": 1,
    "one-pass": 22,
    "strict": 82,
}
"""A deal for each rule set that can be won."""


def deal_of(number: int) -> Deal:
    return Deal.from_number(number)


def winning_log(rules: str) -> Sequence[str]:
    if rules == "strict":
        return STRICT_WIN.split()
    return best_clear(deal_of(WINS[rules]), Rules.named(rules)).log


def lay(page: Page, number: int = 12345, rules: str = "endless") -> Page:
    """Put a deal on the table of the page."""
    page.goto(f"/practice/?deal={number}&rules={rules}")
    expect(page.locator(".card.is-in-play").first).to_be_visible()
    return page


def card(page: Page, name: str) -> Locator:
    return page.locator(f'[data-card="{name}"]')


def touch(page: Page, log: Sequence[str]) -> None:
    """Tap the visible corner of each card, and the stock."""
    for move in log:
        if len(move) == 1:
            page.locator('[data-do="undo"]' if move == "U" else ".pile").click()
        for start in range(0, len(move) if len(move) > 1 else 0, 2):
            card(page, move[start : start + 2]).click(position={"x": 9, "y": 9})


def status(page: Page) -> Locator:
    return page.locator(".table-status")


def figure(page: Page, name: str) -> Locator:
    return page.locator(f'[data-figure="{name}"]')


def choose(page: Page, **options: bool) -> None:
    """Set options in their dialog."""
    page.get_by_role("button", name="Options").click()
    for name, is_on in options.items():
        page.locator(f'input[name="{name}"]').set_checked(is_on)
    page.get_by_role("button", name="Done").click()


# Deal 12345 has 6S 7H TC KD QC 2H JH in its last row, and 3S TH KC 6D 7C QS above them.


@pytest.mark.parametrize("rules", WINS)
def test_each_rule_set_can_be_played_to_the_win(page: Page, rules: str) -> None:
    lay(page, WINS[rules], rules)
    rush(page, winning_log(rules))
    expect(status(page)).to_contain_text("You have won!")
    expect(figure(page, "cleared")).to_have_text("28")


@pytest.mark.parametrize("hand", [tap, drag, use_keys])
def test_a_deal_can_be_won_by_any_hand(page: Page, hand: Hand) -> None:
    lay(page, WINS["endless"])
    hand(page, winning_log("endless"))
    expect(status(page)).to_contain_text("You have won!")


def test_the_table_shows_what_the_engine_says_at_every_move(page: Page) -> None:
    lay(page, WINS["cover-pairs"], "cover-pairs")
    board = Board(deal_of(WINS["cover-pairs"]), Rules.named("cover-pairs"))
    for move in winning_log("cover-pairs")[:30]:
        board.play(move)
        rush(page, [move])
        expect(figure(page, "moves")).to_have_text(str(board.moves))
        expect(figure(page, "cleared")).to_have_text(str(board.cleared))
        expect(figure(page, "points")).to_have_text(str(board.points))
        expect(page.locator(".pile-count")).to_have_text(str(len(board.stock)))
        in_play = page.locator('.card[data-where="pyramid"][data-covers="0"]:not(.is-gone)')
        expect(in_play).to_have_count(len(board.exposed))


def test_a_finger_drags_a_card_onto_its_partner(new_context: NewContext) -> None:
    page = lay(new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page())
    client = page.context.new_cdp_session(page)
    ends = [card(page, name).bounding_box() for name in ("6S", "7H")]
    assert ends[0]
    assert ends[1]
    points = [{"x": end["x"] + 20, "y": end["y"] + 20} for end in ends if end]
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [points[0]]})
    middle = {"x": (points[0]["x"] + points[1]["x"]) / 2, "y": points[0]["y"] - 20}
    for point in (middle, points[1]):
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    expect(card(page, "7H")).to_have_class(re.compile("is-target"))
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(status(page)).to_have_text("Six of spades and seven of hearts removed. 2 of 28 cleared.")


def test_a_finger_neither_enlarges_the_table_nor_loads_the_page_anew(page: Page) -> None:
    lay(page)
    expect(page.locator(".table")).to_have_css("touch-action", "manipulation")
    expect(page.locator("body")).to_have_css("overscroll-behavior", "none")


def test_a_held_card_lights_its_partners_and_goes_back_when_let_go_elsewhere(page: Page) -> None:
    lay(page)
    card(page, "2H").hover(position={"x": 10, "y": 10})
    page.mouse.down()
    page.mouse.move(500, 300)
    expect(card(page, "2H")).to_have_class(re.compile("is-dragged"))
    expect(page.locator(".is-target")).to_have_count(1)
    expect(card(page, "JH")).to_have_class(re.compile("is-target"))
    page.mouse.up()
    expect(page.locator(".is-target, .is-dragged, .is-picked")).to_have_count(0)
    expect(figure(page, "moves")).to_have_text("0")


def test_escape_takes_a_dragged_card_out_of_the_hand(page: Page) -> None:
    lay(page)
    card(page, "2H").hover(position={"x": 10, "y": 10})
    page.mouse.down()
    card(page, "JH").hover(position={"x": 10, "y": 10}, force=True)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(figure(page, "moves")).to_have_text("0")
    carry(page, card(page, "2H"), card(page, "JH"))
    expect(figure(page, "moves")).to_have_text("1")


def test_a_card_dropped_on_a_wrong_one_says_what_is_wrong(page: Page) -> None:
    lay(page)
    carry(page, card(page, "2H"), card(page, "QC"))
    expect(status(page)).to_have_text("2 and queen (12) make 14, not 13.")


def test_a_king_is_dragged_off_the_table(page: Page) -> None:
    lay(page)
    card(page, "KD").hover()
    page.mouse.down()
    page.mouse.move(80, 500, steps=3)
    page.mouse.up()
    expect(status(page)).to_have_text("King of diamonds removed. 1 of 28 cleared.")


def test_a_second_tap_puts_a_card_down(page: Page) -> None:
    lay(page)
    card(page, "6S").click()
    expect(card(page, "6S")).to_have_attribute("aria-pressed", "true")
    card(page, "6S").click()
    expect(card(page, "6S")).to_have_attribute("aria-pressed", "false")


def test_a_king_goes_by_one_tap_or_as_the_player_likes_by_two(page: Page) -> None:
    lay(page)
    choose(page, oneTapKing=False)
    card(page, "KD").click()
    expect(figure(page, "cleared")).to_have_text("0")
    card(page, "KD").click()
    expect(figure(page, "cleared")).to_have_text("1")
    page.keyboard.press("u")
    choose(page, oneTapKing=True)
    card(page, "KD").click()
    expect(figure(page, "cleared")).to_have_text("1")


def test_pairs_can_be_made_automatically(page: Page) -> None:
    lay(page)
    choose(page, autoPair=True)
    card(page, "6S").click()
    expect(status(page)).to_have_text("Six of spades and seven of hearts removed. 2 of 28 cleared.")
    card(page, "QC").click()
    expect(card(page, "QC")).to_have_attribute("aria-pressed", "true")


def test_of_two_partners_the_automatic_one_is_the_upper_one_and_the_waste_comes_last(page: Page) -> None:
    lay(page)
    touch(page, ["6S7H", "D"])
    choose(page, autoPair=True)
    # TC goes with 3S of the sixth row before the 3D that lies on the waste.
    card(page, "TC").click()
    expect(status(page)).to_have_text("Ten of clubs and three of spades removed. 4 of 28 cleared.")


def test_a_card_goes_together_with_its_only_cover_where_the_rules_allow_it(page: Page) -> None:
    number, log, pair = cover_pair(Rules.named("cover-pairs"))
    lay(page, number, "cover-pairs")
    rush(page, log)
    touch(page, [pair])
    expect(status(page)).to_contain_text("removed.")
    page.keyboard.press("u")
    carry(page, card(page, pair[2:]), card(page, pair[:2]))
    expect(status(page)).to_contain_text("removed.")


def cover_pair(rules: Rules) -> tuple[int, list[str], str]:
    """A deal, a way into it, and a pair of which one card covers the other."""
    for number in range(1, 200):
        board, log = Board(deal_of(number), rules), list[str]()
        for _ in range(12):
            removals = [move for move in board.legal_moves if len(move.cards) == 2]
            covering = next((m for m in removals if any(board.covers(c) for c in m.cards)), None)
            if covering:
                return number, log, str(covering)
            if not removals:
                break
            log.append(str(board.play(removals[0])))
    raise AssertionError("no deal has one")


def test_the_next_stock_card_is_in_play_where_the_rules_have_it_so(page: Page) -> None:
    lay(page, 12345, "open-stock")
    expect(card(page, "3D")).to_have_attribute("aria-label", "Three of diamonds, next in the stock")
    touch(page, ["TC3D"])
    expect(status(page)).to_have_text("Ten of clubs and three of diamonds removed. 1 of 28 cleared.")
    expect(page.locator(".pile-count")).to_have_text("23")


def test_face_down_cards_are_told_to_nobody(page: Page) -> None:
    lay(page)
    for name in deal_of(12345).deck.split()[28:]:
        expect(card(page, name)).to_be_hidden()
    assert page.get_by_role("button", name="Three of diamonds").count() == 0


@pytest.mark.parametrize(
    ("rules", "log", "what", "why"),
    [
        (
            "endless",
            [],
            "6D",
            "The six of diamonds is still covered by the king of diamonds and the queen of clubs.",
        ),
        ("endless", ["KD"], "6D", "The six of diamonds is still covered by the queen of clubs."),
        ("endless", ["D", "D"], "3D", "The three of diamonds lies in the waste under the ace of spades."),
    ],
)
def test_a_wrong_tap_says_which_cards_are_in_the_way_and_shows_them(
    page: Page, rules: str, log: list[str], what: str, why: str
) -> None:
    lay(page, 12345, rules)
    touch(page, log)
    touch(page, [what])
    expect(status(page)).to_have_text(why)
    expect(page.locator(".is-flashing").first).to_be_attached()
    expect(figure(page, "moves")).to_have_text(str(len(log)))


def test_two_values_that_do_not_make_13_are_told_and_the_second_card_is_picked(page: Page) -> None:
    lay(page)
    touch(page, ["6STC"])
    expect(status(page)).to_have_text("6 and 10 make 16, not 13.")
    expect(card(page, "TC")).to_have_attribute("aria-pressed", "true")
    expect(card(page, "6S")).to_have_attribute("aria-pressed", "false")


def test_no_passes_left_is_said(page: Page) -> None:
    lay(page, 12345, "one-pass")
    page.keyboard.type("d" * 24)
    expect(page.locator(".pile")).to_have_attribute("aria-label", "Stock, empty, no pass left")
    page.locator(".pile").click()
    expect(status(page)).to_have_text("No passes are left: this was pass 1 of 1.")


def test_without_help_a_wrong_tap_only_shakes_the_card(page: Page) -> None:
    lay(page)
    choose(page, help=False)
    card(page, "4D").click()
    expect(card(page, "4D")).to_have_class(re.compile("is-shaking"))
    expect(status(page)).to_be_empty()
    expect(page.locator(".is-flashing")).to_have_count(0)


def test_options_are_kept_and_seen_on_every_page_with_cards(page: Page) -> None:
    lay(page)
    choose(page, fourColours=True, help=False)
    expect(page.locator("html")).to_have_attribute("data-suits", "four")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-suits", "four")
    page.get_by_role("button", name="Options").click()
    expect(page.locator('input[name="help"]')).not_to_be_checked()
    expect(page.locator('input[name="fourColours"]')).to_be_checked()
    page.goto("/rules/")
    expect(page.locator("html")).to_have_attribute("data-suits", "four")


def test_undo_reaches_back_as_far_as_the_rules_let_it(page: Page) -> None:
    lay(page, 12345, "pyramide")
    rush(page, [*"D" * 23, *("R" + "D" * 24) * 3, *"RDDD"])
    expect(figure(page, "moves")).to_have_text("102")
    rush(page, ["U"] * 100)
    expect(status(page)).to_contain_text("Taken back.")
    expect(figure(page, "moves")).to_have_text("102")
    page.keyboard.press("u")
    expect(status(page)).to_have_text("Undo reaches back 100 moves.")
    expect(page.locator('[data-do="undo"]')).to_have_attribute("aria-disabled", "true")


def test_the_first_card_lies_on_the_waste_where_the_rules_have_it_so(page: Page) -> None:
    lay(page, 12345, "pyramide")
    expect(page.get_by_role("button", name="Three of diamonds, top of the waste")).to_be_visible()
    expect(page.locator(".pile-count")).to_have_text("23")


def test_every_card_has_a_name_that_says_where_it_lies(page: Page) -> None:
    lay(page)
    touch(page, ["KD", "D", "D"])
    names = page.locator('.cards [data-where="pyramid"]:not(.is-gone)').evaluate_all(
        "cards => cards.map((card) => card.getAttribute('aria-label'))"
    )
    assert names[0] == "Four of diamonds, row 1, covered by ace of diamonds and nine of diamonds"
    assert names[-1] == "Jack of hearts, row 7, exposed"
    assert "Six of diamonds, row 6, covered by queen of clubs" in names
    for name in (
        "Ace of spades, top of the waste",
        "Three of diamonds, in the waste under the ace of spades",
    ):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    expect(page.get_by_role("button", name="Stock, 22 cards. Draw")).to_be_visible()


def test_what_happens_is_announced(page: Page) -> None:
    lay(page, 12345, "three-pass")
    expect(page.get_by_role("status").and_(status(page))).to_be_attached()
    touch(page, ["KD"])
    expect(status(page)).to_have_text("King of diamonds removed. 1 of 28 cleared.")
    page.keyboard.press("d")
    expect(status(page)).to_have_text("Drew the three of diamonds.")
    page.keyboard.press("u")
    expect(status(page)).to_have_text("Taken back. 1 of 28 cleared.")
    page.keyboard.type("d" * 24 + "r")
    expect(status(page)).to_have_text("Turned the waste over. Pass 2 of 3.")


def test_the_focus_stays_on_the_table_when_its_card_goes(page: Page) -> None:
    lay(page)
    page.locator(".cards [tabindex='0']").first.focus()
    go_to(page, "KD")
    page.keyboard.press("Enter")
    expect(page.locator(".card:focus, .pile:focus")).to_have_count(1)
    expect(page.locator(".is-gone:focus")).to_have_count(0)


def test_enter_held_down_picks_one_card(page: Page) -> None:
    lay(page)
    page.locator(".cards [tabindex='0']").first.focus()
    go_to(page, "KD")
    for _ in range(5):
        page.keyboard.down("Enter")
    expect(status(page)).to_contain_text("King of diamonds")
    expect(figure(page, "moves")).to_have_text("1")


def test_tab_stops_once_at_the_cards(page: Page) -> None:
    lay(page)
    expect(page.locator(".cards [tabindex='0']")).to_have_count(1)
    go_to(page, "2H")
    expect(page.locator(".cards [tabindex='0']")).to_have_count(1)
    expect(card(page, "2H")).to_have_attribute("tabindex", "0")


def test_keys_are_left_alone_in_fields_and_dialogs(page: Page) -> None:
    lay(page)
    page.get_by_role("button", name="New deal").click()
    page.get_by_label("A deal by its code or number").type("dru")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+d")
    expect(figure(page, "moves")).to_have_text("0")


def test_a_question_mark_shows_the_help(page: Page) -> None:
    lay(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="How to play")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="How to play")).to_be_hidden()


def test_stuck_is_said_with_what_to_do_next(page: Page) -> None:
    lay(page, 12345, "one-pass")
    board = Board(deal_of(12345), Rules.named("one-pass"))
    while not board.is_stuck:
        rush(page, [str(board.play(board.legal_moves[-1]))])
    expect(status(page)).to_contain_text("Stuck: no move is left. An undo may help.")
    panel = page.locator(".outcome")
    expect(panel.get_by_role("heading")).to_have_text("Stuck: no move is left")
    panel.get_by_role("button", name="Undo").click()
    expect(panel).to_be_hidden()


def test_a_dead_end_of_an_endless_stock_is_said_once_it_was_seen(page: Page) -> None:
    number, log = dead_end()
    lay(page, number)
    rush(page, log)
    expect(page.locator(".outcome")).to_be_hidden()
    board = Board(deal_of(number), Rules.named("endless"))
    for move in log:
        board.play(move)
    for _ in range(len(board.stock) + len(board.waste) + 1):
        page.keyboard.press("d" if board.stock else "r")
        board.play("D" if board.stock else "R")
    expect(page.locator(".outcome").get_by_role("heading")).to_have_text("Nothing more can be cleared")
    page.locator(".outcome").get_by_role("button", name="Look at the table").click()
    expect(page.locator(".outcome")).to_be_hidden()


def dead_end() -> tuple[int, list[str]]:
    """A deal and a play of it after which no trip through the stock clears anything."""
    for number in range(1, 500):
        board, log, idle = Board(deal_of(number), Rules.named("endless")), list[str](), 0
        while not board.is_won and idle <= 60 and len(log) < 150:
            move = board.play(board.legal_moves[0])
            log.append(str(move))
            idle = 0 if move.cards else idle + 1
        if idle > 60 and len(log) < 150:
            return number, log[:-idle]
    raise AssertionError("no deal has one")


@pytest.mark.parametrize("rules", ["endless", "open-stock"])
def test_the_table_fits_without_scrolling_however_the_window_is_turned(page: Page, rules: str) -> None:
    lay(page, 12345, rules)
    page.keyboard.type("dddddd")
    expect(figure(page, "moves")).to_have_text("6")
    for viewport in (SMALLEST, SMALLEST_ON_ITS_SIDE, PHONE, PHONE_ON_ITS_SIDE, TABLET, DESKTOP):
        page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        settle(page)
        beyond = "({ scrollHeight, scrollWidth }) => [scrollHeight - innerHeight, scrollWidth - innerWidth]"
        assert max(page.evaluate(f"({beyond})(document.scrollingElement)")) <= 0
        for box in boxes(page, ".card:not(.is-gone):visible, .pile, .control"):
            assert min(box["left"], box["top"]) >= -1, (viewport, box)
            assert box["right"] <= viewport["width"] + 1, (viewport, box)
            assert box["bottom"] <= viewport["height"] + 1, (viewport, box)


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    """Where each of these lies in the window."""
    found: list[dict[str, float]] = page.locator(selector).evaluate_all(
        "(elements) => elements.map((element) => element.getBoundingClientRect().toJSON())"
    )
    assert found
    return found


@pytest.mark.parametrize("viewport", [PHONE, PHONE_ON_ITS_SIDE])
def test_what_is_tapped_is_large_enough_on_a_phone(new_context: NewContext, viewport: Any) -> None:
    page = lay(new_context(viewport=viewport).new_page())
    for box in boxes(page, ".card:visible, .pile, .control, .tool"):
        assert min(box["width"], box["height"]) >= 44


@pytest.mark.parametrize("viewport", [PHONE, PHONE_ON_ITS_SIDE, DESKTOP])
def test_no_card_in_play_is_hidden_by_another(new_context: NewContext, viewport: Any) -> None:
    page = lay(new_context(viewport=viewport).new_page(), 12345, "open-stock")
    page.keyboard.type("dddddd")
    settle(page)
    hidden = page.locator(".is-in-play, .pile").evaluate_all(
        """(elements) => elements.filter((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }).length"""
    )
    assert hidden == 0


@pytest.mark.parametrize("letters", ["16px", "32px"])
def test_the_words_of_the_controls_stay_apart(new_context: NewContext, letters: str) -> None:
    page = lay(new_context(viewport=SMALLEST).new_page())
    page.evaluate("(size) => document.documentElement.style.setProperty('font-size', size)", letters)
    for control in page.locator(".control").all():
        assert control.evaluate("(element) => element.scrollWidth <= element.clientWidth")


@pytest.mark.browser_context_args(forced_colors="active")
def test_a_picked_card_is_seen_in_forced_colors(page: Page) -> None:
    lay(page)
    card(page, "6S").click()
    expect(card(page, "6S")).to_have_css("outline-style", "solid")


@pytest.mark.browser_context_args(reduced_motion="reduce")
def test_nothing_moves_for_those_who_want_it_still(page: Page) -> None:
    lay(page)
    durations = card(page, "KD").evaluate("(element) => getComputedStyle(element).transitionDuration")
    assert max(float(duration.removesuffix("s")) for duration in durations.split(", ")) <= 0.001
    card(page, "KD").click()
    expect(card(page, "KD")).to_be_hidden()


def test_moves_are_taken_while_cards_still_move(page: Page) -> None:
    lay(page)
    page.evaluate(
        """() => {
          for (const name of ["KD", "6S", "7H", "2H", "JH"]) {
            document.querySelector(`[data-card="${name}"]`).click();
          }
          for (let draws = 0; draws < 3; draws += 1) document.querySelector(".pile").click();
        }"""
    )
    expect(figure(page, "moves")).to_have_text("6")
    expect(figure(page, "cleared")).to_have_text("5")
