"""The site where there is no network, as far as its worker keeps it."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from daily.models import Challenge
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player
from tests.web.browser.watch import NewContext, SignIn, Watch

pytestmark = pytest.mark.django_db(transaction=True)

GONE = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
KEPT = """async () => {
  const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(opened.map((cache) => cache.keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture
def challenge(transactional_db: None, clock: FrozenClock) -> Challenge:
    return make_challenge(DAY)


@pytest.fixture
def ann(transactional_db: None) -> Player:
    return make_player("ann")


@pytest.fixture
def visitor(new_context: NewContext, watch: Watch, challenge: Challenge) -> BrowserContext:
    watch.allow(*GONE)
    return new_context(service_workers="allow")


def install(page: Page) -> None:
    """Visit once, until the worker keeps what it has to."""
    page.goto("/rules/")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.reload()


def test_practice_goes_on_without_network(visitor: BrowserContext) -> None:
    page = visitor.new_page()
    install(page)
    visitor.set_offline(True)
    page.goto("/practice/")
    expect(page.locator(".card").first).to_be_visible()


def test_other_pages_say_that_there_is_no_network_and_that_moves_are_kept(visitor: BrowserContext) -> None:
    page = visitor.new_page()
    install(page)
    visitor.set_offline(True)
    page.goto("/play/")
    expect(page.get_by_role("heading", name="There is no network")).to_be_visible()
    expect(page.get_by_text("your moves are kept in this browser")).to_be_visible()
    visitor.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="There is no network")).to_be_hidden()
    assert page.url.endswith("/play/")


def test_nothing_is_kept_of_who_was_signed_in(visitor: BrowserContext, sign_in: SignIn, ann: Player) -> None:
    sign_in(visitor, ann)
    page = visitor.new_page()
    install(page)
    expect(page.get_by_role("link", name="ann")).to_be_visible()
    page.goto("/account/")
    page.goto("/practice/")
    kept = page.evaluate(KEPT)
    assert {address for address in kept if not address.startswith("/static/")} == {"/offline/", "/practice/"}
    visitor.set_offline(True)
    page.goto("/practice/")
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.get_by_role("link", name="ann")).to_have_count(0)


def test_a_new_worker_drops_what_the_old_one_kept(visitor: BrowserContext) -> None:
    page = visitor.new_page()
    page.goto("/rules/")
    page.evaluate("caches.open('pyramid-old')")
    page.evaluate("caches.open('of-somebody-else')")
    install(page)
    names = set(page.evaluate("caches.keys()"))
    assert "of-somebody-else" in names
    assert "pyramid-old" not in names
