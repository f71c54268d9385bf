"""The modules of the browser's code, and which import which."""

import re
from functools import cache
from pathlib import Path

PLACE = Path(__file__).parent / "static" / "web"
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"\./([\w-]+\.js)";', re.MULTILINE)


@cache
def needed_by(*beginnings: str) -> list[str]:
    """The names of these modules and of all that they import, directly or not; themselves first."""
    found: list[str] = []
    waiting = list(beginnings)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found.append(name)
            waiting += IMPORT.findall((PLACE / name).read_text())
    return found
