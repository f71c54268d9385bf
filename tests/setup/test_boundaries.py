"""The engine is a library that needs nothing but Python."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = sorted((ROOT / "games").rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The top-level names of every module this file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_imports_the_standard_library_only(path: Path) -> None:
    assert imported(path) <= {"games", *sys.stdlib_module_names}
