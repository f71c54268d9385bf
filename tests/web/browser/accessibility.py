"""What axe-core finds wrong with a page for people who see, hear or move differently."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from playwright.sync_api import Page

type Axe = Callable[[Page], None]

CHECK = """async () => {
  const rules = { "target-size": { enabled: true } };
  const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
  const told = ({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\\n  ${html}\\n  ${failureSummary}`);
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).flatMap(told);
}"""


@cache
def axe_core() -> str:
    """axe-core as it is published; evaluated, not embedded, it needs no leave of a security policy."""
    return (Path(__file__).parents[2] / "data" / "axe" / "axe.min.js").read_text()


def check_accessibility(page: Page) -> None:
    """Fail with the list of serious and critical findings, each with its element and how to repair it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_core())
    findings: list[str] = page.evaluate(CHECK)
    assert not findings, f"{page.url} is not accessible:\n" + "\n".join(findings)
