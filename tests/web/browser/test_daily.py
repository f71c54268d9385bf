"""The daily as people play it: start, play by any hand, lose the network, come back, finish."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError
from playwright.sync_api import Page, Route, expect
from pytest_django import Settings

from daily.models import Attempt, Challenge, Run
from games.pyramid import Board
from leaderboard.services import submit_run
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player
from tests.web.browser.hands import Hand, best_log, drag, rush, tap, use_keys
from tests.web.browser.watch import NewContext, SignIn, Watch

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESKTOP = {"width": 360, "height": 640}, {"width": 1440, "height": 900}
RESULT = re.compile(r"/runs/[0-9a-f-]{36}/$")
CHECKPOINT = "**/checkpoint/"
BY_HAND = 15
"""So many moves, and the last: in test_table each hand plays a whole deal."""


@pytest.fixture(autouse=True)
def clock_that_outlasts_the_pages(clock: FrozenClock) -> None:
    """What a page sends while it is closed is to arrive in time, too."""


@pytest.fixture
def challenge(transactional_db: None, clock: FrozenClock, settings: Settings) -> Challenge:
    """The day. Its checkpoints need not be apart, because the clock that tells stands still."""
    settings.CHECKPOINT_INTERVAL = timedelta(0)
    return make_challenge(DAY)


@pytest.fixture
def player(transactional_db: None) -> Player:
    player = Player(name="ann")
    player.set_unusable_password()
    player.save()
    return player


@pytest.fixture
def table(page: Page, sign_in: SignIn, player: Player, challenge: Challenge) -> Page:
    """A page on which the player has just started."""
    sign_in(page, player)
    start(page)
    return page


def start(page: Page) -> None:
    page.goto("/play/")
    page.get_by_role("button", name="Start the clock").click()
    expect(page.locator(".card").first).to_be_visible()


def kept(player: Player) -> list[str]:
    return Attempt.objects.get(player=player).checkpoint


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    """Look until it is so, which the server has yet to be told."""
    for _ in range(200):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("It has not become so.")


@pytest.mark.parametrize("hand", [tap, drag, use_keys])
def test_the_whole_day_can_be_played_to_the_win(
    table: Page, challenge: Challenge, player: Player, hand: Hand, clock: FrozenClock
) -> None:
    *log, last = best_log(challenge)
    hand(table, log[:BY_HAND])
    rush(table, log[BY_HAND:])
    clock.advance(minutes=3, seconds=12)
    hand(table, [last])
    expect(table).to_have_url(RESULT)
    expect(table.get_by_role("heading", level=1)).to_have_text("You cleared it")
    run = Run.objects.get(player=player)
    assert (run.won, run.elapsed_ms, run.log) == (True, 192_000, [*log, last])


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_the_table_fits_the_window(
    new_context: NewContext, sign_in: SignIn, player: Player, challenge: Challenge, viewport: Any
) -> None:
    page = new_context(viewport=viewport).new_page()
    sign_in(page, player)
    start(page)
    tap(page, best_log(challenge)[:12])
    assert page.evaluate("document.documentElement.scrollHeight") <= viewport["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    expect(page.get_by_role("button", name="Finish")).to_be_in_viewport()


def test_a_stranger_is_a_guest_at_the_start(page: Page, challenge: Challenge) -> None:
    start(page)
    attempt = Attempt.objects.select_related("player").get()
    assert attempt.player.is_guest
    account = page.get_by_role("navigation", name="Account")
    expect(account.get_by_role("link", name="Guest")).to_have_attribute("href", "/account/")
    page.goto("/")
    expect(account).to_have_text(attempt.player.name)


def test_a_browser_that_keeps_no_cookies_is_told_so(page: Page, challenge: Challenge, watch: Watch) -> None:
    watch.allow("status of 403")
    page.context.route("**/*", lambda route: route.continue_(headers={**route.request.headers, "cookie": ""}))
    page.add_init_script("Object.defineProperty(document, 'cookie', { get: () => '', set() {} })")
    page.goto("/play/")
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_role("alert")).to_contain_text("Playing needs cookies")


def test_nothing_starts_before_the_button_is_pressed(page: Page, challenge: Challenge) -> None:
    page.goto("/play/")
    expect(page.get_by_text("One attempt counts.")).to_be_visible()
    assert not Attempt.objects.exists()


def test_the_start_leaves_the_focus_at_the_cards(table: Page, challenge: Challenge) -> None:
    expect(table.locator(".card.is-in-play:focus")).to_have_count(1)


def test_a_reload_in_the_middle_goes_on_where_it_was(table: Page, challenge: Challenge) -> None:
    log = best_log(challenge)
    rush(table, log[:10])
    table.reload()
    expect(table.get_by_text("after move 10")).to_be_visible()
    rush(table, log[10:])
    expect(table).to_have_url(RESULT)


def test_moves_made_while_offline_survive_a_reload(
    table: Page, challenge: Challenge, player: Player, watch: Watch
) -> None:
    watch.allow("ERR_FAILED")
    table.route(CHECKPOINT, lambda route: route.abort())
    # What a page sends as it goes passes by the route, now and then.
    with mock.patch("daily.services.keep_checkpoint", side_effect=OperationalError("away")):
        rush(table, best_log(challenge)[:10])
        table.reload()
        expect(table.get_by_text("after move 10")).to_be_visible()
    assert kept(player) == []
    table.unroute(CHECKPOINT)
    wait_until(table, lambda: kept(player) == best_log(challenge)[:10])


def test_another_device_goes_on_from_the_checkpoint(
    table: Page,
    challenge: Challenge,
    player: Player,
    new_context: NewContext,
    sign_in: SignIn,
    watch: Watch,
) -> None:
    watch.allow("status of 409")  # where the first device is still sending when the other one has submitted
    log = best_log(challenge)
    rush(table, log[:10])
    table.evaluate("dispatchEvent(new Event('pagehide'))")
    other = new_context().new_page()
    sign_in(other, player)
    wait_until(table, lambda: kept(player) == log[:10])
    other.goto("/play/")
    expect(other.get_by_text("after move 10, made on your other device")).to_be_visible()
    rush(other, log[10:])
    expect(other).to_have_url(RESULT)


def test_a_device_that_was_overtaken_follows(table: Page, challenge: Challenge, player: Player) -> None:
    log = best_log(challenge)
    tap(table, log[:3])
    wait_until(table, lambda: kept(player) == log[:3])
    Attempt.objects.update(checkpoint_text=" ".join(log[:20]))
    table.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(table.get_by_text("after move 20, made on your other device")).to_be_visible()


def test_what_was_played_apart_on_another_device_goes_first_and_that_is_said(
    table: Page, challenge: Challenge, player: Player, watch: Watch
) -> None:
    watch.allow("ERR_FAILED")
    tap(table, ["D"])
    wait_until(table, lambda: kept(player) == ["D"])
    table.route(CHECKPOINT, lambda route: route.abort())
    tap(table, ["D", "D"])
    expect(table.locator("#away")).to_be_visible()
    Attempt.objects.update(checkpoint_text="D KS D")
    table.reload()
    expect(table.get_by_text("made in this browser only: 2.")).to_be_visible()


def test_what_was_played_elsewhere_meanwhile_is_found_when_back(
    table: Page, challenge: Challenge, player: Player, watch: Watch
) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED")
    table.context.set_offline(True)
    tap(table, ["D", "D"])
    expect(table.locator("#away")).to_be_visible()
    Attempt.objects.update(checkpoint_text="D KS D")
    table.context.set_offline(False)
    expect(table.get_by_text("made in this browser only: 1.")).to_be_visible()
    assert kept(player) == ["D", "KS", "D"]


def test_offline_is_said_and_the_moves_are_sent_when_back(
    table: Page, challenge: Challenge, player: Player, watch: Watch
) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED")
    log = best_log(challenge)
    table.context.set_offline(True)
    tap(table, log[:8])
    expect(table.locator("#away")).to_be_visible()
    assert kept(player) == []
    table.context.set_offline(False)
    wait_until(table, lambda: kept(player) == log[:8])
    expect(table.locator("#away")).to_be_hidden()


def test_a_win_while_offline_is_submitted_when_back(
    table: Page, challenge: Challenge, player: Player, watch: Watch
) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED")
    table.context.set_offline(True)
    rush(table, best_log(challenge))
    expect(table.get_by_text("Not sent yet")).to_be_visible()
    table.context.set_offline(False)
    expect(table).to_have_url(RESULT)
    assert Run.objects.get(player=player).won


def test_a_failing_server_is_asked_again(table: Page, player: Player, watch: Watch) -> None:
    watch.allow("status of 503")
    answers = iter([503, 503])

    def answer(route: Route) -> None:
        status = next(answers, None)
        if status:
            route.fulfill(status=status, body="<h1>Bad gateway</h1>", headers={"Retry-After": "0"})
        else:
            route.continue_()

    table.route("**/run/", answer)
    finish(table)
    expect(table).to_have_url(RESULT)


def finish(page: Page) -> None:
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("dialog").get_by_role("button", name="Finish", exact=True).click()


def test_finish_here_asks_and_tells_what_is_cleared(
    table: Page, challenge: Challenge, player: Player
) -> None:
    tap(table, best_log(challenge)[:4])
    table.get_by_role("button", name="Finish").click()
    expect(table.get_by_role("dialog")).to_contain_text("You have cleared 1 of 28")
    table.get_by_role("button", name="Play on").click()
    expect(table.get_by_role("dialog")).to_be_hidden()
    finish(table)
    expect(table).to_have_url(RESULT)
    assert Run.objects.get(player=player).log == best_log(challenge)[:4]


def test_stuck_is_said_and_an_undo_goes_on(
    page: Page, sign_in: SignIn, player: Player, one_pass: Challenge
) -> None:
    sign_in(page, player)
    start(page)
    log = stuck_log(one_pass)
    rush(page, log)
    expect(page.get_by_role("heading", name="No more moves")).to_be_visible()
    page.get_by_role("region", name="Result").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="No more moves")).to_be_hidden()
    tap(page, log[-1:])
    page.get_by_role("region", name="Result").get_by_role("button", name="Finish here").click()
    expect(page).to_have_url(RESULT)
    assert Run.objects.get(player=player).stuck


@pytest.fixture
def one_pass(transactional_db: None, clock: FrozenClock, settings: Settings) -> Challenge:
    """A day on which the stock can be gone through once only."""
    settings.CHECKPOINT_INTERVAL = timedelta(0)
    return make_challenge(DAY, "one-pass")


def stuck_log(challenge: Challenge) -> list[str]:
    """Draw the whole stock, then take away what is left to take, until there is nothing more to do."""
    board, log = Board(challenge.deal, challenge.ruleset), []
    while not board.is_stuck:
        log.append("D" if board.stock else str(board.legal_moves[0]))
        board.play(log[-1])
    return log


def test_the_deadline_submits_what_there_is(
    table: Page, challenge: Challenge, player: Player, clock: FrozenClock
) -> None:
    tap(table, ["D", "KS"])
    clock.advance(minutes=59, seconds=59)
    table.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(table).to_have_url(RESULT)
    run = Run.objects.get(player=player)
    assert (run.log, run.is_from_checkpoint) == (["D", "KS"], False)


def test_too_late_the_kept_moves_become_the_run(
    table: Page, challenge: Challenge, player: Player, clock: FrozenClock, watch: Watch
) -> None:
    watch.allow("status of 409")
    tap(table, ["D", "KS"])
    wait_until(table, lambda: kept(player) == ["D", "KS"])
    clock.advance(minutes=60, seconds=1)
    finish(table)
    expect(table.get_by_role("heading", name="Time is up")).to_be_visible()
    clock.advance(seconds=61)
    expect(table).to_have_url(RESULT)
    expect(table.get_by_text("made of the last moves that had arrived")).to_be_visible()


def test_too_late_without_any_move_that_arrived_is_said(
    table: Page, challenge: Challenge, player: Player, clock: FrozenClock, watch: Watch
) -> None:
    watch.allow("status of 409")
    clock.advance(minutes=60, seconds=1)
    finish(table)
    expect(table.get_by_text("counts as played, without a result")).to_be_visible()


def test_what_was_submitted_elsewhere_is_the_result(
    table: Page, challenge: Challenge, player: Player, watch: Watch
) -> None:
    watch.allow("status of 409")
    submit_run(player=player, attempt_id=Attempt.objects.get().pk, log=["D", "D"])
    tap(table, ["D"])
    expect(table).to_have_url(RESULT)
    expect(table.get_by_role("heading", level=1)).to_have_text("Your result")


def test_a_second_tab_takes_over_and_the_first_can_take_it_back(table: Page, challenge: Challenge) -> None:
    tap(table, ["D"])
    other = table.context.new_page()
    other.goto("/play/")
    tap(other, ["KS"])
    expect(table.get_by_role("heading", name="You play in another tab")).to_be_visible()
    table.get_by_role("button", name="Go on here").click()
    expect(table.get_by_text("after move 2")).to_be_visible()


def test_the_other_tab_follows_to_the_result(table: Page, challenge: Challenge) -> None:
    other = table.context.new_page()
    other.goto("/play/")
    expect(other.locator(".card").first).to_be_visible()
    finish(other)
    expect(table).to_have_url(RESULT)


def test_a_lost_session_keeps_the_moves_and_asks_to_sign_in(
    table: Page, challenge: Challenge, player: Player, sign_in: SignIn, watch: Watch
) -> None:
    watch.allow("status of 40[13]")
    table.context.clear_cookies()
    tap(table, ["D"])
    expect(table.get_by_role("heading", name="You are signed out")).to_be_visible()
    sign_in(table, player)
    table.goto("/play/")
    expect(table.get_by_text("after move 1")).to_be_visible()


def test_a_player_who_signed_in_over_another_is_told(
    table: Page, challenge: Challenge, sign_in: SignIn, watch: Watch
) -> None:
    watch.allow("status of 404")
    sign_in(table, make_player("bob"))
    tap(table, ["D"])
    expect(table.get_by_role("heading", name="Somebody else is signed in")).to_be_visible()


def test_a_refused_move_can_be_left_out(table: Page, challenge: Challenge, watch: Watch) -> None:
    watch.allow("status of 422")
    problem = {"code": "illegal_move", "detail": "No.", "move": "KS", "move_index": 1, "status": 422}
    table.route(CHECKPOINT, lambda route: route.fulfill(status=422, json=problem))
    tap(table, ["D", "KS"])
    expect(table.get_by_text("Move 2, KS: No.")).to_be_visible()
    expect(table.locator("#refused-report")).to_have_value(re.compile('"log":\\["D"'))
    table.unroute(CHECKPOINT)
    table.get_by_role("button", name="Go on from before it").click()
    expect(table.get_by_text("after move 1")).to_be_visible()


def test_a_checkpoint_that_comes_too_soon_is_sent_again(
    table: Page, challenge: Challenge, player: Player, settings: Settings, clock: FrozenClock, watch: Watch
) -> None:
    watch.allow("status of 429")
    settings.CHECKPOINT_INTERVAL = timedelta(seconds=1)
    tap(table, ["D"])
    wait_until(table, lambda: kept(player) == ["D"])
    with table.expect_response(lambda answer: answer.status == 429):
        tap(table, ["KS"])
    clock.advance(seconds=2)
    wait_until(table, lambda: kept(player) == ["D", "KS"])


def test_a_start_that_cannot_be_reached_is_not_tried_again_by_itself(
    page: Page, sign_in: SignIn, player: Player, challenge: Challenge, watch: Watch
) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED")
    sign_in(page, player)
    page.goto("/play/")
    page.context.set_offline(True)
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    page.context.set_offline(False)
    page.wait_for_timeout(1_500)
    assert not Attempt.objects.exists()


def test_a_day_that_closed_meanwhile_does_not_start(
    page: Page, sign_in: SignIn, player: Player, challenge: Challenge, clock: FrozenClock, watch: Watch
) -> None:
    watch.allow("status of 409")
    sign_in(page, player)
    page.goto("/play/")
    clock.advance(hours=12)
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_role("alert")).to_contain_text("This day has ended")


def test_midnight_while_playing_does_not_end_the_game(
    table: Page, challenge: Challenge, player: Player, clock: FrozenClock
) -> None:
    began_at = clock.now() + timedelta(hours=11, minutes=30)
    Attempt.objects.update(started_at=began_at, deadline_at=began_at + timedelta(hours=1))
    make_challenge(DAY + timedelta(days=1))
    clock.advance(hours=12, minutes=5)
    table.goto("/play/")
    expect(table.locator(".card").first).to_be_visible()
    finish(table)
    expect(table).to_have_url(RESULT)
    assert Run.objects.get(player=player).challenge == challenge


def test_without_javascript_it_is_said_that_playing_needs_it(
    new_context: NewContext, challenge: Challenge
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(
        "/rules/"
    )  # Chromium may begin to read the first page of a site before it hears that scripts are off
    page.goto("/play/")
    expect(page.get_by_text("Playing needs JavaScript")).to_be_visible()
    expect(page.get_by_role("button", name="Start the clock")).to_be_hidden()
    page.goto("/")
    expect(page.get_by_role("link", name="Play today's deal")).to_be_visible()
    expect(page.get_by_text("The day closes in 12 h 0 min")).to_be_visible()


def test_a_result_can_be_copied(table: Page, challenge: Challenge) -> None:
    table.context.grant_permissions(["clipboard-read", "clipboard-write"])
    finish(table)
    table.get_by_role("button", name="Copy").click()
    expect(table.get_by_text("Copied.")).to_be_visible()
    text = table.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Pyramid Daily 2026-11-30 ▲ 0/28 in 0:00 · rank 1 of 1")
