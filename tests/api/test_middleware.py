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

    readline = None

    def __init__(self, data: bytes) -> None:
        self.data = BytesIO(data)

    def read(self, size: int) -> bytes:
        return self.data.read(min(size, 1000))


def chunked(body: bytes, *, at: str = "/api/v1/players/", is_terminated: bool = False) -> HttpResponse:
    """Sends a body without a length, from a server that can tell where it ends or not."""
    ended: dict[str, Any] = {"wsgi.input_terminated": is_terminated}
    request = RequestFactory().post(at, HTTP_TRANSFER_ENCODING="chunked", **ended)
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
    response = chunked(body, is_terminated=True)
    assert response.content == body
    assert response.headers["X-Length"] == "5000"


def test_a_chunked_body_is_limited_too() -> None:
    assert code_of(chunked(b"x" * (MAX_BODY_BYTES + 1), is_terminated=True)) == "body_too_large"


def test_chunks_that_cannot_be_read_are_no_empty_body() -> None:
    assert code_of(chunked(b"", is_terminated=True)) == "bad_request"


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


@pytest.mark.parametrize("path", ["/api/v1/players/a%00b/", "/api/?q=%00"])
def test_a_nul_in_the_url_is_refused(path: str) -> None:
    assert code_of(send(path)) == "bad_request"


@pytest.mark.parametrize("path", ["/api/v1/players/{}/", "/api/v1/challenges/?cursor={}"])
def test_an_address_is_no_longer_than_the_proxy_in_front_would_take_it(path: str) -> None:
    assert send(path.format("a" * 8_000)).status_code == 200
    assert code_of(send(path.format("a" * 8_200))) == "bad_request"


def check_page(response: HttpResponse, status: int, title: str) -> None:
    """People get a page for what programs get a problem document for."""
    assert (response.status_code, response.headers["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert f"<h1>{title}</h1>" in response.content.decode()
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/admin/%00", "/admin/?q=a%00", "/players/a%00/"])
def test_a_nul_in_the_url_of_a_page_is_refused_with_a_page(path: str) -> None:
    check_page(send(path), 400, "Bad request")


def test_a_form_has_the_same_limits_as_a_body_of_the_api() -> None:
    check_page(send("/leagues/new/", body=b"x" * (MAX_BODY_BYTES + 1)), 413, "Body too large")
    check_page(send("/leagues/new/", CONTENT_LENGTH="9" * 50), 413, "Body too large")
    check_page(send("/leagues/new/", CONTENT_LENGTH="two"), 400, "Bad request")
    check_page(send("/leagues/new/", HTTP_CONTENT_ENCODING="gzip"), 415, "Unsupported encoding")


def test_a_form_in_chunks_is_refused_for_it_may_have_been_cut() -> None:
    form = chunked(b"name=Sunday", at="/leagues/new/", is_terminated=True)
    check_page(form, 411, "Length required")


@pytest.mark.parametrize("path", ["/api/v1/players/", "/leagues/new/"])
def test_a_body_that_is_cut_short_is_refused(path: str) -> None:
    """Read by its beginning it would be another name, or a shorter log."""
    environ: dict[str, Any] = {"wsgi.input": Trickle(b"name=Sunday Sol"), "CONTENT_LENGTH": "19"}
    assert send(path, **environ).status_code == 400


def test_a_body_that_comes_in_pieces_is_read_to_its_end() -> None:
    body = b"x" * 5000
    environ: dict[str, Any] = {"wsgi.input": Trickle(body), "CONTENT_LENGTH": "5000"}
    response = send("/leagues/new/", **environ)
    assert response.content == body


def test_a_read_is_not_kept_waiting_by_a_body_that_nobody_reads() -> None:
    environ: dict[str, Any] = {"wsgi.input": Trickle(b""), "CONTENT_LENGTH": "9"}
    request = RequestFactory().get("/leagues/", **environ)
    assert ProblemMiddleware(lambda _: HttpResponse())(request).status_code == 200


def test_api_answers_are_private_unless_they_say_otherwise() -> None:
    assert send().headers["Cache-Control"] == "private, no-store"
    assert "Cache-Control" not in send("/admin/").headers


def test_it_costs_next_to_nothing() -> None:
    factory = RequestFactory()
    requests = [factory.post("/api/v1/attempts/1/run/", {}, "application/json") for _ in range(1000)]
    response = HttpResponse()
    middleware = ProblemMiddleware(lambda _: response)
    start = process_time()
    for request in requests:
        middleware(request)
    assert process_time() - start < 0.1
