"""Boards that update themselves."""

import pytest
from playwright.sync_api import Page, Response, Route, expect

from daily.models import Challenge
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player, record
from tests.web.browser.watch import SignIn, Watch

pytestmark = pytest.mark.django_db(transaction=True)

BOARD = f"/days/{DAY}/"
PERIOD_S = 16
"""A little more than from one look to the next."""


@pytest.fixture
def day(transactional_db: None, clock: FrozenClock) -> Challenge:
    """A day on which Ann leads Bob."""
    day = make_challenge(DAY)
    record(make_player("ann"), day, cleared=20, elapsed_ms=60_000)
    record(make_player("bob"), day, cleared=18, elapsed_ms=60_000)
    return day


@pytest.fixture
def board(page: Page, day: Challenge) -> Page:
    """The day's page, whose clock stands until a test moves it."""
    page.clock.install()
    page.goto(BOARD)
    return page


@pytest.fixture
def asked(page: Page) -> list[int]:
    """What the board's looks at itself are answered with."""
    statuses: list[int] = []

    def note(response: Response) -> None:
        if response.request.resource_type == "fetch":
            statuses.append(response.status)

    page.on("response", note)
    return statuses


def look_again(board: Page) -> None:
    with board.expect_response(lambda response: response.url.endswith(BOARD)):
        board.clock.run_for(PERIOD_S * 1000)


def names(board: Page) -> list[str | None]:
    return [row.get_attribute("data-player") for row in board.locator("tr[data-player]").all()]


def test_who_finishes_appears_and_who_is_overtaken_falls(board: Page, day: Challenge) -> None:
    expect(board.get_by_role("status")).to_contain_text("Live: this board updates itself")
    record(make_player("cy"), day, cleared=19, elapsed_ms=1)
    look_again(board)
    expect(board.locator("tr.is-new")).to_have_attribute("data-player", "cy")
    expect(board.locator("tr.has-fallen")).to_have_attribute("data-player", "bob")
    expect(board.locator("#live-status")).to_contain_text("1 new, 1 down")
    assert names(board) == ["ann", "cy", "bob"]
    expect(board.get_by_text("3 ranked")).to_be_visible()


def test_the_marks_of_a_change_go_after_a_while(board: Page, day: Challenge) -> None:
    record(make_player("cy"), day, cleared=19, elapsed_ms=1)
    look_again(board)
    expect(board.locator("tr.is-new")).to_have_count(1)
    board.clock.run_for(7_000)
    expect(board.locator("tr.is-new, tr.has-fallen")).to_have_count(0)


def test_my_own_row_stays_mine_when_it_moves(
    board: Page, day: Challenge, sign_in: SignIn, watch: Watch
) -> None:
    sign_in(board, Player.objects.get(name="bob"))
    board.reload()
    record(make_player("cy"), day, cleared=19, elapsed_ms=1)
    look_again(board)
    expect(board.locator("tr.own.has-fallen")).to_have_attribute("data-player", "bob")
    expect(board.locator(".board-own")).to_contain_text("3 of 3")


def test_where_nothing_has_changed_nothing_is_sent_or_said(board: Page, asked: list[int]) -> None:
    look_again(board)
    look_again(board)
    expect(board.locator("#live-status")).to_have_text("Live: this board updates itself.")
    assert asked == [200, 304]


def test_the_focus_stays_where_it_was(board: Page, day: Challenge) -> None:
    board.get_by_role("link", name="bob").focus()
    record(make_player("cy"), day, cleared=19, elapsed_ms=1)
    look_again(board)
    expect(board.locator("tr.is-new")).to_have_count(1)
    expect(board.get_by_role("link", name="bob")).to_be_focused()


def test_a_service_that_is_away_is_asked_less_often_and_at_once_when_the_network_is_back(
    board: Page, day: Challenge, watch: Watch
) -> None:
    watch.allow("ERR_FAILED", "Failed to load resource")
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.abort()

    board.route(f"**{BOARD}", refuse)
    for _ in range(20):
        board.clock.run_for(15_000)
        expect(board.locator("#live-status")).to_contain_text("cannot be reached")
    assert 3 <= len(refused) <= 4  # after 15, 45, 105 and 225 seconds
    board.unroute(f"**{BOARD}")
    board.evaluate("() => dispatchEvent(new Event('online'))")
    expect(board.locator("#live-status")).to_contain_text("updates itself")


def test_a_page_that_nobody_sees_asks_nothing_and_catches_up_when_it_is_seen(
    board: Page, day: Challenge, asked: list[int]
) -> None:
    board.evaluate(HIDE)
    record(make_player("cy"), day, cleared=19, elapsed_ms=1)
    board.clock.run_for(600_000)
    assert asked == []
    with board.expect_response(lambda response: response.url.endswith(BOARD)):
        board.evaluate(SHOW)
    expect(board.locator("tr.is-new")).to_have_count(1)


HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOW = """() => {
  delete document.visibilityState;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_day_that_is_settled_meanwhile_offers_its_new_page_and_asks_no_more(
    board: Page, day: Challenge, clock: FrozenClock, asked: list[int]
) -> None:
    clock.advance(days=1)
    settle_due(clock.moment)
    look_again(board)
    link = board.get_by_role("link", name="Show the page as it is now")
    expect(link).to_be_visible()
    board.clock.run_for(600_000)
    assert asked == [200]
    link.click()
    expect(board.get_by_role("heading", name="The deal")).to_be_visible()


def test_a_settled_day_asks_nothing(page: Page, day: Challenge, clock: FrozenClock, asked: list[int]) -> None:
    clock.advance(days=1)
    settle_due(clock.moment)
    page.clock.install()
    page.goto(BOARD)
    page.clock.run_for(600_000)
    assert asked == []


@pytest.mark.browser_context_args(reduced_motion="reduce")
def test_who_wants_less_motion_sees_the_marks_and_no_sliding(board: Page, day: Challenge) -> None:
    board.evaluate("() => { Element.prototype.animate = () => { throw new Error('slid'); }; }")
    record(make_player("cy"), day, cleared=19, elapsed_ms=1)
    look_again(board)
    expect(board.locator("tr.has-fallen")).to_have_count(1)


def test_a_name_that_is_markup_stays_text_when_it_comes_in_later(board: Page, day: Challenge) -> None:
    player = make_player("mallory")
    Player.objects.filter(pk=player.pk).update(name="<img src=x onerror=alert(1)>")
    record(player, day, cleared=19, elapsed_ms=1)
    look_again(board)
    expect(board.locator("tr.is-new")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(board.locator("td img")).to_have_count(0)


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_without_scripts_the_board_is_all_there(page: Page, day: Challenge) -> None:
    page.goto(BOARD)
    assert names(page) == ["ann", "bob"]
    page.get_by_label("Find a player").fill("BOB")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("tr.sought")).to_contain_text("bob")
