"""What ``./run test`` and ``./run check`` call, in a copy whose programs only say how they were called."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = ["lint-imports", "check-jsonschema", "hadolint", "shellcheck"]
RECORD = 'case $* in *version_info*) exit 0 ;; esac; echo "$*" >>calls'

NPM = """echo "npm $*" >>calls
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho tsc >>calls\\n' >node_modules/.bin/tsc
chmod +x node_modules/.bin/tsc"""
"""Installs a compiler that is content."""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy with every program of development replaced by one that notes its arguments and succeeds."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("run", "pyproject.toml", "uv.lock", "package.json", "package-lock.json"):
        shutil.copy(ROOT / name, tmp_path)
    locked = subprocess.check_output(["cksum", "pyproject.toml", "uv.lock"], cwd=tmp_path)
    (tmp_path / ".venv" / ".locked-dev").write_bytes(locked)
    for name in ("python", *PROGRAMS):
        replace_program(tmp_path, name, RECORD)
    replace_program(tmp_path, "npm", NPM)
    return tmp_path


def replace_program(clone: Path, name: str, script: str) -> None:
    path = clone / ".venv" / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def run(clone: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [clone / "run", *arguments], env=os.environ | more, capture_output=True, text=True, check=False
    )


def calls(clone: Path) -> list[str]:
    return (clone / "calls").read_text().splitlines()


def test_test_runs_everything_and_then_the_embedded_default(clone: Path) -> None:
    assert run(clone, "test").returncode == 0
    first, second = calls(clone)
    assert first == "-m pytest"
    assert second.startswith("-m pytest --embedded --ignore=")
    assert second.endswith("--ignore=tests/web/browser")


def test_the_embedded_default_is_tested_even_when_the_first_run_fails(clone: Path) -> None:
    replace_program(clone, "python", f"{RECORD}; case $* in *--embedded*) exit 0 ;; esac; exit 1")
    assert run(clone, "test").returncode == 1
    assert len(calls(clone)) == 2


def test_test_with_arguments_is_pytest_with_these_arguments(clone: Path) -> None:
    replace_program(clone, "python", f"{RECORD}; exit 5")
    assert run(clone, "test", "-k", "two words").returncode == 5
    assert calls(clone) == ["-m pytest -k two words"]


def test_a_signal_is_passed_on_and_waited_for(clone: Path) -> None:
    replace_program(
        clone,
        "python",
        f"trap 'echo cleaned >>calls; exit 2' TERM; {RECORD}; while :; do sleep 0.05; done",
    )
    with subprocess.Popen([clone / "run", "test"]) as process:
        wait_for(clone / "calls")
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 130
    assert calls(clone) == ["-m pytest", "cleaned"]


def test_check_installs_the_compiler_of_the_lock_once(clone: Path) -> None:
    for _ in range(2):
        assert "ok      types of the browser's code (tsc)\n" in run(clone, "check").stdout
    assert [call for call in calls(clone) if call.startswith(("npm", "tsc"))] == [
        "npm ci --ignore-scripts", "tsc", "tsc",
    ]  # fmt: skip
    with (clone / "package-lock.json").open("a") as lock:
        lock.write("\n")
    run(clone, "check")
    assert calls(clone).count("npm ci --ignore-scripts") == 2


def test_check_without_npm_says_what_to_install(clone: Path) -> None:
    (clone / ".venv" / "bin" / "npm").unlink()
    path = without("npm", clone / "elsewhere")
    answer = run(clone, "check", PATH=path)
    assert "FAILED  types of the browser's code (tsc)\nNo npm found; install it" in answer.stdout


def without(name: str, place: Path) -> str:
    """A path on which everything is but this program."""
    place.mkdir()
    for folder in os.environ["PATH"].split(":"):
        for program in Path(folder).glob("*"):
            link = place / program.name
            if program.name != name and not link.is_symlink():
                link.symlink_to(program)
    return str(place)


def make_files(clone: Path) -> None:
    """The files that check hands to programs."""
    (clone / "docs").mkdir()
    for name in ("docs/openapi.yaml", "Dockerfile"):
        (clone / name).touch()


def test_a_step_that_cannot_be_taken_here_is_told_of_and_fails_nothing(clone: Path) -> None:
    document = '*spectacular*) : >"$VAR_DIR/openapi.yaml" ;;'
    audit = "'-m tests.audit') echo not audited; exit 75 ;;"
    replace_program(clone, "python", f"{RECORD}; case $* in {audit} {document} esac")
    make_files(clone)
    answer = run(clone, "check")
    assert answer.returncode == 0
    assert "skipped known vulnerabilities (pip-audit)\nnot audited\n" in answer.stdout


def test_check_names_every_step_and_runs_all_of_them_after_one_has_failed(clone: Path) -> None:
    ugly = "'-m ruff check'*) echo ugly; exit 1 ;;"
    document = '*spectacular*) : >"$VAR_DIR/openapi.yaml" ;;'
    replace_program(clone, "python", f"{RECORD}; case $* in {ugly} {document} esac")
    make_files(clone)
    answer = run(clone, "check")
    assert answer.returncode == 1
    assert "FAILED  style (ruff check)\nugly\n" in answer.stdout
    assert "ok      types (mypy --strict)" in answer.stdout
    assert "ok      shell scripts (shellcheck)" in answer.stdout
    assert answer.stderr == "run: checks failed: 1.\n"


def test_the_steps_of_check_are_taken_at_the_same_time(clone: Path) -> None:
    """Two wait for each other, and are told of in their order."""
    meet = f"while ! [ -e {clone}/met ]; do sleep 0.05; done"
    replace_program(clone, "python", f"{RECORD}; case $* in *mypy*) {meet} ;; esac")
    replace_program(clone, "shellcheck", ": >met")
    told = run(clone, "check").stdout
    assert told.index("ok      types (mypy --strict)") < told.index("ok      shell scripts (shellcheck)")


def test_a_signal_ends_every_step_of_check(clone: Path) -> None:
    replace_program(clone, "python", f"{RECORD}; case $* in *mypy*) echo $$ >mypy; exec sleep 60 ;; esac")
    with subprocess.Popen([clone / "run", "check"], stdout=subprocess.DEVNULL) as process:
        pid = int(wait_for(clone / "mypy"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def wait_for(path: Path) -> str:
    """What a file holds, once it holds something."""
    deadline = time.monotonic() + 30
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return path.read_text()
