"""What the project serves besides the API and the admin."""

from pathlib import Path

from django.contrib.staticfiles import finders
from django.test import Client


def test_the_icon_that_browsers_ask_for_by_themselves_is_there(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302
    icon = finders.find(answer.headers["Location"].removeprefix("/static/"))
    assert Path(str(icon)).read_text().startswith("<svg ")
