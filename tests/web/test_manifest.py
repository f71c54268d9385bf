"""What makes the site an app, and the frame of every page."""

import json
import re
import subprocess
from io import BytesIO
from pathlib import Path
from unittest import mock

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from players.models import Player
from web import modules

pytestmark = pytest.mark.django_db


def test_the_manifest_names_icons_of_the_size_that_it_says(client: Client) -> None:
    response = client.get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    icons = response.json()["icons"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in icons:
        drawn = Image.open(BytesIO(client.get(icon["src"]).content))
        assert (drawn.format, "{}x{}".format(*drawn.size)) == ("PNG", icon["sizes"])


def test_the_app_starts_on_pages_that_are_there(client: Client) -> None:
    manifest = client.get("/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    for address in (manifest["start_url"], *(each["url"] for each in manifest["shortcuts"])):
        assert client.get(address).status_code == 200


def test_a_maskable_icon_has_nothing_near_its_edge(client: Client) -> None:
    icon = Image.open(BytesIO(client.get("/icon-maskable.png").content)).convert("RGB")
    ground = icon.getpixel((0, 0))
    middle = [icon.getpixel((x, y)) for x in range(0, 512, 8) for y in range(0, 512, 8)
              if (x - 256) ** 2 + (y - 256) ** 2 > (0.4 * 512) ** 2]  # fmt: skip
    assert set(middle) == {ground}


def test_a_plain_icon_has_no_ground(client: Client) -> None:
    icon = Image.open(BytesIO(client.get("/icon-192.png").content))
    assert icon.getpixel((0, 0)) == (0, 0, 0, 0)


def test_pages_name_the_picture_for_links_by_its_whole_address(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    assert '<meta property="og:image" content="http://testserver/share.png">' in page
    assert Image.open(BytesIO(client.get("/share.png").content)).size == (1200, 630)


def test_a_page_names_its_own_address_without_what_was_asked_of_it(client: Client) -> None:
    page = client.get("/rules/?utm_source=x").content.decode()
    assert '<link rel="canonical" href="http://testserver/rules/">' in page


@pytest.mark.parametrize(
    ("address", "marks"),
    [
        ("/rules/", ['<a href="/rules/" aria-current="page">Rules</a>']),
        ("/rules/strict/", ['<a href="/rules/" aria-current="true">Rules</a>']),
        ("/nothing/", []),
    ],
)
def test_the_navigation_marks_where_one_is(client: Client, address: str, marks: list[str]) -> None:
    assert re.findall(r"<a [^>]*aria-current[^>]*>[^<]*</a>", client.get(address).content.decode()) == marks


def kept_by(worker: str) -> list[str]:
    [addresses] = re.findall(r"const ADDRESSES = (.*);", worker)
    kept: list[str] = json.loads(addresses)
    return kept


def test_everything_that_the_worker_keeps_is_there(client: Client) -> None:
    response = client.get("/worker.js")
    assert response["Content-Type"].startswith("text/javascript")
    offline, practice, *files = kept_by(response.content.decode())
    assert (offline, practice) == ("/offline/", "/practice/")
    assert {client.get(offline).status_code, client.get(practice).status_code} == {200}
    assert all(finders.find(file.removeprefix("/static/")) for file in files)


@pytest.mark.parametrize("address", ["/practice/", "/offline/"])
def test_the_worker_keeps_what_its_pages_load(client: Client, address: str) -> None:
    kept = kept_by(client.get("/worker.js").content.decode())
    loaded = re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get(address).content.decode())
    assert loaded
    assert set(loaded) <= set(kept)


def test_the_worker_keeps_what_the_kept_modules_import(client: Client) -> None:
    kept = kept_by(client.get("/worker.js").content.decode())
    for file in kept:
        if file.endswith(".js"):
            imported = re.findall(r'"\./([^"]+\.js)"', (modules.PLACE / Path(file).name).read_text())
            assert {f"/static/web/{name}" for name in imported} <= set(kept), file


def test_the_worker_is_asked_for_anew_and_changes_with_what_it_keeps(client: Client) -> None:
    before = client.get("/worker.js")
    assert "no-cache" in before["Cache-Control"]
    with mock.patch("web.shell.version", return_value="another"):
        assert client.get("/worker.js").content != before.content


def test_the_worker_is_a_script(client: Client, tmp_path: Path) -> None:
    script = tmp_path / "worker.mjs"
    script.write_bytes(client.get("/worker.js").content)
    checked = subprocess.run(["node", "--check", script], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_the_page_without_network_says_nothing_about_anybody(client: Client, ann: Player) -> None:
    client.force_login(ann)
    assert b"your moves are kept in this browser" in client.get("/offline/").content


def test_crawlers_are_told_where_not_to_go(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response["Content-Type"].startswith("text/plain")
    assert "Disallow: /admin/" in response.content.decode().splitlines()


def test_a_page_is_kept_by_its_reader_only(client: Client) -> None:
    assert client.get("/rules/")["Cache-Control"] == "private, no-cache"
