"""The check for accessibility finds what is wrong with a page, whatever the page's security policy."""

import pytest
from playwright.sync_api import Page

from tests.web.browser.accessibility import Axe

PAGE = "<!doctype html><html lang=en><title>A page</title><main><h1>A page</h1>{}</main></html>"


def test_a_sound_page_passes(page: Page, axe: Axe) -> None:
    page.set_content(PAGE.format("<button>Play</button>"))
    axe(page)


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("<button></button>", "button-name"),
        ("<p style='color: #999; background: #fff'>Pale</p>", "color-contrast"),
        ("<a href=/a style='font-size: 5px'>a</a><br><a href=/b style='font-size: 5px'>b</a>", "target-size"),
    ],
)
def test_what_is_wrong_is_named(page: Page, axe: Axe, content: str, rule: str) -> None:
    page.set_content(PAGE.format(content))
    with pytest.raises(AssertionError, match=rule):
        axe(page)


def test_a_page_with_a_strict_security_policy_is_checked_too(page: Page, axe: Axe) -> None:
    page.goto("/admin/login/")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    with pytest.raises(AssertionError, match="button-name"):
        axe(page)
