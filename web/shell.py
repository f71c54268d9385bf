"""What a browser keeps to open the site where there is no network: practice, and a word of explanation."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from django.templatetags.static import static
from django.urls import reverse

ROOM = Path(__file__).parent
ASSETS = ROOM / "static" / "web"
BEGINNINGS = ("site.js", "practice.js")
"""The modules that the kept pages begin with."""
IMPORT = re.compile(r'(?:from|import) ?\(?"\./([\w-]+\.js)"')


def addresses() -> str:
    """The addresses to keep, as a JSON list: two pages, then everything that they are made with."""
    files = ["favicon.svg", *(f"web/{name}" for name in sorted({*_styles(), *_modules()}))]
    return json.dumps([reverse("web:offline"), reverse("web:practice"), *map(static, files)])


@lru_cache(maxsize=1)
def version() -> str:
    """Text that changes with whatever is kept, and so with every deployment that changes a page."""
    kept = sorted(path for path in ROOM.rglob("*") if path.suffix in (".css", ".html", ".js"))
    return blake2b(b"\0".join(path.read_bytes() for path in kept), digest_size=8).hexdigest()


def _styles() -> Iterator[str]:
    return (path.name for path in ASSETS.glob("*.css"))


@lru_cache(maxsize=1)
def _modules() -> frozenset[str]:
    """The modules that the kept pages need, by what imports what."""
    found: set[str] = set()
    waiting = [*BEGINNINGS]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += IMPORT.findall((ASSETS / name).read_text())
    return frozenset(found)
