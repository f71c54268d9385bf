"""The boards in Redis: a sorted set each, derived, optional and quick.

A board is two keys. ``{board}:order`` holds the positions as text, all with score 0, so that Redis sorts them
as text and answers ranks in logarithmic time. ``{board}:seen`` maps each player to ``VERSION POSITION``, and
counts under ``applied`` the versions it has seen and under ``live`` the members of the order.

*When it may be believed.* Versions of a standing only go up and every change in SQL adds one to its version
and to the board's tally; the index takes a standing only when it is newer and adds the difference to
``applied``. So ``applied`` equals the tally's sum exactly when no standing is missing or old. Readers
compare the two, the index read first, and ask SQL when they differ; a lost write, a flush, an eviction or
an old snapshot all show that way.

Every function returns None, at once for a while after a failure, when Redis does not answer.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache, wraps
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, NamedTuple

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.retry import Retry

from leaderboard.ledger import Change
from leaderboard.queries import Counts, Slice
from leaderboard.scoring import Position

REST_S = 2.0
"""How long a Redis that failed is left alone by this process."""
FILL_TIMEOUT_S = 5.0
"""How long who rebuilds a board waits for an answer: a busy Redis has a million standings to take over."""
KEEP_S = 40 * 24 * 3600

APPLY = """
local order, seen = KEYS[1], KEYS[2]
for i = 1, #ARGV, 3 do
    local player, version, position = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2]
    local known = redis.call('HGET', seen, player) or '0 '
    local old, place = string.match(known, '^(%d+) (.*)$')
    if tonumber(old) < version then
        local live = 0
        if place ~= '' then live = live - redis.call('ZREM', order, place) end
        if position ~= '' then live = live + redis.call('ZADD', order, 0, position) end
        redis.call('HSET', seen, player, version .. ' ' .. position)
        redis.call('HINCRBY', seen, 'applied', version - tonumber(old))
        redis.call('HINCRBY', seen, 'live', live)
    end
end
redis.call('EXPIRE', order, KEEP)
redis.call('EXPIRE', seen, KEEP)
""".replace("KEEP", str(KEEP_S))

STATE = """
local order, seen = KEYS[1], KEYS[2]
local size = redis.call('ZCARD', order)
local applied = tonumber(redis.call('HGET', seen, 'applied') or 0)
if size ~= tonumber(redis.call('HGET', seen, 'live') or 0) then applied = -1 end
local function place(player) return string.match(redis.call('HGET', seen, player) or '', ' (.+)$') end
local function upto(bound) return redis.call('ZLEXCOUNT', order, '-', '(' .. bound) end
"""

COUNTS = (
    STATE
    + """
local score = ARGV[1]
return {applied, upto(score), size - upto(score .. 'g'), size}
"""
)

PLACE = (
    STATE
    + """
local own = place(ARGV[1])
if not own then return {applied} end
local score = string.sub(own, 1, 16)
return {applied, own, upto(score), size - upto(score .. 'g'), size}
"""
)

SLICE = (
    STATE
    + """
local way, from, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])
local own = way == 'around' and place(from)
local found = {}
if way == 'before' or own then
    local above = redis.call('ZREVRANGEBYLEX', order, '(' .. (own or from), '-', 'LIMIT', 0, limit)
    for i = #above, 1, -1 do table.insert(found, above[i]) end
end
if way == 'after' or own then
    local start = '-'
    if own then start = '[' .. own; limit = limit + 1 elseif from ~= '' then start = '(' .. from end
    for _, below in ipairs(redis.call('ZRANGEBYLEX', order, start, '+', 'LIMIT', 0, limit)) do
        table.insert(found, below)
    end
end
if #found == 0 then return way == 'around' and {applied} or {applied, found, 0, 0, size} end
local slice = {applied, found, upto(found[1]), upto(string.sub(found[1], 1, 16)), size}
if own then
    local score = string.sub(own, 1, 16)
    table.insert(slice, upto(score))
    table.insert(slice, size - upto(score .. 'g'))
