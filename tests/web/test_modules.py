"""What pages say of the modules that they need."""

import gzip
import re

import pytest
from django.test import Client

from daily.models import Challenge
from web.modules import IMPORT, PLACE, needed_by

pytestmark = pytest.mark.django_db
FILES = re.compile(r'(?:src|href)="/static/web/([^"]+)"')
LINKS = re.compile(r'<link rel="modulepreload" href="/static/web/([^"]+)">')


def test_a_module_needs_what_it_imports_and_what_that_imports() -> None:
    assert set(needed_by("site.js")) == {"site.js", "suits.js", "options.js", "storage.js"}
    assert needed_by("daily.js")[0] == "daily.js"
    assert {"sitting.js", "game.js", "rules.js"} < set(needed_by("daily.js"))


def test_a_type_that_is_only_named_is_not_needed() -> None:
    module = '/** @import { Board } from "./rules.js" */\n/** @type {import("./table.js").Table} */'
    assert IMPORT.findall(module) == []
    assert IMPORT.findall('import {\n  call,\n  Problem,\n} from "./api.js";\nimport "./suits.js";') == [
        "api.js",
        "suits.js",
    ]


@pytest.mark.parametrize(("address", "module"), [("/play/", "daily.js"), ("/practice/", "practice.js")])
def test_a_page_asks_for_all_its_modules_at_once(
    client: Client, challenge: Challenge, address: str, module: str
) -> None:
    text = client.get(address).content.decode()
    assert set(needed_by(module)) - {module} <= set(LINKS.findall(text))
    assert f'src="/static/web/{module}"' in text


def test_the_play_page_is_light(client: Client, challenge: Challenge) -> None:
    page = client.get("/play/").content
    files = [(PLACE / name).read_bytes() for name in set(FILES.findall(page.decode()))]
    assert len(files) > 10
    assert sum(len(gzip.compress(body)) for body in (page, *files)) < 60_000
