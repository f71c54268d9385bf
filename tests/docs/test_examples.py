"""Every example in the documents does what it says, on a server that runs as the README starts it."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TESTED_ELSEWHERE = re.compile(r"\./run\b|docker compose\b|git clone\b|cp \.env|manage\.py\b|\./run manage\b")
"""What installs, serves or deploys: tests/setup runs it."""
VARYING = {
    *("challenge", "period", "first_day", "last_day"),
    *("started_at", "checkpoint_at", "deadline_at", "server_time"),
    *("elapsed_ms", "standing.rank", "standing.field_size", "standing.percentile", "field_size"),
    *("id", "owner", "player.name"),
}
"""The keys whose values nobody can foresee; what ends with ``…`` is cut short."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a document."""

    language: str
    text: str


def blocks(document: Path) -> list[Block]:
    """The fenced blocks in order."""
    return [Block(*found) for found in BLOCK.findall(document.read_text())]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_run_and_print_what_is_shown(document: Path, server: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    shown = blocks(document)
    text = script(shown, ROOT, sys.executable).replace("http://127.0.0.1:8000", server)
    ran = subprocess.run(["bash", "-euo", "pipefail"], input=text, text=True, capture_output=True)
    assert ran.returncode == 0, ran.stderr
    printed = dict(re.findall(r"<<< (\d+)\n(.*?)(?=\n<<< |\Z)", ran.stdout, re.DOTALL))
    for number, block in enumerate(shown):
        if block.language == "json":
            check_shape(json.loads(block.text), documents(printed[str(number - 1)] + ran.stderr))


def script(shown: list[Block], folder: Path, python: str) -> str:
    """The shell blocks as one script run in ``folder``, each after a line ``<<< NUMBER``."""
    lines = [f"cd {shlex.quote(str(folder))}"]
    for number, block in enumerate(shown):
        if block.language == "sh" and not TESTED_ELSEWHERE.search(block.text):
            lines += [f"echo; echo '<<< {number}'", block.text]
    return "\n".join(lines).replace(".venv/bin/python", shlex.quote(python))


def test_commands_run_in_a_clone_whose_path_has_a_space(tmp_path: Path) -> None:
    folder = tmp_path / "a clone"
    folder.mkdir()
    (folder / "my python").symlink_to(shutil.which("echo") or "/bin/echo")
    text = script([Block("sh", ".venv/bin/python; pwd\n")], folder, str(folder / "my python"))
    ran = subprocess.run(["bash", "-eu"], input=text, text=True, capture_output=True)
    assert (ran.returncode, ran.stdout.split("\n")[1:4]) == (0, ["<<< 0", "", str(folder)]), ran.stderr


def documents(text: str) -> list[dict[str, object]]:
    """The JSON objects in a text."""
    decoder, found, start = json.JSONDecoder(), [], text.find("{")
    while start >= 0:
        value, end = decoder.raw_decode(text, start)
        found.append(value)
        start = text.find("{", end)
    return found


def check_shape(shown: dict[str, object], printed: list[dict[str, object]]) -> None:
    """The first printed document that has every key of the example agrees with it."""
    fitting = [each for each in printed if set(shown) <= set(each)]
    assert fitting, f"nothing printed has the keys {sorted(shown)}: {printed}"
    check_value(shown, fitting[0])


def check_value(shown: object, printed: object, path: str = "") -> None:
    """The value is what the example shows; where it varies or is cut short, of the same kind."""
    assert type(shown) is type(printed), path
    if isinstance(shown, dict) and isinstance(printed, dict):
        for key, value in shown.items():
            assert key in printed, f"{path}.{key}"
            check_value(value, printed[key], f"{path}.{key}".strip("."))
    elif isinstance(shown, list) and isinstance(printed, list) and not is_cut(shown):
        assert len(shown) == len(printed), path
        for one, other in zip(shown, printed, strict=True):
            check_value(one, other, path)
    elif path not in VARYING and not is_cut(shown):
        assert shown == printed, path


def is_cut(shown: object) -> bool:
    """Whether a text or a list goes on after what the example shows."""
    return isinstance(shown, str | list) and shown[-1:] in ("…", ["…"])


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ({"status": 400}, {"status": 422}),
        ({"title": "Invalid input"}, {"title": "Invalid"}),
        ({"errors": []}, {"errors": [{"code": "unknown"}]}),
        ({"errors": [{"code": "unknown"}]}, {"errors": [{"code": "invalid"}]}),
        ({"best_clear": 28}, {"best_clear": None}),
        ({"field_size": 6}, {"field_size": "6"}),
        ({"standing": {"percentile": 0.0}}, {"standing": {"percentile": None}}),
        ({"standing": {"place": 1}}, {"standing": {"rank": 1}}),
        ({"deck": "4H …"}, {"deck": None}),
    ],
)
def test_an_example_that_is_wrong_is_noticed(shown: dict[str, object], printed: dict[str, object]) -> None:
    with pytest.raises(AssertionError):
        check_shape(shown, [printed])


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ({"status": 400}, {"status": 400, "detail": "not shown"}),
        ({"field_size": 6}, {"field_size": 7}),
        ({"deck": "4H …"}, {"deck": "TH 6D"}),
        ({"results": ["…"]}, {"results": [{"rank": 1}, {"rank": 2}]}),
    ],
)
def test_an_example_may_leave_out_what_varies(shown: dict[str, object], printed: dict[str, object]) -> None:
    check_shape(shown, [printed])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_python_examples_run(document: Path) -> None:
    namespace: dict[str, object] = {"__name__": "example"}
    for block in blocks(document):
        if block.language == "python":
            exec(compile(block.text, document.name, "exec"), namespace)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), target
