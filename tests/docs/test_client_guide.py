"""The clients of the guide play on a service that runs, over a line that is good and over one that is not."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import httpx
import pytest

from api.shapes.games import render_rules
from games.pyramid import RULES, Deal, Rules, replay

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "client-guide.md").read_text()
PYTHON, JAVASCRIPT, TYPED, CONFIGURATION = (
    "pyramid_client.py",
    "pyramid_client.mjs",
    "typed_client.py",
    "client.yml",
)
PLAYED = re.compile(
    r"player (?P<name>.+)\n"
    r"cleared (?P<cleared>\d+) rank (?P<rank>\d+)\n"
    r"(?P<rows>(?:\d+ .+ \d+ \d+\n)+)"
    r"players (?P<players>\d+)\n"
)
MOVES = """
const node = process; delete globalThis.process;
const { moves } = await import(node.argv[1]);
const cases = JSON.parse(node.argv[2]);
node.stdout.write(JSON.stringify(cases.map(([deck, rules]) => [...moves(deck, rules)])));
"""


def programs() -> dict[str, str]:
    """The guide's files by their names."""
    return dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The guide's clients as files."""
    for name in (PYTHON, JAVASCRIPT):
        (tmp_path / name).write_text(programs()[name])
    return tmp_path


def node() -> str:
    """Node 20 or later; CI has to have it."""
    program = shutil.which("node")
    if program is None and not os.environ.get("CI"):
        pytest.skip("node is not installed")
    return program or "node"


@pytest.fixture(params=[PYTHON, JAVASCRIPT])
def client(request: pytest.FixtureRequest, folder: Path) -> list[str]:
    """The command line of a client."""
    runner = sys.executable if request.param == PYTHON else node()
    return [runner, str(folder / request.param)]


def play(client: list[str], address: str, folder: Path) -> dict[str, str]:
    """What a client prints."""
    ran = subprocess.run([*client, address], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    printed = PLAYED.fullmatch(ran.stdout)
    assert printed, ran.stdout
    return printed.groupdict()


class BadLine(ThreadingHTTPServer):
    """Between a client and the service: each kind of call is refused first, and its answer lost then.

    A third is put off for a second where it is a read; the others go through, as does every later one.
    """

    def __init__(self, address: str) -> None:
        super().__init__(("127.0.0.1", 0), Passage)
        self.address = address
        self.calls = Counter[str]()
        self.came_at = list[tuple[str, float]]()
        self.answers = list[tuple[str, int]]()


class Passage(BaseHTTPRequestHandler):
    server: BadLine

    def pass_on(self) -> None:
        """Carry one call, or lose it."""
        kind = f"{self.command} {self.path.partition('?')[0]}"
        self.server.calls[kind] += 1
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.server.came_at.append((kind, time.monotonic()))
        turn = self.server.calls[kind]
        if turn == 1:
            self.answer(503, {"Content-Type": "text/html"}, b"<h1>closed</h1>")
        elif turn == 3 and self.command == "GET":
            problem = {"Content-Type": "application/problem+json", "Retry-After": "1"}
            self.answer(
                429, problem, b'{"status": 429, "code": "throttled", "detail": "Request was throttled."}'
            )
        else:
            headers = {name: value for name, value in self.headers.items() if name != "Connection"}
            real = httpx.request(self.command, self.server.address + self.path, content=body, headers=headers)
            self.server.answers.append((kind, real.status_code))
            if turn > 2:
                kept = ("Content-Type", "ETag", "Retry-After")
                self.answer(
                    real.status_code, {k: real.headers[k] for k in kept if k in real.headers}, real.content
                )

    do_GET = do_POST = do_PUT = pass_on  # noqa: N815 (the library's names)

    def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def bad_line(server: str) -> Iterator[BadLine]:
    with BadLine(server) as line:
        Thread(target=line.serve_forever, daemon=True).start()
        yield line
        line.shutdown()


def test_a_client_plays_and_finds_itself_on_the_board(client: list[str], server: str, folder: Path) -> None:
    played = play(client, server, folder)
    token = (folder / "pyramid-token").read_text()
    me = httpx.get(f"{server}/api/v1/me/", headers={"Authorization": f"Bearer {token}"}).json()
    assert played["name"] == me["name"]
    assert f"{played['rank']} {played['name']} {played['cleared']} " in played["rows"]
    board = httpx.get(f"{server}/api/v1/challenges/today/leaderboard/").json()
    assert int(played["players"]) == board["field_size"]


def test_the_token_is_for_its_owner_only(client: list[str], server: str, folder: Path) -> None:
    play(client, server, folder)
    assert (folder / "pyramid-token").stat().st_mode & 0o777 == 0o600


def test_a_client_that_comes_again_is_the_same_player_with_the_same_run(
    client: list[str], server: str, folder: Path
) -> None:
    first, second = play(client, server, folder), play(client, server, folder)
    assert {**first, "rows": "", "players": ""} == {**second, "rows": "", "players": ""}


def test_a_client_whose_token_was_revoked_starts_anew(client: list[str], server: str, folder: Path) -> None:
    first = play(client, server, folder)
    token = (folder / "pyramid-token").read_text()
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.request("DELETE", f"{server}/api/v1/me/", headers=headers).status_code == 204
    assert play(client, server, folder)["name"] != first["name"]


def test_a_client_gets_through_a_line_that_loses_answers(
    client: list[str], bad_line: BadLine, folder: Path
) -> None:
    played = play(client, f"http://127.0.0.1:{bad_line.server_port}", folder)
    assert f"{played['rank']} {played['name']} " in played["rows"]
    starts = [
        status for kind, status in bad_line.answers if kind == "POST /api/v1/challenges/today/attempts/"
    ]
    submits = [status for kind, status in bad_line.answers if kind.endswith("/run/")]
    assert starts == submits == [201, 200]
    reads = [at for kind, at in bad_line.came_at if kind == "GET /api/v1/challenges/today/leaderboard/"]
    assert reads[3] - reads[2] >= 1


def moves(folder: Path, rules: Rules, deals: list[Deal]) -> list[list[str]]:
    """The logs of the player in Python."""
    program: dict[str, Any] = {"__name__": "client"}
    exec((folder / PYTHON).read_text(), program)
    return [list(program["moves"](deal.deck, render_rules(rules))) for deal in deals]


DEALS = [Deal.random(Random(seed)) for seed in range(20)]


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.slug)
def test_the_player_makes_legal_moves_by_any_rules(rules: Rules, folder: Path) -> None:
    logs = moves(folder, rules, DEALS)
    assert all(replay(deal, rules, log).cleared for deal, log in zip(DEALS, logs, strict=True))


