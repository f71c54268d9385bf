"""What ``./run test`` and ``./run check`` call, in a copy whose programs only say how they were called."""

import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = ["lint-imports", "check-jsonschema", "hadolint", "shellcheck"]
RECORD = 'case $* in *version_info*) exit 0 ;; esac; echo "$*" >>calls'


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy with every program of development replaced by one that notes its arguments and succeeds."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("run", "pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, tmp_path)
    locked = subprocess.check_output(["cksum", "pyproject.toml", "uv.lock"], cwd=tmp_path)
    (tmp_path / ".venv" / ".locked-dev").write_bytes(locked)
    for name in ("python", *PROGRAMS):
        replace_program(tmp_path, name, RECORD)
    return tmp_path


def replace_program(clone: Path, name: str, script: str) -> None:
    path = clone / ".venv" / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def run(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([clone / "run", *arguments], capture_output=True, text=True, check=False)


def calls(clone: Path) -> list[str]:
    return (clone / "calls").read_text().splitlines()


def test_test_runs_everything_and_then_the_embedded_default(clone: Path) -> None:
    assert run(clone, "test").returncode == 0
    first, second = calls(clone)
    assert first == "-m pytest"
    assert second.startswith("-m pytest --embedded --ignore=")


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
        f"{RECORD}; trap 'echo cleaned >>calls; exit 2' TERM; while :; do sleep 0.05; done",
    )
    with subprocess.Popen([clone / "run", "test"]) as process:
        deadline = time.monotonic() + 30
        while not (clone / "calls").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 130
    assert calls(clone) == ["-m pytest", "cleaned"]


def test_check_names_every_step_and_runs_all_of_them_after_one_has_failed(clone: Path) -> None:
    ugly = "'-m ruff check'*) echo ugly; exit 1 ;;"
    document = '*spectacular*) : >"$VAR_DIR/openapi.yaml" ;;'
    replace_program(clone, "python", f"{RECORD}; case $* in {ugly} {document} esac")
    (clone / "docs").mkdir()
    for name in ("docs/openapi.yaml", "Dockerfile"):
        (clone / name).touch()
    answer = run(clone, "check")
    assert answer.returncode == 1
    assert "FAILED  style (ruff check)\nugly\n" in answer.stdout
    assert "ok      types (mypy --strict)" in answer.stdout
    assert "ok      shell scripts (shellcheck)" in answer.stdout
    assert answer.stderr == "run: checks failed: 1.\n"
