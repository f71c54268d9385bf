"""The proxy of docker-compose.yml, run as it is configured, before a web that writes down what it gets."""

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from api import errors
from api.middleware import MAX_BODY_BYTES
from tests.services import free_port

ROOT = Path(__file__).parents[2]
CONFIG = (ROOT / "deploy" / "nginx.conf").read_text()
PROBLEM = "application/problem+json"
TIMEOUT_S = 20
STATUSES = {"/api/v1/missing/": 404, "/broken/": 500, "/away/": 503, "/api/v1/headers/": 431}
"""What the web answers that is not 200."""
ANSWERS = {"/days/": b"<p>A day and another.</p>" * 100}


@dataclass
class Web:
    """What a web behind the proxy was asked, and its port."""

    port: int = field(default_factory=free_port)
    seen: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)

    def handler(self) -> type[BaseHTTPRequestHandler]:
        seen = self.seen

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                seen.append((self.command, self.path, headers, body))
                self.send_response(STATUSES.get(self.path, 200))
                answer = ANSWERS.get(self.path, b"web")
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                return

        return Handler


@dataclass
class Proxy:
    """A running proxy and the web behind it."""

    url: str
    web: Web
    place: Path

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(self.url + path, headers=headers, timeout=TIMEOUT_S)

    def open(self) -> socket.socket:
        """A connection to say anything over."""
        return socket.create_connection(("127.0.0.1", httpx.URL(self.url).port or 0), timeout=TIMEOUT_S)


