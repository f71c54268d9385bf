"""The replay as people watch it: play, step, jump, beside the best line; and in words without scripts."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from daily.models import Challenge, Run
from games.pyramid import replay
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, make_player, started
from tests.web.browser.watch import NewContext, SignIn

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESKTOP = {"width": 360, "height": 640}, {"width": 1440, "height": 900}


@dataclass(frozen=True)
class Stage:
    """Ann's run, which takes a move back, of a day with a best line of its own."""

    ann: Player
    run: Run
    best: list[str]

    @property
    def path(self) -> str:
        return f"/runs/{self.run.pk}/replay/"


@pytest.fixture
def challenge(transactional_db: None, clock: FrozenClock) -> Challenge:
    challenge = make_challenge(DAY)
    best = greedy_log(challenge, 8)
    challenge.best_clear = replay(challenge.deal, challenge.ruleset, best).cleared
    challenge.best_line_text = " ".join(best)
    challenge.save()
    return challenge


@pytest.fixture
def played(challenge: Challenge) -> Stage:
    """The run on the day itself."""
    ann = make_player("ann")
    log = ["D", "D", "U", *greedy_log(challenge, 5)[1:]]
    run, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=log)
    return Stage(ann, run, challenge.best_line)


@pytest.fixture
def settled(played: Stage, clock: FrozenClock) -> Stage:
    """The run after its day is settled."""
    clock.advance(days=2)
    assert settle_due(clock.moment)
    return played


def cleared(page: Page, line: str = "run") -> Locator:
    return page.locator(f'.replay-board[data-of="{line}"] [data-figure="cleared"]')


def current(page: Page) -> Locator:
    return page.locator('.replay-lists [data-of="run"] [aria-current] .words')


def at(page: Page, step: int) -> None:
    """The replay stands at this step."""
    expect(page.locator("#step")).to_have_js_property("value", str(step))


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.browser_context_args(viewport=PHONE)
def test_playing_brings_all_the_cards_in_sight(page: Page, settled: Stage) -> None:
    page.goto(settled.path)
    page.get_by_role("button", name="Play").click()
    stock = page.locator('.replay-board[data-of="run"] .felt')
    expect(stock).to_be_in_viewport(ratio=1)


def test_a_run_plays_to_its_end_and_again(page: Page, settled: Stage) -> None:
    page.goto(settled.path)
    page.get_by_label("Speed").select_option("8")
    press(page, "This run")
    press(page, "Play")
    at(page, len(settled.run.log))
    expect(cleared(page)).to_have_text(str(settled.run.cleared))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.url.endswith(f"#move={len(settled.run.log)}")
    press(page, "Play")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    press(page, "Pause")


def test_steps_go_on_and_back_and_undo_shows_what_was_before(page: Page, settled: Stage) -> None:
    page.goto(settled.path)
    waste = page.locator('.replay-board[data-of="run"] .card[data-where="waste"]')
    expect(waste).to_have_count(0)
    for count in (1, 2, 1):
        press(page, "One move on")
        expect(waste).to_have_count(count)
    expect(current(page)).to_have_text("undo")
    press(page, "One move back")
    expect(waste).to_have_count(2)
    press(page, "To the end")
    at(page, max(len(settled.run.log), len(settled.best)))
    press(page, "To the start")
    at(page, 0)


def test_keys_do_what_the_buttons_do(page: Page, settled: Stage) -> None:
    page.goto(settled.path)
    press(page, "This run")
    page.locator("h1").click()
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", len(settled.run.log)),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        at(page, step)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_move_is_jumped_to_by_the_list_the_slider_and_the_address(page: Page, settled: Stage) -> None:
    page.goto(f"{settled.path}#move=3")
    at(page, 3)
    expect(current(page)).to_have_text("undo")
    assert page.evaluate("scrollY") == 0
    page.locator('.replay-lists [data-of="run"] li').nth(4).click()
    at(page, 5)
    page.locator("#step").fill("2")
    expect(current(page)).to_have_text(re.compile("^draw "))
    page.evaluate("location.hash = '#move=99999'")
    at(page, max(len(settled.run.log), len(settled.best)))


@pytest.mark.browser_context_args(viewport=DESKTOP)
def test_the_best_line_plays_beside_the_run(page: Page, settled: Stage) -> None:
    page.goto(settled.path)
    tables = page.locator(".replay-board")
    expect(tables.nth(0)).to_be_visible()
    expect(tables.nth(1)).to_be_visible()
    assert tables.nth(0).bounding_box()["y"] == tables.nth(1).bounding_box()["y"]  # type: ignore[index]
    press(page, "To the end")
    expect(cleared(page, "run")).to_have_text(str(settled.run.cleared))
    expect(cleared(page, "best")).to_have_text(str(settled.run.challenge.best_clear))


@pytest.mark.browser_context_args(viewport=PHONE)
def test_on_a_phone_one_switches_to_the_best_line(page: Page, settled: Stage) -> None:
    page.goto(settled.path)
    tables = page.locator(".replay-board")
    expect(tables.nth(1)).to_be_hidden()
    expect(page.get_by_role("button", name="Both")).to_be_hidden()
    press(page, "Best line")
    expect(tables.nth(0)).to_be_hidden()
    press(page, "To the end")
    expect(cleared(page, "best")).to_have_text(str(settled.run.challenge.best_clear))
    at(page, len(settled.best))


def test_an_own_run_plays_on_the_day_itself(page: Page, sign_in: SignIn, played: Stage) -> None:
    sign_in(page, played.ann)
    page.goto(played.path)
    press(page, "To the end")
    expect(cleared(page)).to_have_text(str(played.run.cleared))
    expect(page.get_by_role("button", name="Best line")).to_have_count(0)


def test_without_scripts_the_run_is_told_in_words_and_two_pictures(
    new_context: NewContext, settled: Stage
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(settled.path)
    expect(page.locator('.replay-lists [data-of="run"] li')).to_have_count(len(settled.run.log))
    expect(page.locator("svg.table-picture")).to_have_count(2)
    expect(page.locator("#player")).to_be_hidden()
    for picture in page.locator("svg.table-picture").all():
        expect(picture).to_be_visible()
