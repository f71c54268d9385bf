"""What nobody honest asks of the site: each gets a page that says so, quickly, and changes nothing."""

from time import process_time

import pytest
from django.test import Client

from bench.hostile.judging import LEAKS
from bench.hostile.requests import PAGE, Cast, Hostile
from bench.hostile.rows import changed, contents
from bench.hostile.site import SITE
from bench.hostile.stage import make_cast
from config.wsgi import is_readable
from daily.models import Challenge

MAX_S = 2.0
"""No answer costs more of the processor than this."""
CASES = [case for case in SITE if not case.path.startswith(("//", "/static/"))]
"""Two slashes at the front would be another host to Django's client; files are served before Django."""


@pytest.fixture
def cast(challenge: Challenge) -> Cast:
    """Who the requests speak for, and what they name."""
    return make_cast()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hostile_request_gets_a_page_and_nothing_more(case: Hostile, cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    headers = cast.headers_of(case)
    kind = headers.pop("Content-Type", "")
    kind = kind if is_readable(kind) else "application/octet-stream"  # as config.wsgi tells Django
    before, start = contents(), process_time()
    response = client.generic(case.method, cast.fill(case.path), cast.body_of(case), kind, headers=headers)
    assert process_time() - start < MAX_S
    assert response.status_code == case.status, response.content[:2000]
    assert not changed(before, contents())
    if case.code == PAGE and response.status_code != 416:
        check_refusal(response.headers["Content-Type"], response.getvalue())


def check_refusal(kind: str, body: bytes) -> None:
    """A page with a heading that tells nothing of how the service is made, or for scripts a document."""
    if kind != "application/problem+json":
        assert kind == "text/html; charset=utf-8"
        assert b"<h1" in body
    assert not LEAKS.search(body)
