"""What is refused before anything else looks at the request."""

import json
from io import BytesIO
from time import process_time
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from api.middleware import MAX_BODY_BYTES, ProblemMiddleware


def answer(request: HttpRequest) -> HttpResponse:
    """The innermost handler: tells the body it was given."""
    return HttpResponse(request.read(), headers={"X-Length": request.META.get("CONTENT_LENGTH", "")})


def send(path: str = "/api/v1/players/", *, body: bytes = b"", **environ: Any) -> HttpResponse:
    request = RequestFactory().generic("POST", path, body, "application/json", **environ)
    return ProblemMiddleware(answer)(request)


def code_of(response: HttpResponse) -> str:
    assert response.headers["Content-Type"] == "application/problem+json"
    return str(json.loads(response.content)["code"])


class Trickle:
    """A stream that gives a few bytes at a time, as a slow client does."""

    def __init__(self, data: bytes) -> None:
        self.data = BytesIO(data)

    def read(self, size: int) -> bytes:
        return self.data.read(min(size, 1000))


def chunked(body: bytes, **environ: Any) -> HttpResponse:
    """Sends a body without a length."""
    request = RequestFactory().post("/api/v1/players/", HTTP_TRANSFER_ENCODING="chunked", **environ)
    del request.META["CONTENT_LENGTH"]
    request.META["wsgi.input"] = Trickle(body)
    return ProblemMiddleware(answer)(request)


def test_a_body_up_to_the_limit_goes_through() -> None:
    body = b"x" * MAX_BODY_BYTES
    assert send(body=body).content == body


def test_a_larger_body_is_refused_unread() -> None:
    response = send(body=b"x" * (MAX_BODY_BYTES + 1))
    assert response.status_code == 413
    assert code_of(response) == "body_too_large"


@pytest.mark.parametrize("length", ["9" * 5000, str(MAX_BODY_BYTES + 1)], ids=["endless", "one more"])
def test_an_announced_length_is_enough_to_refuse(length: str) -> None:
    assert code_of(send(CONTENT_LENGTH=length)) == "body_too_large"


@pytest.mark.parametrize("length", ["-1", "1e3", "+5", "٣", "5, 5", "abc"])
def test_a_length_is_a_number(length: str) -> None:
    assert code_of(send(CONTENT_LENGTH=length)) == "bad_request"


def test_a_chunked_body_is_read_and_gets_a_length() -> None:
    body = b"x" * 5000
    response = chunked(body, **{"wsgi.input_terminated": True})
    assert response.content == body
    assert response.headers["X-Length"] == "5000"


def test_a_chunked_body_is_limited_too() -> None:
    assert (
        code_of(chunked(b"x" * (MAX_BODY_BYTES + 1), **{"wsgi.input_terminated": True})) == "body_too_large"
    )


def test_chunks_that_cannot_be_read_are_no_empty_body() -> None:
    assert code_of(chunked(b"", **{"wsgi.input_terminated": True})) == "bad_request"


def test_a_chunked_body_that_cannot_be_read_to_its_end_needs_a_length() -> None:
    response = chunked(b"x")
    assert response.status_code == 411
    assert code_of(response) == "length_required"


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate, gzip", "x"])
def test_a_compressed_body_is_refused(encoding: str) -> None:
    response = send(HTTP_CONTENT_ENCODING=encoding)
    assert response.status_code == 415
    assert code_of(response) == "unsupported_encoding"
    assert response.headers["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("path", ["/api/v1/players/a%00b/", "/admin/%00", "/api/?q=%00", "/admin/?q=a%00"])
def test_a_nul_in_the_url_is_refused_everywhere(path: str) -> None:
    assert code_of(send(path)) == "bad_request"


def test_api_answers_are_private_unless_they_say_otherwise() -> None:
    assert send().headers["Cache-Control"] == "private, no-store"
    assert "Cache-Control" not in send("/admin/").headers


def test_it_costs_next_to_nothing() -> None:
    plain_request = RequestFactory().post("/api/v1/attempts/1/run/", {}, "application/json")
    response = HttpResponse()
    middleware = ProblemMiddleware(lambda _: response)
    start = process_time()
    for _ in range(1000):
        middleware(plain_request)
    assert process_time() - start < 0.1