end
return slice
"""
)


class Reading[T](NamedTuple):
    """What the index says, and how many changes it had applied when it said so."""

    applied: int
    value: T


class _Breaker:
    """Remembers that Redis failed, so that a dead one costs one time-out and not one a request."""

    def __init__(self) -> None:
        self.rests_until = 0.0

    def may_ask(self) -> bool:
        return time.monotonic() >= self.rests_until

    def trip(self) -> None:
        self.rests_until = time.monotonic() + REST_S


breaker = _Breaker()


def _guarded[**P, T](call: Callable[P, T]) -> Callable[P, T | None]:
    """Let ``call`` fail to None: without Redis, while it rests, and when it does not answer."""

    @wraps(call)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T | None:
        if not settings.REDIS_URL or not breaker.may_ask():
            return None
        try:
            return call(*args, **kwargs)
        except redis.RedisError:
            breaker.trip()
            return None

    return guarded


@cache
def client(timeout_s: float | None = None) -> redis.Redis:
    """The connections of this process, with time-outs as short as requests need them and no second try."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        decode_responses=True,
        socket_timeout=timeout_s or settings.REDIS_TIMEOUT_S,
        socket_connect_timeout=settings.REDIS_TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
    )


@cache
def script(source: str) -> Script:
    """A script ready to run, told to Redis by its hash."""
    return client().register_script(source)


def keys_of(board: str) -> list[str]:
    """The order and what was seen."""
    prefix = f"{settings.REDIS_PREFIX}{{{board}}}"
    return [f"{prefix}:order", f"{prefix}:seen"]


def _run(source: str, board: str, *args: str | int) -> Any:
    return script(source)(keys=keys_of(board), args=args)


@_guarded
def apply(changes: Iterable[Change]) -> None:
    """Take over changed standings in one round trip; old news is ignored, so order does not matter."""
    _apply(client(), changes)


def fill(changes: Iterable[Change]) -> bool:
    """`apply` for who rebuilds a board and has time; whether Redis took them over."""
    try:
        _apply(client(FILL_TIMEOUT_S), changes)
    except redis.RedisError:
        breaker.trip()
        return False
    return True


def _apply(connections: redis.Redis, changes: Iterable[Change]) -> None:
    with connections.pipeline(transaction=False) as pipe:
        for board, of_board in groupby(changes, attrgetter("board")):
            told: Iterator[int | str] = chain.from_iterable(change.told for change in of_board)
            # Not by its hash, for which a pipeline would ask first whether Redis knows it.
            pipe.eval(APPLY, 2, *keys_of(board), *told)
        pipe.execute()


@_guarded
def counts(board: str, score: int) -> Reading[Counts]:
    """How many entries are better and worse than a score."""
    applied, *numbers = _run(COUNTS, board, f"{score:016x}")
    return Reading(applied, Counts(*numbers))


@_guarded
def place(board: str, player_id: int) -> Reading[tuple[Position, Counts] | None]:
    """Where the player stands, with the entries around; None inside when there is no entry."""
    applied, *found = _run(PLACE, board, player_id)
    return Reading(applied, (Position.parse(found[0]), Counts(*found[1:])) if found else None)


@_guarded
def after(board: str, position: Position | None, limit: int) -> Reading[Slice]:
    """See `leaderboard.queries.after`."""
    applied, *found = _run(SLICE, board, "after", str(position or ""), limit)
    return Reading(applied, _slice(*found))


@_guarded
def before(board: str, position: Position, limit: int) -> Reading[Slice]:
    """See `leaderboard.queries.before`."""
    applied, *found = _run(SLICE, board, "before", str(position), limit)
    return Reading(applied, _slice(*found))


@_guarded
def around(board: str, player_id: int, radius: int) -> Reading[tuple[Slice, Counts] | None]:
    """See `leaderboard.queries.around`."""
    applied, *found = _run(SLICE, board, "around", player_id, radius)
    if not found:
        return Reading(applied, None)
    members, ahead, first_better, size, better, worse = found
    return Reading(applied, (_slice(members, ahead, first_better, size), Counts(better, worse, size)))


def _slice(members: list[str], ahead: int, better: int, field_size: int) -> Slice:
    return Slice([Position.parse(member) for member in members], ahead, better, field_size)


@_guarded
def applied(board: str) -> int:
    """How many changes the index has applied; -1 when its two halves disagree."""
    return int(_run(STATE + "return applied", board))


@_guarded
def clear(board: str) -> None:
    """Forget the board."""
    client().delete(*keys_of(board))