def nginx() -> str:
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    return program


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The proxy with its addresses and folders exchanged for ones that exist here."""
    program, place, web, port = nginx(), tmp_path_factory.mktemp("proxy"), Web(), free_port()
    place.chmod(0o755)
    text = CONFIG.replace("/tmp/", f"{place}/").replace("web:8000", f"127.0.0.1:{web.port}")
    text = text.replace("listen 8080", f"listen 127.0.0.1:{port}").replace("10s;", "2s;")
    (place / "nginx.conf").write_text(text)
    server = ThreadingHTTPServer(("127.0.0.1", web.port), web.handler())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = [program, "-c", str(place / "nginx.conf"), "-p", str(place), "-g", "daemon off;"]
    with (place / "log").open("wb") as log, subprocess.Popen(command, stderr=log) as process:
        running = Proxy(f"http://127.0.0.1:{port}", web, place)
        try:
            wait_until_listening(running, process, place / "log")
            yield running
        finally:
            process.terminate()
            process.wait()
            server.shutdown()
            server.server_close()


def wait_until_listening(running: Proxy, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        try:
            running.open().close()
            return
        except OSError:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)


@pytest.fixture(autouse=True)
def nothing_seen(proxy: Proxy) -> None:
    proxy.web.seen.clear()


def check_problem(response: httpx.Response, status: int, code: str) -> None:
    """The refusal is a document as the service itself writes them, under one of its codes."""
    assert (response.status_code, response.headers["Content-Type"]) == (status, PROBLEM)
    assert response.headers["Cache-Control"] == "no-store"
    document = response.json()
    assert (document["status"], document["code"]) == (status, code)
    assert document["type"] == errors.TYPE_PREFIX + code
    assert document["title"] == errors.title(code)
    assert document["detail"]


def test_a_request_reaches_web_as_it_was_sent(proxy: Proxy) -> None:
    answer = httpx.post(f"{proxy.url}/api/v1/replay//x/%2F?a=%20b&a=c", content=b"{}", headers={"X-A": "b"})
    assert (answer.status_code, answer.text) == (200, "web")
    [(method, path, headers, body)] = proxy.web.seen
    assert (method, path, body) == ("POST", "/api/v1/replay//x/%2F?a=%20b&a=c", b"{}")
    assert headers["host"] == proxy.url.removeprefix("http://")
    assert headers["x-a"] == "b"


def test_web_is_told_who_asked_and_how_by_whom_it_may_believe(proxy: Proxy) -> None:
    proxy.get("/", **{"X-Forwarded-For": "203.0.113.9, 192.0.2.7", "X-Forwarded-Proto": "https"})
    proxy.get("/", **{"X-Forwarded-Proto": "gopher"})
    first, second = (headers for _, _, headers, _ in proxy.web.seen)
    assert first["x-forwarded-for"] == "203.0.113.9, 192.0.2.7, 127.0.0.1"
    assert first["x-forwarded-proto"] == "https"
    assert (second["x-forwarded-for"], second["x-forwarded-proto"]) == ("127.0.0.1", "http")


def test_what_web_would_take_for_the_proxys_word_is_dropped(proxy: Proxy) -> None:
    forged = {
        "X_Forwarded_For": "203.0.113.9",
        "X-Forwarded_Proto": "https",
        "x_forwarded-for": "203.0.113.9",
    }
    proxy.get("/", **forged)
    [(_, _, headers, _)] = proxy.web.seen
    assert not [name for name in headers if "_" in name]
    assert (headers["x-forwarded-for"], headers["x-forwarded-proto"]) == ("127.0.0.1", "http")


@pytest.mark.parametrize("path", ["/api/v1/missing/", "/broken/", "/away/"])
def test_a_refusal_of_web_is_passed_on_as_it_is(proxy: Proxy, path: str) -> None:
    answer = proxy.get(path)
    assert (answer.status_code, answer.text) == (STATUSES[path], "web")


def test_what_webs_server_refuses_without_a_word_is_put_in_words(proxy: Proxy) -> None:
    check_problem(proxy.get("/api/v1/headers/"), 400, "bad_request")
    with proxy.open() as client:
        client.sendall(b"GET /api/v1/\xe9\xff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert b'"code":"bad_request"' in b"".join(iter(lambda: client.recv(4096), b""))
    assert [path for _, path, _, _ in proxy.web.seen] == ["/api/v1/headers/"]


def test_web_sees_a_body_only_when_it_is_complete(proxy: Proxy) -> None:
    with proxy.open() as client:
        client.sendall(b"POST /api/v1/replay/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab")
        assert proxy.get("/").status_code == 200
        assert [path for _, path, _, _ in proxy.web.seen] == ["/"]
        client.sendall(b"cd")
        assert client.recv(100).startswith(b"HTTP/1.1 200")
    assert proxy.web.seen[-1][3] == b"abcd"


def test_a_body_in_chunks_reaches_web_with_its_length(proxy: Proxy) -> None:
    httpx.post(f"{proxy.url}/api/v1/replay/", content=iter([b"ab", b"cd"]))
    [(_, _, headers, body)] = proxy.web.seen
    assert (headers["content-length"], body) == ("4", b"abcd")
    assert "transfer-encoding" not in headers


@pytest.mark.parametrize("rest", [b"5\r\nab", b"zz\r\nab\r\n0\r\n\r\n", b"2\r\nab\r\n"])
def test_a_body_that_breaks_off_or_is_in_broken_chunks_never_reaches_web(proxy: Proxy, rest: bytes) -> None:
    head = b"POST /api/v1/replay/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with proxy.open() as client:
        client.sendall(head + rest)
        client.shutdown(socket.SHUT_WR)
        assert not client.recv(1000).startswith(b"HTTP/1.1 2")
    assert not proxy.web.seen


def test_who_sends_too_slowly_is_given_up_on(proxy: Proxy) -> None:
    with proxy.open() as client:
        client.sendall(b"POST /api/v1/replay/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab")
        with pytest.raises(ConnectionResetError):
            client.recv(1000)
    assert not proxy.web.seen


def test_a_body_that_is_too_large_is_refused_unread(proxy: Proxy) -> None:
    answer = httpx.post(f"{proxy.url}/api/v1/replay/", content=b"x" * (MAX_BODY_BYTES + 1))
    check_problem(answer, 413, "body_too_large")
    assert not proxy.web.seen


def test_the_largest_body_that_web_reads_gets_through(proxy: Proxy) -> None:
    assert httpx.post(f"{proxy.url}/api/v1/replay/", content=b"x" * MAX_BODY_BYTES).status_code == 200
    assert len(proxy.web.seen[0][3]) == MAX_BODY_BYTES


@pytest.mark.parametrize(
    "request_line", ["GET /api/v1/rules/?" + "x" * 9000, "nonsense", "GET /api/v1/ HTTP/9.9", "GET api/v1"]
)
def test_what_cannot_be_read_is_refused_with_a_problem(proxy: Proxy, request_line: str) -> None:
    line = request_line if "HTTP/" in request_line else f"{request_line} HTTP/1.1"
    with proxy.open() as client:
        client.sendall(f"{line}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: client.recv(4096), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["code"] == "bad_request"


def test_headers_that_are_too_large_are_refused_with_a_problem(proxy: Proxy) -> None:
    check_problem(proxy.get("/api/v1/rules/", **{"X-Long": "x" * 9000}), 400, "bad_request")


def test_a_method_that_is_never_allowed_is_refused_with_a_problem(proxy: Proxy) -> None:
    check_problem(httpx.request("TRACE", f"{proxy.url}/api/v1/rules/"), 405, "method_not_allowed")


@pytest.mark.parametrize("path", ["/metrics", "/metrics?x=1", "/%6Detrics", "/a/../metrics"])
def test_metrics_are_not_for_the_public(proxy: Proxy, path: str) -> None:
    with proxy.open() as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        assert client.recv(1000).startswith(b"HTTP/1.1 404 ")
    assert not proxy.web.seen


def test_while_web_is_away_programs_get_a_problem_and_people_a_page(proxy: Proxy) -> None:
    program, place, port = nginx(), proxy.place, free_port()
    text = (place / "nginx.conf").read_text()
    text = re.sub(r"set \$web [^;]*", f"set $web 127.0.0.1:{free_port()}", text)
    text = re.sub(r"listen [^;]*", f"listen 127.0.0.1:{port}", text).replace("nginx.pid", "away.pid")
    (place / "away.conf").write_text(text)
    command = [program, "-c", str(place / "away.conf"), "-p", str(place), "-g", "daemon off;"]
    with (place / "away.log").open("wb") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            away = Proxy(f"http://127.0.0.1:{port}", proxy.web, place)
            wait_until_listening(away, process, place / "away.log")
            for path in ("/api/v1/rules/", "/readyz"):
                answer = away.get(path)
                check_problem(answer, 503, "unavailable")
                assert answer.headers["Retry-After"] == "5"
            page = away.get("/play/")
        finally:
            process.terminate()
            process.wait()
    assert (page.status_code, page.headers["Content-Type"]) == (503, "text/html; charset=utf-8")
    assert "<h1>Unavailable</h1>" in page.text
    assert page.headers["Retry-After"] == "5"


def test_a_long_page_is_sent_packed_to_who_can_unpack_it(proxy: Proxy) -> None:
    packed = proxy.get("/days/", **{"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.content == ANSWERS["/days/"]
    assert "Accept-Encoding" in packed.headers["Vary"]
    plain = proxy.get("/days/", **{"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
