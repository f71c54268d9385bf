"""Every page there is, on phone and desktop, in the light and in the dark, signed in and out."""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page

from daily.models import Challenge, Run
from leaderboard.leagues import create_league, join_league, show_code
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, make_player, started
from tests.web.browser.accessibility import axe_core, check_accessibility
from tests.web.browser.watch import NewContext, SignIn, Watch

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, DESKTOP = {"width": 320, "height": 568}, {"width": 1440, "height": 900}
SCRIPT, TURNED, MARKED = "<script>boom()</script>", "\u202eevil", "Z\u0335\u0310\u0310a\u0324lgo"
WIDE = 24 * "W"
"""As wide as a name can be."""
LEAST_PAGES = 25
"""So many there are for whoever looks, and more for whoever is signed in."""
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
NO_PAGE = re.compile(r"\.\w+$|^/(api|admin|healthz|readyz|metrics)\b|/export/|/download/|^/__")

FAULTS_OF_PAGE = """
() => {
  const faults = [];
  const title = document.title.replace(/ · Pyramid Daily$/, "").trim();
  if (!title) faults.push("it has no title");
  const headings = document.querySelectorAll("h1:not([hidden] *)").length;
  if (headings !== 1) faults.push(`it has ${headings} h1`);
  const beyond = document.documentElement.scrollWidth - innerWidth;
  if (beyond > 0) faults.push(`it scrolls ${beyond} pixels sideways`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (/\\u202e/.test(data) && !parentElement.closest("bdi, script, textarea, option, [dir=auto]")) {
      faults.push(`${data.trim()} turns what is around it, in ${parentElement.outerHTML.slice(0, 120)}`);
    }
  }
  return faults;
}
"""


class Stage:
    """A settled day, an open one and a league; the players' names would do harm if they could."""

    def __init__(self, clock: FrozenClock) -> None:
        self.days = [make_challenge(DAY), make_challenge(DAY.replace(month=12, day=2))]
        self.players = [make_player(name) for name in (WIDE, SCRIPT, TURNED, MARKED)]
        for challenge, clears in zip(self.days, (6, 4), strict=True):
            clock.moment = challenge.opens_at.replace(hour=12)
            settle_due(clock.moment)
            for player in self.players:
                play(player, challenge, clears)
        self.ann, owner, *others = self.players
        self.ann.is_guest, self.ann.email = False, "ann@example.org"
        self.ann.set_password("correct horse battery")
        self.ann.save()
        self.league = create_league(owner=owner, name="Sunday", now=clock.moment)
        for player in (self.ann, *others):
            join_league(player=player, code=self.league.code, now=clock.moment)

    def addresses(self) -> Iterator[str]:
        """Every address that may be a page, with values that lead somewhere."""
        for route in routes(get_resolver().url_patterns):
            template = "/" + PARAMETER.sub("{}", route)
            if NO_PAGE.search(template):
                continue
            for values in product(*map(self.values, PARAMETER.findall(route))):
                yield template.format(*values)
        yield "/nothing/"

    def values(self, name: str) -> list[Any]:
        """What to put in the place of a parameter of an address."""
        runs = Run.objects.filter(player=self.ann)
        known: dict[str, list[Any]] = {
            "code": [show_code(self.league.code)],
            "day": [*self.days, "today", "2026-12-03"],
            "link": ["nothing"],
            "name": [WIDE, TURNED],
            "period": ["2026-12", "2026-W49"],
            "pk": [1],
            "run_id": [run.pk for run in runs],
            "slug": ["endless", "cover-pairs"],
            "token_id": [1],
        }
        return known[name]


def play(player: Player, challenge: Challenge, clears: int) -> None:
    submit_run(player=player, attempt_id=started(player).pk, log=greedy_log(challenge, clears))


def routes(patterns: Iterable[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    """Every route of the URL configuration."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


@pytest.fixture
def stage(transactional_db: None, clock: FrozenClock) -> Stage:
    return Stage(clock)


def each_page(page: Page, addresses: Iterable[str]) -> Iterator[Page]:
    """Open each page that an address leads to; what only takes a POST or answers a file has none."""
    seen = set()
    for address in addresses:
        asked = page.request.get(address)
        assert asked.status < 500, address
        is_page = asked.status != 405 and asked.headers.get("content-type", "").startswith("text/html")
        if is_page and asked.url not in seen:
            seen.add(asked.url)
            page.goto(asked.url)
            yield page
    assert len(seen) > LEAST_PAGES


def faults_of(page: Page) -> list[str]:
    """What is wrong with the page that is open."""
    faults = [f"{page.url}: {fault}" for fault in page.evaluate(FAULTS_OF_PAGE)]
    try:
        check_accessibility(page)
    except AssertionError as findings:
        faults.append(str(findings))
    return faults


@pytest.mark.parametrize(
    ("viewport", "scheme", "is_signed_in"),
    [(PHONE, "light", True), (DESKTOP, "dark", False)],
    ids=["phone, light, signed in", "desktop, dark"],
)
def test_no_page_has_a_fault(
    new_context: NewContext,
    sign_in: SignIn,
    watch: Watch,
    stage: Stage,
    viewport: dict[str, int],
    scheme: str,
    is_signed_in: bool,
) -> None:
    watch.allow("status of 40[3-5]")
    page = new_context(viewport=viewport, color_scheme=scheme).new_page()
    page.add_init_script(axe_core())  # once for all pages
    if is_signed_in:
        sign_in(page, stage.ann)
    faults = [fault for opened in each_page(page, stage.addresses()) for fault in faults_of(opened)]
    assert not faults, "\n".join(faults)


def test_no_page_needs_scripts_to_say_what_it_is_about(
    new_context: NewContext, sign_in: SignIn, watch: Watch, stage: Stage
) -> None:
    watch.allow("status of 40[3-5]")
    page = new_context(java_script_enabled=False).new_page()
    sign_in(page, stage.ann)
    for opened in each_page(page, stage.addresses()):
        assert opened.locator("h1").count() == 1, opened.url
        assert len(opened.locator("main").inner_text()) > 40, opened.url
