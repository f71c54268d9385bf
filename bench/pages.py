"""What pages weigh on the first visit, and how soon they can be used: `python -m bench.pages [--rounds 5]`.

Collects the static files as the image does, hashed and packed, serves them with granian on a new SQLite
database, and opens each page in Chromium with an empty cache. A file counts with the bytes of its body as
sent; a page, which the proxy packs, with what gzip makes of it. Usable means that a press would do something:
the start of the day is there, cards can be picked, or, where all is links, the page is parsed. Times are
medians, in milliseconds from the request on: without latency, again with everything in the cache, and for the
first time on a slow mobile network. The load of the machine is printed, because it decides them.
"""

import argparse
import gzip
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from statistics import median
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, Response, ViewportSize, sync_playwright

from tests.services import free_port

GOAL_BYTES, GOAL_PAGE = 100_000, "/play/"
USABLE = {
    "/": "document.readyState !== 'loading'",
    "/play/": "document.querySelector('#start:not([hidden])')",
    "/practice/": "document.querySelector('.card.is-in-play')",
}
"""When each page can be used."""
FOR_OTHER_PAGES = ["admin", "drf_spectacular_sidecar", "rest_framework"]
"""Files that no page here wants, and that take a minute to pack."""
PHONE: ViewportSize = {"width": 390, "height": 844}
ARGUMENTS = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--no-proxy-server"]
NAMES = ("chromium", "chromium-browser", "google-chrome")
KINDS = ("document", "stylesheet", "script", "image", "other")
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
"""A slow mobile network: milliseconds, bytes a second."""
PROXY_LEVEL = 1
"""How hard nginx packs when nothing is said."""
TIMEOUT_MS = 20_000


@dataclass
class Visit:
    """The first visit to a page: bytes and requests of each kind, and when it could be used."""

    bytes: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    usable_ms: float = 0.0
    again_ms: float = 0.0
    """The same once everything is in the cache."""
    slow_ms: float = 0.0
    """The same for the first time on a slow network."""

    @property
    def total(self) -> int:
        """All bytes."""
        return sum(self.bytes.values())


def main() -> None:
    """Measure and print; fails where the page that has a goal is heavier."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with TemporaryDirectory() as place, _server(place) as url, _chromium() as browser:
        visits = {path: [_visit(browser, url, path) for _ in range(rounds)] for path in USABLE}
    _print(visits)
    heaviest = visits[GOAL_PAGE][0].total
    if heaviest > GOAL_BYTES:
        sys.exit(f"{GOAL_PAGE} weighs {heaviest} bytes; the goal is {GOAL_BYTES}.")


@contextmanager
def _server(place: str) -> Iterator[str]:
    """The service with packed static files in this folder; its address."""
    environment = {"DEBUG": "0", "DEMO": "0", "SECURE_HTTPS": "0", "DATABASE_URL": "", "REDIS_URL": ""}
    os.environ.update(environment, VAR_DIR=place, SECRET_KEY=secrets.token_urlsafe(48), LOG_LEVEL="ERROR")
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.packed"
    _prepare()
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws", "--port", str(port)]
    command += ["--blocking-threads", "4", "--log-level", "error"]
    process = subprocess.Popen([*command, "config.wsgi:application"], start_new_session=True)
    try:
        _wait(port)
        yield f"http://localhost:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _prepare() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("schedule_ahead", stdout=StringIO())
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=FOR_OTHER_PAGES)


def _wait(port: int) -> None:
    for _ in range(200):
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


@contextmanager
def _chromium() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


def _visit(browser: Browser, url: str, path: str) -> Visit:
    """Visit with an empty cache and no worker, then once more; and as somebody else on a slow network."""
    visit, responses = Visit(), list[Response]()
    with _device(browser) as page:
        page.on("response", lambda response: responses.append(response))
        visit.usable_ms = _usable_ms(page, url, path)
        page.wait_for_load_state("networkidle")
        for response in responses:
            visit.requests += 1
            visit.bytes[_kind(response)] += _size(response)
        visit.again_ms = _usable_ms(page, url, path)
    with _device(browser) as page:
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
        visit.slow_ms = _usable_ms(page, url, path)
    return visit


@contextmanager
def _device(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has seen nothing yet."""
    context = browser.new_context(viewport=PHONE, service_workers="block")
    context.set_default_timeout(TIMEOUT_MS)
    yield context.new_page()
    context.close()


def _usable_ms(page: Page, url: str, path: str) -> float:
    page.goto(url + path, wait_until="commit")
    usable: float = page.wait_for_function(f"() => ({USABLE[path]}) && performance.now()").json_value()
    return usable


def _kind(response: Response) -> str:
    kind = response.request.resource_type
    return kind if kind in KINDS else "other"


def _size(response: Response) -> int:
    if response.header_value("content-encoding"):
        return response.request.sizes()["responseBodySize"]
    return len(gzip.compress(response.body(), PROXY_LEVEL))


def _print(visits: dict[str, list[Visit]]) -> None:
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; Chromium, {PHONE['width']} pixels wide")
    print(
        f"{'page':<12}{'requests':>8}",
        *(f"{kind:>10}" for kind in KINDS),
        "    bytes  usable ms  again   slow",
    )
    for path, rounds in visits.items():
        first = rounds[0]
        usable, again, slow = (
            median(getattr(visit, name) for visit in rounds) for name in ("usable_ms", "again_ms", "slow_ms")
        )
        weights = (f"{first.bytes[kind]:>10}" for kind in KINDS)
        print(
            f"{path:<12}{first.requests:>8}",
            *weights,
            f"{first.total:>9}{usable:>11.0f}{again:>7.0f}{slow:>7.0f}",
        )


if __name__ == "__main__":
    main()
