"""What ``.ci/run`` sees to and calls, in a copy whose programs only say how they were called."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ["sh", "dirname"]
BROWSER = "apt-get -qy --no-install-recommends install chromium-headless-shell fonts-noto-core"
NGINX = "apt-get -qy --no-install-recommends install nginx-light"
NPM = "apt-get -qy --no-install-recommends install nodejs npm"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy on a machine of root's with a browser, nginx, npm and apt-get, where tests and checks pass."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(str(shutil.which(tool)))
    for name in ("chromium", "nginx", "npm", "apt-get"):
        add_program(tmp_path / "bin" / name, f'echo "{name} $*" >>calls')
    add_program(tmp_path / "bin" / "id", "echo 0")
    add_program(tmp_path / "run", 'echo "run $* CI=$CI" >>calls')
    return tmp_path


def add_program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def run(clone: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [clone / ".ci" / "run"],
        cwd="/",
        env={"PATH": str(clone / "bin"), **more},
        capture_output=True,
        text=True,
        check=False,
    )


def calls(clone: Path) -> list[str]:
    return (clone / "calls").read_text().splitlines()


def test_where_all_is_there_nothing_is_installed_and_tests_and_checks_are_run(clone: Path) -> None:
    answer = run(clone)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == "tests passed, checks passed\n"
    assert calls(clone) == ["run test CI=true", "run check CI=true"]


@pytest.mark.parametrize("command", ["test", "check"])
def test_one_failure_fails_the_whole_and_hides_nothing(clone: Path, command: str) -> None:
    add_program(clone / "run", f'echo "run $*" >>calls; [ "$1" != {command} ]')
    assert run(clone).returncode == 1
    assert calls(clone) == ["run test", "run check"]


@pytest.mark.parametrize(("name", "installs"), [("chromium", BROWSER), ("nginx", NGINX), ("npm", NPM)])
def test_on_a_bare_machine_root_gets_a_browser_with_fonts_nginx_and_npm(
    clone: Path, name: str, installs: str
) -> None:
    (clone / "bin" / name).unlink()
    run(clone)
    assert calls(clone)[:3] == ["apt-get -q update", installs, "run test CI=true"]


def test_what_is_imported_is_compiled_once(clone: Path) -> None:
    add_program(clone / "run", 'echo "${PYTHONDONTWRITEBYTECODE-unset}." >>calls')
    run(clone, PYTHONDONTWRITEBYTECODE="1")
    assert calls(clone) == [".", "."]


@pytest.mark.parametrize("name", ["chromium-headless-shell", "chromium-browser", "google-chrome"])
def test_another_name_of_the_browser_will_do(clone: Path, name: str) -> None:
    (clone / "bin" / "chromium").rename(clone / "bin" / name)
    run(clone)
    assert calls(clone)[0] == "run test CI=true"


@pytest.mark.parametrize("obstacle", ["nobody in particular", "no apt-get"])
def test_who_cannot_install_is_told_what_to_install(clone: Path, obstacle: str) -> None:
    (clone / "bin" / "chromium").unlink()
    if obstacle == "no apt-get":
        (clone / "bin" / "apt-get").unlink()
    else:
        add_program(clone / "bin" / "id", "echo 1000")
    answer = run(clone)
    packages = "chromium-headless-shell fonts-noto-core"
    assert answer.stderr == f"Something has to be installed first; on Debian: apt install {packages}\n"
    assert calls(clone) == ["run test CI=true", "run check CI=true"]
