"""The short way of programs leads to the same answers as the long one."""

import pytest
from django.http.response import ResponseHeaders
from django.test import Client

from daily.models import Challenge

ADDRESSES = ["/api/v1/challenges/today/", "/api/v1/nothing/", "/api/v1/rules/", "/api/v1/me/"]
SOME_COOKIE = {"cookie": "seen=1"}


@pytest.mark.parametrize("address", ADDRESSES)
def test_both_ways_lead_to_the_same_answer(client: Client, challenge: Challenge, address: str) -> None:
    short, long = client.get(address), client.get(address, headers=SOME_COOKIE)
    assert (hasattr(short.wsgi_request, "session"), hasattr(long.wsgi_request, "session")) == (False, True)
    assert short.status_code == long.status_code
    assert _told(short.headers) == _told(long.headers)
    assert short.headers["Content-Length"] == str(len(short.content))


def _told(headers: ResponseHeaders) -> dict[str, str]:
    """The headers but for those of one request, and for what caches are told of what they may not keep."""
    own = {"X-Request-ID", "RateLimit", "Content-Length"}  # the length of a day's changes with the clock
    own |= {"Vary"} if "no-store" in headers["Cache-Control"] else set()
    return {name: value for name, value in headers.items() if name not in own}


def test_a_made_up_host_is_refused_on_the_short_way_too(client: Client) -> None:
    answer = client.get("/api/v1/rules/", headers={"host": "evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_a_forgotten_slash_is_led_to_the_address_with_its_method(client: Client) -> None:
    answer = client.post("/api/v1/replay", {}, "application/json")
    assert (answer.status_code, answer.headers["Location"]) == (308, "/api/v1/replay/")
