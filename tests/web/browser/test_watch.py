"""The browser tests' own equipment: what a page complains of is heard, and a device can be signed in."""

import pytest
from playwright.sync_api import Page

from players.models import Player
from tests.web.browser.watch import NewContext, SignIn, Watch

PAGE = "/admin/login/"
ME = "/api/v1/me/"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("console.error('burnt')", "burnt"),
        ("console.assert(false, 'untrue')", "untrue"),
        ("setTimeout(() => { throw new Error('thrown') })", "Error: thrown"),
        ("Promise.reject(new Error('rejected')); 0", "Error: rejected"),
        ("document.body.setAttribute('style', 'color: red')", "CSP: style-src-attr refused inline"),
        ("import('data:text/javascript,')", "CSP: script-src-elem refused data"),
        ("fetch('https://elsewhere.example/').catch(() => {})", "CSP: connect-src refused https://elsewhere"),
    ],
)
def test_a_complaint_is_heard_until_it_is_allowed(
    page: Page, watch: Watch, script: str, complaint: str
) -> None:
    page.goto(PAGE)
    page.evaluate(f"() => {{ {script} }}")
    while complaint not in "\n".join(watch.complaints):
        page.wait_for_timeout(10)
    watch.allow(".")
    assert not watch.complaints


def test_a_quiet_page_leaves_nothing_to_complain_of(page: Page, watch: Watch) -> None:
    page.goto(PAGE)
    page.evaluate("console.log('fine'); console.warn('so so')")
    assert watch.complaints == []


def test_a_device_is_signed_in_and_another_is_not(
    page: Page, new_context: NewContext, ann: Player, sign_in: SignIn, watch: Watch
) -> None:
    watch.allow("status of 401")
    sign_in(page, ann)
    answer = page.goto(ME)
    assert answer is not None
    assert answer.json()["name"] == "ann"
    answer = new_context().new_page().goto(ME)
    assert answer is not None
    assert answer.status == 401