def test_the_player_is_the_same_in_both_languages(folder: Path) -> None:
    program = [node(), "--input-type=module", "--eval", MOVES, str(folder / JAVASCRIPT)]
    cases = [(rules, deal) for rules in RULES.values() for deal in DEALS]
    given = json.dumps([(deal.deck, render_rules(rules)) for rules, deal in cases])
    ran = subprocess.run([*program, given], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == [moves(folder, rules, [deal])[0] for rules, deal in cases]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the typed client in it."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / CONFIGURATION).write_text(programs()[CONFIGURATION])
    (folder / TYPED).write_text(programs()[TYPED])
    [line] = re.findall(r"^\$ (openapi-python-client .*)$", GUIDE, re.MULTILINE)
    command = shlex.split(line.replace("docs/openapi.yaml", str(ROOT / "docs" / "openapi.yaml")))
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    made = subprocess.run(
        [*command, "--fail-on-warning"],
        cwd=folder,
        env=os.environ | tools,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return folder


def test_the_typed_client_plays(generated: Path, server: str) -> None:
    command = [sys.executable, TYPED, server]
    ran = subprocess.run(command, cwd=generated, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "illegal_move 1 stock_not_empty\ncleared 0 rank " in ran.stdout


def test_the_typed_client_is_typed(generated: Path) -> None:
    wrong = (
        "from pyramid_daily_client.models import Run\n\n\ndef f(run: Run) -> str:\n    return run.cleared\n"
    )
    (generated / "wrong.py").write_text(wrong)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", TYPED, "wrong.py"]
    checked = subprocess.run(command, cwd=generated, capture_output=True, text=True, check=False)
    assert checked.stdout.startswith("wrong.py:5: error: Incompatible return value type"), checked.stdout
    assert "Found 1 error in 1 file" in checked.stdout
