"""A real browser on a real server: Debian's Chromium, one for each worker, a fresh context for each test.

Pages are named by their path, ``page.goto("/play/")``. A test fails at its end when its pages complained, see
`Watch`. Emulation is asked for with a mark, ``@pytest.mark.browser_context_args(viewport=PHONE)``, or of
``new_context``. The server runs in threads of this process, so ``tests.cast.clock`` is its clock too; the
browser and Django's sessions go by the real one (``page.clock`` moves the browser's).
"""

import os
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from pytest_django.live_server_helper import LiveServer

from players.models import Player
from tests.web.browser.accessibility import Axe, check_accessibility
from tests.web.browser.watch import NewContext, SignIn, Watch

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs, the one that takes the least time first: it is the same engine without windows."""
WITHOUT = [
    # What Playwright leaves out and pages here could notice: a second list takes the place of its own.
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    # Two pages that each window loads for its address bar; most of what a new context would cost.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
]
"""Features of Chromium."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    f"--disable-features={','.join(WITHOUT)}",
    "--disable-quic",
    "--disable-background-networking",
    "--no-proxy-server",
    # Nothing but the live server can be reached, whatever a page or the browser itself would like to have.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
]
TIMEOUT_MS = 20_000
"""How long a page may take to show what a test waits for; only a failing test waits so long."""


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program. Without one a test is skipped, or fails where ``CI`` says that all must run."""
    found = find_chromium()
    if found:
        return found
    reason = f"no Chromium on the path ({', '.join(NAMES)}); on Debian: apt install chromium-headless-shell"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium: str, browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """How pytest-playwright starts the browser."""
    return {**browser_type_launch_args, "executable_path": chromium, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def playwright(chromium: str, playwright: Playwright) -> Iterator[Playwright]:
    """Playwright. Its event loop sleeps in this thread from now on, which Django has to be told is fine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=TIMEOUT_MS)
        yield playwright


@pytest.fixture(scope="session")
def live_server(chromium: str, django_db_setup: None, live_server: LiveServer) -> LiveServer:
    """The server, which stops before its database goes."""
    return live_server


@pytest.fixture(scope="session")
def base_url(live_server: LiveServer) -> str:
    """What paths are relative to."""
    return live_server.url


@pytest.fixture
def new_context(transactional_db: None, new_context: NewContext, watch: Watch) -> Iterator[NewContext]:
    """Make a context of its own, another device, with these options of ``browser.new_context``."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        # Only the tests of the service worker let it come between page and server.
        context = watch.over(new_context(**{"service_workers": "block", **options}))
        context.set_default_timeout(TIMEOUT_MS)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    wait_for_requests()
    if watch.complaints:
        pytest.fail("The browser complained:\n" + "\n".join(watch.complaints), pytrace=False)


def wait_for_requests() -> None:
    """Let the server finish what browsers that are gone asked of it, before the database is emptied."""
    for thread in threading.enumerate():
        if thread.name.endswith("(process_request_thread)"):
            thread.join(TIMEOUT_MS / 1000)


@pytest.fixture
def watch() -> Watch:
    """What fails a test at its end; ``watch.allow`` lets expected complaints pass."""
    return Watch()


@pytest.fixture
def sign_in(live_server: LiveServer) -> SignIn:
    """Sign the player in on a device, with a session as the site makes one: ``sign_in(page, ann)``."""

    def sign_in(device: BrowserContext | Page, player: Player) -> None:
        client = Client()
        client.force_login(player)
        context = device.context if isinstance(device, Page) else device
        name = settings.SESSION_COOKIE_NAME
        context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])

    return sign_in


@pytest.fixture(scope="session")
def axe() -> Axe:
    """Hold a page as it stands to axe-core's rules of accessibility: ``axe(page)``; what is serious fails."""
    return check_accessibility
