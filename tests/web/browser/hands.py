"""Hands that play a move log on a drawn table: by tapping, by dragging, or with nothing but the keyboard."""

from collections import Counter
from collections.abc import Callable, Sequence

from playwright.sync_api import Locator, Page

from daily.choosing import PATIENT, SolvedDeal
from daily.models import Challenge

type Hand = Callable[[Page, Sequence[str]], None]


def best_log(challenge: Challenge) -> list[str]:
    """A log that clears the most there is, found by the solver."""
    return list(SolvedDeal.of(challenge.deal, challenge.ruleset, PATIENT).best.log)


def tap(page: Page, log: Sequence[str]) -> None:
    """Tap each card, and the stock."""
    for move in log:
        for target in targets(page, move):
            target.click()


def rush(page: Page, log: Sequence[str]) -> None:
    """Click faster than any finger, for tests that are about something else."""
    page.evaluate(CLICKS, list(log))


CLICKS = """(log) => {
  for (const move of log) {
    const names = move.length > 1 ? move.match(/../g).map((card) => `[data-card="${card}"]`) : [];
    const others = move === "U" ? ['[data-do="undo"]'] : [".pile"];
    for (const name of names.length ? names : others) document.querySelector(name).click();
  }
}"""


def drag(page: Page, log: Sequence[str]) -> None:
    """Drag each card of a pair onto its partner; what has no partner is tapped."""
    for move in log:
        ends = targets(page, move)
        if len(ends) == 1:
            ends[0].click()
        else:
            carry(page, *ends)


def carry(page: Page, card: Locator, partner: Locator) -> None:
    """Press the mouse on the corner of a card, which shows even where others lie on it; let go on another.

    A card on its way may pass between the mouse and what it is pressed on.
    """
    settle(page)
    card.hover(position={"x": 10, "y": 10})
    page.mouse.down()
    place = partner.bounding_box()
    assert place
    page.mouse.move(place["x"] + 10, place["y"] + 10, steps=4)
    page.mouse.up()


def settle(page: Page) -> None:
    """Wait until nothing moves any more."""
    page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => {})")


def use_keys(page: Page, log: Sequence[str]) -> None:
    """Go to each card with the arrows and pick it with Enter; draw, redeal and undo with their letters."""
    for move in log:
        if len(move) == 1:
            page.keyboard.press(move.lower())
        for card in (move[start : start + 2] for start in range(0, len(move), 2) if len(move) > 1):
            go_to(page, card)
            page.keyboard.press("Enter")


def go_to(page: Page, card: str) -> None:
    """Press arrows until the card has the focus: the nearest way, and from one card another each time.

    A card that is on its way somewhere may mislead, so where all have been tried they are tried again.
    """
    tried: Counter[tuple[str, str]] = Counter()
    for _ in range(60):
        here = page.evaluate(WAY, card)
        if here["at"] == card:
            return
        arrow = min(here["arrows"], key=lambda one: tried[here["at"], one])
        tried[here["at"], arrow] += 1
        page.keyboard.press(arrow)
    raise AssertionError(f"{card} cannot be reached with the arrows")


WAY = """(card) => {
  const centre = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const focused = document.activeElement?.closest(".card, .pile");
  const first = document.querySelector(".is-in-play, .pile");
  const [from, to] = [centre(focused ?? first), centre(document.querySelector(`[data-card="${card}"]`))];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const sideways = [dx > 0 ? "ArrowRight" : "ArrowLeft", dx > 0 ? "ArrowLeft" : "ArrowRight"];
  const upright = [dy > 0 ? "ArrowDown" : "ArrowUp", dy > 0 ? "ArrowUp" : "ArrowDown"];
  const [near, far] = Math.abs(dx) > Math.abs(dy) ? [sideways, upright] : [upright, sideways];
  const at = focused?.dataset.card ?? focused?.className ?? "";
  return { at, arrows: [near[0], far[0], far[1], near[1]] };
}"""


def targets(page: Page, move: str) -> list[Locator]:
    """What a move is made with: its cards, the stock, or the button that takes a move back."""
    if move == "U":
        return [page.locator('[data-do="undo"]')]
    if len(move) == 1:
        return [page.locator(".pile")]
    return [page.locator(f'[data-card="{move[start : start + 2]}"]') for start in range(0, len(move), 2)]
