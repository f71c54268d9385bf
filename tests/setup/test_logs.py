"""Log lines: JSON with the request's id, and nothing that a log must not hold."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from config.logs import configure_logs


def answer(request: HttpRequest, **_: str) -> HttpResponse:
    structlog.get_logger("tests").info("inside", cleared=28)
    logging.getLogger("library").warning("said %s", "so")
    return HttpResponse("ok")


def fail(request: HttpRequest) -> HttpResponse:
    deck = "4H JD the whole deal"
    raise RuntimeError(f"broken after {len(deck)}")


urlpatterns = [path("answer/", answer), path("fail/", fail), path("account/reset/<str:link>/", answer)]
pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the root logger writes during the test, as a deployment would."""
    config = configure_logs("INFO", is_for_people=False)["formatters"]["lines"]
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(**{k: v for k, v in config.items() if k != "()"})
    )
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream
    root.setLevel(level)
    root.removeHandler(handler)


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_a_mailed_link_is_not_in_the_log(client: Client, log: io.StringIO) -> None:
    client.get("/account/reset/WzEs-In:1xY:dUB/")
    logging.getLogger("library").warning("looked at %s", "/account/verify/WzEs-In:1xY:dUB/?a=b")
    assert "WzEs" not in log.getvalue()
    assert "GET /account/reset/…/" in [line.get("request") for line in lines(log)]
    assert lines(log)[-1]["event"] == "looked at /account/verify/…/?a=b"


def test_a_request_is_one_line_that_says_how_it_ended(client: Client, log: io.StringIO) -> None:
    client.get("/answer/?page=2")
    [line] = [line for line in lines(log) if line["event"].startswith("request")]
    assert (line["event"], line["request"], line["code"]) == ("request_finished", "GET /answer/?page=2", 200)
    assert line["duration_ms"] >= 0


def test_a_made_up_host_is_one_line_without_a_traceback(client: Client, log: io.StringIO) -> None:
    client.get("/answer/", headers={"host": "evil.example"})
    [line] = lines(log)
    assert (line["event"], line["code"]) == ("request_finished", 400)
    assert "Traceback" not in log.getvalue()


def test_every_line_of_a_request_carries_the_id_that_its_answer_names(
    client: Client, log: io.StringIO
) -> None:
    response = client.get("/answer/")
    assert [line["event"] for line in lines(log)] == ["inside", "said so", "request_finished"]
    assert {line["request_id"] for line in lines(log)} == {response["X-Request-ID"]}


def test_two_requests_have_two_ids_whatever_the_client_says(client: Client) -> None:
    first, second = (client.get("/answer/", headers={"X-Request-ID": "mine"})["X-Request-ID"] for _ in "ab")
    assert len({first, second, "mine"}) == 3


def test_a_failure_is_logged_with_its_traceback_but_without_the_values_in_it(
    client: Client, log: io.StringIO
) -> None:
    client.raise_request_exception = False
    response = client.get("/fail/")
    [line] = [line for line in lines(log) if line["event"] == "request_failed"]
    assert (line["level"], line["request_id"]) == ("error", response["X-Request-ID"])
    assert "RuntimeError: broken after 20" in line["exception"]
    assert "4H JD" not in log.getvalue().replace('deck = "4H JD the whole deal"', "")


def test_a_log_for_people_shows_tracebacks_without_values_too() -> None:
    config = configure_logs("INFO", is_for_people=True)["formatters"]["lines"]
    formatter = structlog.stdlib.ProcessorFormatter(**{k: v for k, v in config.items() if k != "()"})
    try:
        fail(HttpRequest())
    except RuntimeError as error:
        exc_info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("tests", logging.ERROR, __file__, 1, "failed", None, exc_info)
    text = formatter.format(record)
    assert "RuntimeError: broken after 20" in text
    assert "4H JD" not in text.replace('deck = "4H JD the whole deal"', "")
