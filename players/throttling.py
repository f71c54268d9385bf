"""How often one caller may ask: counted in Redis for all processes, in this process while Redis is away.

Windows are aligned to the clock, so one increment says how much is left and when it comes back.
"""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import Any, Final, cast

import limits
import prometheus_client
import structlog
from django.conf import settings
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.request import Request

from players.errors import TooManyGuesses
from players.wire import Wire

REDIS_REST_S: Final = 5.0
"""How long Redis is left alone after it failed, so that a dead one delays one request and not each."""

THROTTLED = prometheus_client.Counter("pyramid_throttled", "Requests that were one too many.", ["scope"])

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Usage:
    """Where a caller stands in the current window of a scope."""

    scope: str
    quota: int
    window_s: int
    used: int
    reset_s: int
    """Seconds until the window ends."""

    @property
    def is_exceeded(self) -> bool:
        return self.used > self.quota

    def headers(self) -> dict[str, str]:
        """The fields of draft-ietf-httpapi-ratelimit-headers."""
        left = max(self.quota - self.used, 0)
        return {
            "RateLimit-Policy": f'"{self.scope}";q={self.quota};w={self.window_s}',
            "RateLimit": f'"{self.scope}";r={left};t={self.reset_s}',
        }


class LocalCounts:
    """Counts of this process. A past window's are dropped as a whole, so memory stays within one window."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._windows: dict[str, tuple[int, Counter[str]]] = {}

    def increment(self, scope: str, window: int, caller: str) -> int:
        """Counts one request; returns how many the caller has made in the window."""
        with self._lock:
            current, counts = self._windows.get(scope, (None, Counter[str]()))
            if current != window:
                counts = Counter()
                self._windows[scope] = (window, counts)
            counts[caller] += 1
            return counts[caller]


class Meter:
    """Counts requests by scope and caller."""

    def __init__(self, rates: Mapping[str, str], redis_url: str = "", redis_timeout_s: float = 0.25) -> None:
        self._rates = {scope: limits.parse(rate) for scope, rate in rates.items()}
        self._local = LocalCounts()
        self._wire = Wire(redis_url, redis_timeout_s) if redis_url else None
        self._redis_rests_until = 0.0

    def hit(self, scope: str, caller: str) -> Usage:
        """Counts one request and says where that leaves the caller. Never raises; one Redis round trip."""
        window_s = self._rates[scope].get_expiry()
        window, elapsed_s = divmod(int(time.time()), window_s)
        used = self._shared(scope, window, caller, window_s) or self._local.increment(scope, window, caller)
        usage = Usage(scope, self._rates[scope].amount, window_s, used, window_s - elapsed_s)
        if usage.is_exceeded:
            THROTTLED.labels(scope).inc()
        return usage

    def is_store_up(self) -> bool:
        """Whether the shared store answers, or none is wanted. Asks it; up to its time-out."""
        try:
            return self._wire is None or self._wire.ask(("PING",)) == ["PONG"]
        except (RedisError, OSError):
            return False

    def _shared(self, scope: str, window: int, caller: str, window_s: int) -> int | None:
        """The count in Redis; None where there is no Redis, it just failed, or it fails now."""
        if self._wire is None or time.monotonic() < self._redis_rests_until:
            return None
        if self._redis_rests_until:  # the first caller after a rest tries alone
            self._redis_rests_until = time.monotonic() + REDIS_REST_S
        try:
            key = f"throttle:{scope}:{window}:{caller}"
            used, _ = self._wire.ask(("INCR", key), ("EXPIRE", key, window_s))
        except (RedisError, OSError) as fault:
            self._redis_rests_until = time.monotonic() + REDIS_REST_S
            logger.warning("throttle_store_unavailable", error=type(fault).__name__)
            return None
        self._redis_rests_until = 0.0
        return cast("int", used)


@cache
def meter() -> Meter:
    """The process's meter, made from the settings at the first request."""
    return Meter(settings.THROTTLE_RATES, settings.REDIS_URL, settings.REDIS_TIMEOUT_S)


def count_guess(about: str) -> None:
    """Count a try at somebody's secret, ``about`` being who it is said to be, from wherever it comes.

    Raises TooManyGuesses.
    """
    key = blake2b(about.encode(errors="replace"), digest_size=16).hexdigest()
    usage = meter().hit("guess", key)
    if usage.is_exceeded:
        raise TooManyGuesses(wait=usage.reset_s)


BY_ADDRESS: Final = {"join", "login", "solve"}
"""The scopes in which a further player would be a further quota."""


def caller_of(request: HttpRequest | Request, scope: str) -> str:
    """Who a request counts for."""
    if request.user.is_authenticated and scope not in BY_ADDRESS:
        return f"player:{request.user.pk}"
    return f"net:{network(client_address(request.META, settings.TRUSTED_PROXIES))}"


def client_address(meta: Mapping[str, Any], trusted_proxies: int) -> str:
    """The address that the outermost trusted proxy saw, or the peer's own without proxies.

    Each proxy appends whom it saw to ``X-Forwarded-For``, so only the last entries are known to be true.
    """
    hops = [hop.strip() for hop in str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",")]
    if trusted_proxies and len(hops) >= trusted_proxies and hops[-trusted_proxies]:
        return hops[-trusted_proxies]
    return str(meta.get("REMOTE_ADDR", ""))


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """What one caller is likely to hold: an IPv4 address, or the /64 of an IPv6 one. Other text is itself."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(ip, IPv6Address):
        return str(ip.ipv4_mapped or IPv6Address(int(ip) >> 64 << 64))
    return str(ip)
