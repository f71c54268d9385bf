"""What a browser complains about while a test looks at pages."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, WebError

from players.models import Player

type NewContext = Callable[..., BrowserContext]
type SignIn = Callable[[BrowserContext | Page, Player], None]

REPORT_VIOLATIONS = """
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`CSP: ${event.violatedDirective} refused ${event.blockedURI || event.sourceFile}`);
    });
"""


class Watch:
    """Collects errors on consoles, exceptions nobody caught and violations of the security policy."""

    def __init__(self) -> None:
        self._complaints: list[str] = []
        self._allowed: list[str] = []

    def allow(self, *patterns: str) -> None:
        """Let pass, at any time of the test, the complaints in which one of these patterns is found.

        An answer that a page asks for on purpose: ``watch.allow("status of 404")``. Being offline:
        ``watch.allow("ERR_INTERNET_DISCONNECTED")``.
        """
        self._allowed += patterns

    def over(self, context: BrowserContext) -> BrowserContext:
        """Watch every page of this context from now on."""
        context.on("console", self._hear)
        context.on("weberror", self._catch)
        context.add_init_script(REPORT_VIOLATIONS)
        return context

    @property
    def complaints(self) -> list[str]:
        """What was heard and is not allowed, each with the page it came from."""
        return [told for told in self._complaints if not self._is_allowed(told)]

    def _is_allowed(self, told: str) -> bool:
        return any(re.search(pattern, told) for pattern in self._allowed)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "assert"):
            source = message.location["url"] or (message.page.url if message.page else "")
            self._complaints.append(f"{source}: {message.text}")

    def _catch(self, error: WebError) -> None:
        page = error.page.url if error.page else "a page that is gone"
        self._complaints.append(f"{page}: {error.error.stack or error.error}")
