"""What becomes of tests of pages where no browser is installed, and where a page complains."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.browser.conftest import NAMES, find_chromium

ROOT = Path(__file__).parents[2]
ROOMS = ["api", "config", "daily", "games", "leaderboard", "players", "web", "docs", "pyproject.toml"]
SUPPORT = ["conftest.py", "cast.py", "services.py", "web/browser/*.py"]
LOOK = """
def test_{}(page):
    page.goto("/static/web/rules.js")
    page.evaluate("setTimeout(() => {{ {} }})")
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy with the equipment of the tests and no test."""
    for name in ROOMS:
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "tests" / "web" / "browser").mkdir(parents=True)
    for path in (path for pattern in SUPPORT for path in (ROOT / "tests").glob(pattern)):
        if not path.name.startswith("test_"):
            (tmp_path / path.relative_to(ROOT)).symlink_to(path)
    return tmp_path


def outcome(clone: Path, scripts: dict[str, str], **environment: str) -> str:
    """How pytest ends tests of these names that open a page and run these scripts in it."""
    tests = "".join(LOOK.format(name, script) for name, script in scripts.items())
    (clone / "tests" / "web" / "browser" / "test_looks.py").write_text(tests)
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "--embedded"],
        cwd=clone,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout


def test_without_a_browser_the_tests_are_skipped_and_say_why(clone: Path) -> None:
    told = outcome(clone, {"looks": ""}, PATH="/nowhere")
    assert "1 skipped" in told
    assert "no Chromium on the path" in told


def test_without_a_browser_the_tests_fail_where_all_have_to_run(clone: Path) -> None:
    told = outcome(clone, {"looks": ""}, PATH="/nowhere", CI="true")
    assert "1 error" in told
    assert "on Debian: apt install chromium" in told


@pytest.mark.skipif(find_chromium() is None, reason=f"none of {', '.join(NAMES)} is on the path")
def test_a_page_that_complains_fails_its_test_at_the_end(clone: Path) -> None:
    told = outcome(clone, {"fine": "console.log('fine')", "wrong": "throw new Error('not fine')"})
    assert "2 passed, 1 error in" in told
    assert "ERROR at teardown of test_wrong" in told
    assert "/static/web/rules.js: Error: not fine" in told
