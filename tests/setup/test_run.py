"""The run script, in a copy of the project whose path has a space in it."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.services import free_port

ROOT = Path(__file__).parents[2]
TOOLS = ["sh", "dirname", "cksum", "cat", "cut", "env"]
FOLDERS = ["api", "config", "daily", "games", "leaderboard", "players", "web"]


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """The script and the lock, and a ``bin`` that holds the shell's tools but no Python."""
    home = tmp_path / "a clone"
    (home / "bin").mkdir(parents=True)
    for name in ("run", "pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, home)
    for tool in TOOLS:
        (home / "bin" / tool).symlink_to(str(shutil.which(tool)))
    return home


@pytest.fixture
def clone(bare: Path) -> Path:
    """A copy with everything installed (it borrows this one's packages) and no data."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, bare / folder)
    shutil.copy(ROOT / "manage.py", bare)
    (bare / ".venv").mkdir()
    for name in ("bin", "lib", "pyvenv.cfg"):
        (bare / ".venv" / name).symlink_to(ROOT / ".venv" / name)
    locked = subprocess.check_output(["cksum", "pyproject.toml", "uv.lock"], cwd=bare)
    (bare / ".venv" / ".locked-run").write_bytes(locked)
    return bare


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment that says nothing about Python or the service, but what ``more`` does."""
    return {"PATH": f"{home / 'bin'}", "HOME": str(home / "home"), **more}


def run(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Call the script from elsewhere, without a terminal."""
    return subprocess.run(
        [home / "run", *arguments],
        cwd="/",
        env=environment(home, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def add_program(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("arguments", [("unknown",), ("serve", "what")])
def test_an_unknown_command_is_refused_with_the_usage(bare: Path, arguments: tuple[str, ...]) -> None:
    answer = run(bare, *arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("usage: ./run [command]")


def test_help_is_given_without_installing_anything(bare: Path) -> None:
    answer = run(bare, "help")
    assert answer.returncode == 0
    assert answer.stdout.startswith("usage: ./run [command]")
    assert not (bare / ".tools").exists()


def test_without_a_python_one_sentence_says_what_to_install(bare: Path) -> None:
    answer = run(bare)
    assert answer.returncode == 1
    assert "no Python 3.12 or later found; install one" in answer.stderr.splitlines()[-1]


def test_a_python_that_is_named_but_too_old_is_refused_by_name(bare: Path) -> None:
    answer = run(bare, PYTHON="/bin/false")
    assert answer.returncode == 1
    assert "PYTHON=/bin/false is not a Python 3.12 or later." in answer.stderr


def test_a_python_that_does_not_run_is_passed_over_for_one_that_does(bare: Path) -> None:
    """A pyenv shim on the path answers to python3.13 and then refuses to run; pyenv's own Python runs."""
    add_program(bare / "bin" / "python3.13", "echo 'pyenv: python3.13: command not found' >&2; exit 127")
    real = bare / "home" / ".pyenv" / "versions" / "3.12.1" / "bin" / "python"
    add_program(real, 'case $2 in *version_info*) exit 0 ;; esac; echo "installing with $0 $*"; exit 1')
    answer = run(bare)
    assert answer.returncode == 1
    assert f"installing with {real} -m venv" in answer.stdout
    assert f"{real} has no venv; install it" in answer.stderr


def test_what_is_installed_already_is_not_installed_again(clone: Path) -> None:
    answer = run(clone, "manage", "version")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert not (clone / ".tools").exists()


NOTE = (
    'case $1 in --version) echo uv 0.13.9; exit ;; esac; echo "$UV_SYSTEM_CERTS ${SSL_CERT_FILE-none}" >certs'
)


@pytest.mark.parametrize(
    ("told", "used"),
    [
        ({}, "1 none"),
        ({"PIP_CERT": "/pip.pem"}, "1 /pip.pem"),
        ({"PIP_CERT": "/pip.pem", "SSL_CERT_FILE": "/own.pem"}, "1 /own.pem"),
        ({"UV_SYSTEM_CERTS": "0"}, "0 none"),
    ],
)
def test_uv_trusts_the_system_or_the_certificates_that_pip_is_told_of(
    clone: Path, told: dict[str, str], used: str
) -> None:
    (clone / ".venv" / ".locked-run").unlink()
    (clone / "manage.py").write_text("")
    add_program(clone / ".tools" / "bin" / "uv", NOTE)
    run(clone, "manage", "version", **told)
    assert (clone / "certs").read_text() == used + "\n"


def test_a_port_in_use_is_told_before_anything_is_started(clone: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        answer = run(clone, PORT=str(port))
    assert answer.returncode == 1
    assert f"cannot serve on 127.0.0.1:{port}" in answer.stderr
    assert "PORT=8001 ./run" in answer.stderr
    assert not (clone / "var").exists()


@pytest.mark.parametrize("port", ["http", "0", "65536", "-1", "٣"])
def test_a_port_that_is_none_is_refused(clone: Path, port: str) -> None:
    answer = run(clone, PORT=port)
    assert answer.returncode == 1
    assert f"PORT={port} is not a port number." in answer.stderr


@pytest.mark.parametrize("arguments", [(), ("demo",), ("manage", "migrate")], ids=["serve", "demo", "manage"])
def test_a_setting_that_cannot_be_used_is_told_in_one_line(clone: Path, arguments: tuple[str, ...]) -> None:
    answer = run(clone, *arguments, PORT=str(free_port()), DATABASE_URL="nonsense")
    assert (answer.returncode, answer.stdout) == (1, "")
    [line] = answer.stderr.splitlines()
    assert line.startswith("Cannot start: DATABASE_URL is not a usable URL")


@pytest.fixture
def served(clone: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a copy that is served, and its process."""
    port = free_port()
    with (clone / "output").open("w") as output:
        process = subprocess.Popen(
            [clone / "run"],
            cwd="/",
            env=environment(clone, PORT=str(port)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            text=True,
            start_new_session=True,
        )
        try:
            wait_until_ready(f"http://127.0.0.1:{port}/readyz", process, clone / "output")
            yield f"http://127.0.0.1:{port}", process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_until_ready(url: str, process: subprocess.Popen[str], output: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            urlopen(url, timeout=5).close()
            return
        except URLError:
            assert process.poll() is None, output.read_text()
            assert time.monotonic() < deadline, output.read_text()
            time.sleep(0.1)


def test_run_serves_the_pages_it_names_and_stops_when_asked(
    served: tuple[str, subprocess.Popen[str]], clone: Path
) -> None:
    url, process = served
    output = (clone / "output").read_text()
    for page in ("/api/docs/", "/api/v1/challenges/today/leaderboard/", "/admin/"):
        assert url + page in output
        with urlopen(url + page, timeout=10) as response:
            assert response.status == 200
    assert "Admin: log in as" in output
    with urlopen(url + "/static/admin/css/base.css", timeout=10) as response:
        assert response.headers.get_content_type() == "text/css"
    process.terminate()
    assert process.wait(timeout=15) in {0, -signal.SIGTERM}
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_worker_that_was_killed_is_followed_by_another(
    served: tuple[str, subprocess.Popen[str]], clone: Path
) -> None:
    if shutil.which("ps") is None:
        pytest.skip("ps is not installed")
    url, process = served
    listed = subprocess.check_output(["ps", "-A", "-o", "pid=,ppid=,args="], text=True)
    [worker] = [line.split()[0] for line in listed.splitlines() if is_worker(line, process.pid)]
    os.kill(int(worker), signal.SIGTERM)
    wait_until_gone(int(worker))
    wait_until_ready(url + "/readyz", process, clone / "output")


def is_worker(line: str, server: int) -> bool:
    """Whether a line of ``ps`` is of a child of the server, but not of the one that tracks its resources."""
    _, parent, command = line.split(maxsplit=2)
    return int(parent) == server and "resource_tracker" not in command


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + 15
    with suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(pid, 0)
            time.sleep(0.05)
        raise AssertionError(f"{pid} is still there")
