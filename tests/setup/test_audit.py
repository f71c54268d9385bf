"""The audit of the locked packages, against an OSV of our own."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests import audit
from tests.services import free_port

PACKAGE = '[[package]]\nname = "{}"\nversion = "1.0"\nsource = {}\n'
LOCK = "".join(
    PACKAGE.format(name, source)
    for name, source in {
        "ours": '{ virtual = "." }',
        "sound": '{ registry = "https://pypi.org/simple" }',
        "broken": '{ registry = "https://pypi.org/simple" }',
    }.items()
)
ADVISORY = {
    "id": "PYSEC-2026-1",
    "aliases": ["CVE-2026-1"],
    "summary": "Lets anybody in.",
    "affected": [
        {
            "package": {"name": "broken", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.1"}]}],
        }
    ],
}


class Osv(ThreadingHTTPServer):
    """Knows one advisory, or answers with another status."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.status, self.known, self.asked = 200, {"broken": ADVISORY}, set[str]()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1/query"


class Answer(BaseHTTPRequestHandler):
    server: Osv

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name = question["package"]["name"]
        self.server.asked.add(f"{name} {question['version']}")
        body = json.dumps({"vulns": [self.server.known[name]]} if name in self.server.known else {}).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def osv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Osv]:
    (tmp_path / "uv.lock").write_text(LOCK)
    monkeypatch.setattr(audit, "LOCK", tmp_path / "uv.lock")
    with Osv() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_known_vulnerability_is_told_and_fails(osv: Osv, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main(osv.url) == audit.VULNERABLE
    assert capsys.readouterr().out == "broken 1.0: PYSEC-2026-1 CVE-2026-1, mended in 1.1\n"
    assert osv.asked == {"sound 1.0", "broken 1.0"}


def test_an_accepted_one_does_not(osv: Osv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(audit.ACCEPTED, "PYSEC-2026-1", "we let everybody in")
    assert audit.main(osv.url) == audit.CLEAN


def test_nothing_known_is_clean(osv: Osv, capsys: pytest.CaptureFixture[str]) -> None:
    osv.known = {}
    assert audit.main(osv.url) == audit.CLEAN
    assert capsys.readouterr().out == "2 packages, nothing known against them.\n"


@pytest.mark.parametrize("status", [404, 503])
def test_an_answer_that_is_none_is_no_verdict(osv: Osv, status: int) -> None:
    osv.status = status
    assert audit.main(osv.url) == audit.UNKNOWN


def test_out_of_reach_is_no_verdict(osv: Osv, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main(f"http://127.0.0.1:{free_port()}/") == audit.UNKNOWN
    assert capsys.readouterr().out.startswith("not audited: OSV could not be asked")


def test_an_auditor_that_breaks_is_a_failure(osv: Osv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "locked", lambda _lock: ["not a requirement"])
    assert audit.main(osv.url) == audit.VULNERABLE


def test_every_package_of_the_lock_is_audited() -> None:
    names = {line.partition("==")[0] for line in audit.locked(audit.LOCK)}
    assert {"django", "granian", "psycopg-binary", "pytest", "pip-audit"} <= names
