"""A settled day verified in the browser: what holds, and what a bundle that was tampered with is told of."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from daily.models import Challenge
from games.pyramid import replay
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, make_player, started

pytestmark = pytest.mark.django_db(transaction=True)

NDJSON = "application/x-ndjson"
PATH = f"/days/{DAY}/verify/"
CHECKS = {"commitment", "deal", "best", "runs", "ranks", "digest", "history"}

type Lines = list[dict[str, Any]]


@pytest.fixture
def settled(transactional_db: None, clock: FrozenClock) -> Challenge:
    """A day with five runs."""
    challenge = make_challenge(DAY)
    best = greedy_log(challenge, 9)
    challenge.best_clear = replay(challenge.deal, challenge.ruleset, best).cleared
    challenge.best_line_text = " ".join(best)
    challenge.save()
    for name, clears in {"ann": 4, "bob": 4, "cy": 2, "dee": 6, "eve": 0}.items():
        attempt = started(make_player(name))
        clock.advance(seconds=30)
        submit_run(player=attempt.player, attempt_id=attempt.pk, log=greedy_log(challenge, clears))
    clock.advance(days=2)
    assert settle_due(clock.moment)
    return challenge


def tamper(page: Page, change: Callable[[Lines], object]) -> None:
    """Let the browser get another bundle than the server sends."""

    def answer(route: Route) -> None:
        lines = [json.loads(line) for line in route.fetch().text().splitlines()]
        change(lines)
        route.fulfill(body="".join(f"{json.dumps(line)}\n" for line in lines), content_type=NDJSON)

    page.route("**/bundle/", answer)


def verify(page: Page) -> Locator:
    """Press the button; what it comes to."""
    page.goto(PATH)
    page.get_by_role("button", name="Verify this day").click()
    expect(page.get_by_role("button", name="Verify again")).to_be_enabled()
    return page.locator("#verdict")


def differing(page: Page) -> set[str]:
    return {str(item.get_attribute("data-check")) for item in page.locator("#checks > .differs").all()}


def test_a_day_holds(page: Page, settled: Challenge) -> None:
    verdict = verify(page)
    expect(verdict).to_contain_text("This day holds.")
    expect(verdict).to_contain_text("5 runs, 5 ranked.")
    expect(verdict).to_contain_text(settled.commitment)
    expect(page.locator("#checks > .holds")).to_have_count(len(CHECKS))


@pytest.mark.parametrize(
    ("change", "checks", "told"),
    [
        (lambda lines: lines[0].update(salt="0" * 32), {"commitment"}, "rules, salt and deck make it"),
        (lambda lines: lines[0].update(commitment="0" * 64), {"commitment"}, "another commitment"),
        (lambda lines: lines[0].update(code="PYR1-0000-0000-0000-0017"), {"deal"}, "deals another deck"),
        (lambda lines: lines[0].update(rules_version=2), {"deal"}, "in version 2"),
        (lambda lines: lines[0].update(best_clear=28), {"best"}, "not the 28"),
        (lambda lines: lines[0]["best_line"].append("R"), {"best"}, "the best line is not legal"),
        (lambda lines: lines[1].update(elapsed_ms=1), {"digest"}, "that of these runs is"),
        (lambda lines: lines[1].update(cleared=28), {"runs"}, "cleared is 28, and the log makes it"),
        (lambda lines: lines[1].update(won=True), {"runs"}, "won is true"),
        (lambda lines: lines[1].update(points=1000), {"runs"}, "points is 1000"),
        (lambda lines: lines[2].update(rank=1), {"ranks"}, "line 3 has rank 1"),
        (lambda lines: lines[3].update(log=["R"]), {"runs", "digest"}, "the log is not legal"),
        (lambda lines: lines[3].update(log=None), {"runs", "ranks", "digest"}, "the form of a run"),
        (lambda lines: lines.pop(), {"runs", "ranks", "digest"}, "5 runs are announced, and 4 lines follow"),
        (lambda lines: lines.insert(1, lines.pop(3)), {"ranks", "digest"}, "belongs before the one above"),
        (lambda lines: lines.append(lines[-1]), {"runs", "ranks", "digest"}, "it is there twice"),
        (lambda lines: lines[0].update(digest="0" * 64), {"digest", "history"}, "another digest"),
        (lambda lines: lines[0]["revisions"].pop(), {"history"}, "there is no revision"),
        (lambda lines: lines[0].update(closes_at="2026-12-02"), {"history"}, "closes at"),
        (lambda lines: lines[0].update(voided=True), {"ranks"}, "the day is void"),
    ],
)  # fmt: skip
def test_what_differs_is_told(
    page: Page, settled: Challenge, change: Callable[[Lines], object], checks: set[str], told: str
) -> None:
    tamper(page, change)
    expect(verify(page)).to_contain_text("This day does not hold.")
    assert differing(page) == checks
    expect(page.locator("#checks > .differs").filter(has_text=told)).to_have_count(1)


@pytest.mark.parametrize("body", ["", "{}\n", "no bundle\n"])
def test_what_is_no_bundle_proves_nothing(page: Page, settled: Challenge, body: str) -> None:
    page.route("**/bundle/", lambda route: route.fulfill(body=body, content_type=NDJSON))
    expect(verify(page)).to_contain_text("It could not be checked to the end.")
    expect(page.locator("#checks > .holds")).to_have_count(0)


def test_a_server_that_does_not_answer_proves_nothing(page: Page, settled: Challenge, watch: Any) -> None:
    watch.allow("status of 503")
    page.route("**/bundle/", lambda route: route.fulfill(status=503))
    expect(verify(page)).to_contain_text("The server answered 503")


def test_a_day_that_is_not_settled_has_no_button(
    page: Page, transactional_db: None, clock: FrozenClock
) -> None:
    make_challenge(DAY)
    page.goto(PATH)
    expect(page.get_by_role("button", name="Verify this day")).to_have_count(0)
