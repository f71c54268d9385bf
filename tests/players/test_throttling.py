"""Counting requests: shared while Redis answers, per process while it does not, by who really asks."""

import socket
from collections.abc import Iterator
from time import perf_counter, process_time

import pytest
from django.conf import settings
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from players import throttling
from players.models import Player
from players.throttling import Meter, caller_of, client_address, network
from players.wire import Wire

RATES = {"read": "3/minute", "join": "2/hour"}


class Clock:
    """Stands in for ``time`` in the meter."""

    def __init__(self) -> None:
        self.now_s = 1_000_000.0 * 60

    def time(self) -> float:
        return self.now_s

    monotonic = time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(throttling, "time", clock)
    return clock


@pytest.fixture
def dead_redis() -> str:
    """The URL of a port where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{probe.getsockname()[1]}/0"


@pytest.fixture
def frozen_redis() -> Iterator[str]:
    """The URL of a server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


@pytest.fixture(params=["local", pytest.param("redis", marks=pytest.mark.redis)])
def meter(request: pytest.FixtureRequest, clock: Clock) -> Meter:
    return Meter(RATES, settings.REDIS_URL if request.param == "redis" else "")


def test_the_quota_is_what_may_be_used_in_a_window(meter: Meter, clock: Clock) -> None:
    assert [meter.hit("read", "ann").is_exceeded for _ in range(4)] == [False, False, False, True]
    clock.now_s += 60
    assert meter.hit("read", "ann").used == 1


def test_callers_and_scopes_count_apart(meter: Meter) -> None:
    meter.hit("read", "ann")
    assert meter.hit("read", "bob").used == 1
    assert meter.hit("join", "ann").used == 1
    assert meter.hit("read", "ann").used == 2


def test_the_headers_tell_policy_rest_and_reset(meter: Meter, clock: Clock) -> None:
    clock.now_s += 18
    assert meter.hit("read", "ann").headers() == {
        "RateLimit-Policy": '"read";q=3;w=60',
        "RateLimit": '"read";r=2;t=42',
    }


@pytest.mark.redis
def test_processes_share_their_counts(clock: Clock) -> None:
    one, other = (Meter(RATES, settings.REDIS_URL) for _ in range(2))
    assert [one.hit("read", "ann").used, other.hit("read", "ann").used] == [1, 2]


def test_a_past_window_leaves_nothing_behind(clock: Clock) -> None:
    counts = throttling.LocalCounts()
    for number in range(1000):
        counts.increment("read", 1, str(number))
    counts.increment("read", 2, "ann")
    assert len(counts._windows["read"][1]) == 1


@pytest.mark.parametrize("store", ["dead_redis", "frozen_redis"])
def test_without_redis_requests_are_still_counted_and_only_one_of_them_waits(
    store: str, request: pytest.FixtureRequest
) -> None:
    meter = Meter(RATES, request.getfixturevalue(store), redis_timeout_s=0.25)
    start = perf_counter()
    exceeded = [meter.hit("read", "ann").is_exceeded for _ in range(4)]
    assert exceeded == [False, False, False, True]
    assert perf_counter() - start < 0.75
    assert not meter.is_store_up()


@pytest.mark.redis
def test_redis_is_used_again_after_a_rest(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(RATES, settings.REDIS_URL)
    working = meter._wire
    monkeypatch.setattr(meter, "_wire", Wire("redis://127.0.0.1:1/0", 0.1))
    meter.hit("read", "ann")
    monkeypatch.setattr(meter, "_wire", working)
    assert meter.hit("read", "ann").used == 2  # resting: counted here
    clock.now_s += throttling.REDIS_REST_S
    assert meter.hit("read", "ann").used == 1  # back: the first in Redis
    assert meter.hit("read", "ann").used == 2


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, None, "192.0.2.1"),
        (0, "203.0.113.9", "192.0.2.1"),
        (1, None, "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.66, 203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.66, 198.51.100.67,203.0.113.9 ", "203.0.113.9"),
        (2, "198.51.100.66, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (2, "203.0.113.9", "192.0.2.1"),
        (1, "", "192.0.2.1"),
        (1, "198.51.100.66,", "192.0.2.1"),
    ],
)
def test_only_what_trusted_proxies_wrote_is_believed(
    proxies: int, forwarded: str | None, address: str
) -> None:
    meta = {"REMOTE_ADDR": "192.0.2.1"} | ({} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded})
    assert client_address(meta, proxies) == address


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("", "", True),
        ("unix", "192.0.2.1", False),
    ],
)
def test_an_ipv6_network_is_one_caller(one: str, other: str, is_same: bool) -> None:
    assert (network(one) == network(other)) is is_same


def test_counting_is_cheap(clock: Clock) -> None:
    meter = Meter(RATES)
    start = process_time()
    for _ in range(1000):
        meter.hit("read", "ann").headers()
    assert process_time() - start < 0.1


@pytest.mark.parametrize(
    ("scope", "counted_for"), [("read", "player:7"), ("join", "net:127.0.0.1"), ("login", "net:127.0.0.1")]
)
def test_a_further_player_is_no_further_quota_where_that_would_matter(scope: str, counted_for: str) -> None:
    request = Request(APIRequestFactory().get("/"))
    request.user = Player(pk=7)
    assert caller_of(request, scope) == counted_for


def test_every_scope_has_a_rate() -> None:
    assert settings.THROTTLE_RATES.keys() == {"read", "write", "guess", *throttling.BY_ADDRESS}
