"""The application as servers call it: no Content-Type prevents an answer or changes what is read."""

import json
from collections.abc import Iterator
from io import BytesIO
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from config.wsgi import application

STRANGE = ["hex", "zip", "undefined", "utf-16", "unicode_escape", '"utf-7"', "idna", "x" * 20_000]


@pytest.fixture(autouse=True)
def kept_connection(db: None) -> Iterator[None]:
    """Keeps the test's connection open between requests, as Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def ask(method: str, path: str, content_type: str, body: bytes = b"") -> tuple[int, dict[str, object]]:
    """The status and the document that a server gets from the application."""
    path, _, query = path.partition("?")
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "HTTP_HOST": "localhost"}
    environ |= {"CONTENT_TYPE": content_type, "CONTENT_LENGTH": str(len(body))}
    setup_testing_defaults(environ)
    heard: list[str] = []
    answer = b"".join(
        application({**environ, "wsgi.input": BytesIO(body)}, lambda status, _headers: heard.append(status))  # type: ignore[arg-type]
    )
    return int(heard[0][:3]), json.loads(answer)


@pytest.mark.parametrize("charset", STRANGE, ids=lambda charset: charset[:14])
def test_a_read_does_not_mind_the_charset(charset: str) -> None:
    status, answer = ask("GET", "/api/v1/rules/?a=%41%ff", f"application/json; charset={charset}")
    assert status == 200
    assert "results" in answer


def test_the_url_is_utf_8_whatever_the_body_is() -> None:
    status, answer = ask("GET", r"/api/v1/deals/1/?rules=\u0065ndless", "a/b; charset=unicode_escape")
    assert (status, answer["code"]) == (400, "bad_parameter")


@pytest.mark.parametrize("charset", STRANGE, ids=lambda charset: charset[:14])
def test_a_body_in_a_strange_charset_is_refused(charset: str) -> None:
    status, answer = ask("POST", "/api/v1/replay/", f"application/json; charset={charset}", b"{}")
    assert (status, answer["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf8"'])
def test_a_body_that_says_it_is_utf_8_is_read(charset: str) -> None:
    status, answer = ask("POST", "/api/v1/replay/", f"application/json; charset={charset}", b"{}")
    assert (status, answer["code"]) == (400, "invalid")
