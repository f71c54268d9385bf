"""A league, from founding it to leaving it, as two people live it."""

import pytest
from playwright.sync_api import Page, expect

from leaderboard.models import League
from players.models import Player
from tests.cast import FrozenClock, make_player
from tests.web.browser.watch import NewContext, SignIn

pytestmark = pytest.mark.django_db(transaction=True)
PHONE = {"width": 360, "height": 640}


@pytest.fixture
def owner(transactional_db: None, clock: FrozenClock, page: Page, sign_in: SignIn) -> Page:
    """Ann's page with the league that she has just founded."""
    sign_in(page, make_player("ann"))
    page.goto("/leagues/")
    page.get_by_label("Name").fill("The Pharaohs")
    page.get_by_role("button", name="Start the league").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The Pharaohs")
    return page


def test_a_guest_follows_a_link_and_is_in_with_two_taps(owner: Page, new_context: NewContext) -> None:
    link = owner.get_by_label("Link to pass on").input_value()
    guest = new_context(viewport=PHONE).new_page()
    guest.goto(link)
    guest.get_by_role("button", name="Start as a guest").click()
    guest.get_by_role("button", name="Join as").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("The Pharaohs")
    expect(guest.get_by_role("status").first).to_have_text("You are in.")
    assert guest.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert League.objects.get().memberships.count() == 2


def test_the_code_can_be_typed(owner: Page, new_context: NewContext, sign_in: SignIn) -> None:
    context = new_context()
    sign_in(context, make_player("bob"))
    bob = context.new_page()
    bob.goto("/leagues/")
    bob.get_by_label("Code").fill(League.objects.get().code.lower())
    bob.get_by_role("button", name="Go on").click()
    bob.get_by_role("button", name="Join as").click()
    expect(bob.get_by_role("heading", level=1)).to_have_text("The Pharaohs")
    owner.reload()
    owner.get_by_role("link", name="Remove").click()
    owner.get_by_role("button", name="Remove").click()
    expect(owner.get_by_text("\u2068bob\u2069 has been removed.")).to_be_visible()
    assert not Player.objects.get(name="bob").memberships.exists()


def test_the_link_is_copied_with_one_tap(owner: Page) -> None:
    owner.context.grant_permissions(["clipboard-read", "clipboard-write"])
    owner.get_by_role("button", name="Copy").click()
    expect(owner.locator("#copied")).to_have_text("Copied.")
    copied = owner.evaluate("navigator.clipboard.readText()")
    assert copied == owner.get_by_label("Link to pass on").input_value()


def test_a_browser_that_refuses_to_copy_leaves_the_link_selected(owner: Page) -> None:
    owner.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    owner.get_by_role("button", name="Copy").click()
    expect(owner.locator("#copied")).to_contain_text("copy it by hand")
    selected = owner.evaluate("document.activeElement.selectionEnd - document.activeElement.selectionStart")
    assert selected == len(owner.get_by_label("Link to pass on").input_value())


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_without_scripts_a_league_is_founded_renamed_and_closed(owner: Page) -> None:
    expect(owner.get_by_role("button", name="Copy")).to_have_count(0)
    owner.get_by_role("link", name="Rename").click()
    owner.get_by_label("Name").fill("The Sphinxes")
    owner.get_by_role("button", name="Rename").click()
    expect(owner.get_by_role("heading", level=1)).to_have_text("The Sphinxes")
    owner.get_by_role("link", name="Close the league").click()
    owner.get_by_role("button", name="Close for good").click()
    expect(owner.get_by_text("You are in no league yet.")).to_be_visible()
