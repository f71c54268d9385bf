"""What a browser keeps to open the site where there is no network."""

import json
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from django.templatetags.static import static
from django.urls import reverse

ROOM = Path(__file__).parent
ASSETS = ROOM / "static" / "web"
KEPT = {".css", ".html", ".js"}


def addresses() -> str:
    """The addresses to keep, as a JSON list: two pages and everything they are made with."""
    assets = [f"web/{path.relative_to(ASSETS).as_posix()}" for path in _files(ASSETS)]
    files = [static(name) for name in ("favicon.svg", *assets)]
    return json.dumps([reverse("web:offline"), reverse("web:practice"), *files])


@lru_cache(maxsize=1)
def version() -> str:
    """Text that changes with whatever is kept, and so with every deployment that changes a page."""
    contents = b"\0".join(path.read_bytes() for path in _files(ROOM))
    return blake2b(contents, digest_size=8).hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in KEPT)
