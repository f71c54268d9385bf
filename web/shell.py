"""What a browser keeps to open the site where there is no network: practice, and a word of explanation."""

import json
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from django.templatetags.static import static
from django.urls import reverse

from web.modules import PLACE, needed_by

ROOM = Path(__file__).parent
BEGINNINGS = ("site.js", "practice.js")
"""The modules that the kept pages begin with."""


def addresses() -> str:
    """The addresses to keep, as a JSON list: two pages, then everything that they are made with."""
    styles = [path.name for path in PLACE.glob("*.css")]
    files = ["favicon.svg", *(f"web/{name}" for name in sorted({*styles, *needed_by(*BEGINNINGS)}))]
    return json.dumps([reverse("web:offline"), reverse("web:practice"), *map(static, files)])


@lru_cache(maxsize=1)
def version() -> str:
    """Text that changes with whatever is kept, and so with every deployment that changes a page."""
    kept = sorted(path for path in ROOM.rglob("*") if path.suffix in (".css", ".html", ".js"))
    return blake2b(b"\0".join(path.read_bytes() for path in kept), digest_size=8).hexdigest()
