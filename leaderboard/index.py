"""The boards in Redis: a sorted set each, derived, optional and quick.

A board is three keys. ``{board}:order`` holds the positions as text, all with score 0, so that Redis sorts
them as text and answers ranks in logarithmic time. ``{board}:seen`` maps each player to ``VERSION POSITION``,
and counts under ``live`` the members of the order. Versions of a standing only go up, and older ones are
ignored.

*When it may be believed.* The changes of a board are numbered, those of runs with equally many cleared cards
among themselves, by the tally that counts them in the transaction that makes them: so what SQL shows of a
tally is every change up to its number. ``{board}:seen`` holds under ``upto:CLEARED`` up to which number the
index has them all, and ``{board}:ahead`` those that came before one of their predecessors. A reader who has
asked SQL for the tallies, the *target*, may believe an index that has got that far; what it holds beyond was
committed too. A change is on its way for a moment after its commit, so a reader waits for as long; after that
something was lost, by a write, a flush, an eviction or an old snapshot, and SQL answers instead.

Every function returns None, at once for a while after a failure, when Redis does not answer.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache, wraps
from hashlib import sha1
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, Final, cast

import redis
from django.conf import settings
from redis.exceptions import NoScriptError

from leaderboard.ledger import Change
from leaderboard.queries import Counts, Placed, Slice, View
from leaderboard.scoring import Position
from players.wire import Wire

type Call = tuple[Any, ...]
"""A board, and what a script is told of it."""

REST_S = 2.0
"""How long this process leaves a Redis alone that failed, and waits for no board that lost something."""
PAUSES_S: Final = 0.0, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032
"""How long a reader waits, time after time, for changes that are on their way."""
FILL_TIMEOUT_S = 5.0
"""How long who rebuilds a board waits for an answer: a busy Redis has a million standings to take over."""
KEEP_S = 40 * 24 * 3600

SHARED = """
local order, seen, ahead = KEYS[1], KEYS[2], KEYS[3]
local function upto(stream) return tonumber(redis.call('HGET', seen, 'upto:' .. stream) or 0) end
local function go_on(stream, number)
    while redis.call('SREM', ahead, stream .. ':' .. number + 1) == 1 do number = number + 1 end
    redis.call('HSET', seen, 'upto:' .. stream, number)
end
"""

APPLY = (
    SHARED
    + """
for i = 1, #ARGV, 5 do
    local player, version, position = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2]
    local known = redis.call('HGET', seen, player) or '0 '
    local old, place = string.match(known, '^(%d+) (.*)$')
    if tonumber(old) < version then
        local live = 0
        if place ~= '' then live = live - redis.call('ZREM', order, place) end
        if position ~= '' then live = live + redis.call('ZADD', order, 0, position) end
        redis.call('HSET', seen, player, version .. ' ' .. position)
        redis.call('HINCRBY', seen, 'live', live)
    end
    local stream, number = ARGV[i + 3], tonumber(ARGV[i + 4])
    local reached = upto(stream)
    if number == reached + 1 then
        go_on(stream, number)
    elseif number > reached then
        redis.call('SADD', ahead, stream .. ':' .. number)
    end
end
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, KEEP) end
""".replace("KEEP)", f"{KEEP_S})")
)

BEGIN = SHARED + "redis.call('HSET', seen, 'filling', ARGV[1])"

REACH = (
    SHARED
    + """
if redis.call('HGET', seen, 'filling') ~= ARGV[2] then return end
for _, member in ipairs(redis.call('SMEMBERS', ahead)) do
    local stream, number = string.match(member, '(%d+):(%d+)')
    local target = string.match(' ' .. ARGV[1], ' ' .. stream .. ':(%d+)')
    if target and tonumber(number) <= tonumber(target) then redis.call('SREM', ahead, member) end
end
for stream, number in string.gmatch(ARGV[1], '(%d+):(%d+)') do
    go_on(stream, math.max(upto(stream), tonumber(number)))
end
"""
)

STATE = (
    SHARED
    + """
local size = redis.call('ZCARD', order)
local function lag(target)
    local missing = 0
    for stream, number in string.gmatch(target, '(%d+):(%d+)') do
        missing = missing + math.max(0, tonumber(number) - upto(stream))
    end
    if size ~= tonumber(redis.call('HGET', seen, 'live') or 0) then missing = missing + 1 end
    return missing
end
local function place(player) return string.match(redis.call('HGET', seen, player) or '', ' (.+)$') end
local function better_than(bound) return redis.call('ZLEXCOUNT', order, '-', '(' .. bound) end
local function around(position)
    local score = string.sub(position, 1, 16)
    return {position, better_than(score), size - better_than(score .. 'g'), size}
end
"""
)

LAG = STATE + "return lag(ARGV[1])"

ASKED = STATE + "if lag(ARGV[1]) > 0 then return false end\n"

REACHED = ASKED + "return {}"

COUNTS = ASKED + "return around(ARGV[2])"

PLACE = (
    ASKED
    + """
local own = place(ARGV[2])
return own and around(own) or {}
"""
)

SLICE = (
    ASKED
    + """
local viewer, way, from, limit = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local own = way == 'around' and place(from)
local mine = place(viewer)
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
local ahead, better = 0, 0
if #found > 0 then ahead, better = better_than(found[1]), better_than(string.sub(found[1], 1, 16)) end
return {found, ahead, better, size, mine and around(mine) or {}}
"""
)


class _Breaker:
    """Remembers that Redis failed, so that a dead one costs one time-out and not one a request."""

    def __init__(self) -> None:
        self.rests_until = 0.0

    def may_ask(self) -> bool:
        return time.monotonic() >= self.rests_until

    def trip(self) -> None:
        self.rests_until = time.monotonic() + REST_S


breaker = _Breaker()
_lost: dict[str, float] = {}
"""Until when a board is not waited for."""


def may_ask() -> bool:
    """Whether there is a Redis, and none that failed just now."""
    return bool(settings.REDIS_URL) and breaker.may_ask()


def _guarded[**P, T](call: Callable[P, T]) -> Callable[P, T | None]:
    """Let ``call`` fail to None: without Redis, while it rests, and when it does not answer."""

    @wraps(call)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T | None:
        if not may_ask():
            return None
        try:
            return call(*args, **kwargs)
        except redis.RedisError:
            breaker.trip()
            return None

    return guarded


@cache
def wire(timeout_s: float | None = None) -> Wire:
    """The way to Redis of all threads here, with time-outs as short as requests need them."""
    return Wire(settings.REDIS_URL, timeout_s or settings.REDIS_TIMEOUT_S, settings.REDIS_TIMEOUT_S)


def keys_of(board: str) -> list[str]:
    """The order, what was seen, and what is ahead."""
    prefix = f"{settings.REDIS_PREFIX}{{{board}}}"
    return [f"{prefix}:{part}" for part in ("order", "seen", "ahead")]


@_guarded
def apply(changes: Iterable[Change]) -> None:
    """Take over changed standings in one round trip; old news is ignored, so order does not matter."""
    _run(wire(), APPLY, *_told(changes))


def begin(board: str, filling: str) -> bool:
    """Leave a mark that is lost with whatever a filling that begins now puts beside it."""
    return _patiently(BEGIN, (board, filling))


def fill(changes: Iterable[Change]) -> bool:
    """`apply` for who rebuilds a board and has time; whether Redis took them over."""
    return _patiently(APPLY, *_told(changes))


def reach(board: str, target: str, filling: str) -> bool:
    """Count everything up to the target as applied, unless the mark of the filling that did it is lost.

    Who calls it has read the target, begun, and filled the board, in this order.
    """
    return _patiently(REACH, (board, target, filling))


def _patiently(source: str, *calls: Call) -> bool:
    """Whether a script could be run, by who waits for longer and does not ask the breaker."""
    try:
        _run(wire(FILL_TIMEOUT_S), source, *calls)
    except redis.RedisError:
        breaker.trip()
        return False
    return True


def _told(changes: Iterable[Change]) -> Iterator[Call]:
    """What `APPLY` is told of each board."""
    for board, of_board in groupby(changes, attrgetter("board")):
        yield board, *chain.from_iterable(change.told for change in of_board)


def _run(wire: Wire, source: str, *calls: Call) -> list[Any]:
    """What a script answers on each board, in one round trip. Raises RedisError."""
    commands = [("EVALSHA", sha(source), 3, *keys_of(board), *args) for board, *args in calls]
    try:
        return wire.ask(*commands)
    except NoScriptError:  # Redis is new, or was told to forget
        wire.ask(("SCRIPT", "LOAD", source))
        return wire.ask(*commands)


@cache
def sha(source: str) -> str:
    """The name that Redis gives a script."""
    return sha1(source.encode(), usedforsecurity=False).hexdigest()


@_guarded
def lag(board: str, target: str) -> int:
    """How many changes up to the target are missing; something is, too, where the index is damaged."""
    [missing] = _run(wire(), LAG, (board, target))
    return int(missing)


def has_reached(board: str, target: str) -> bool:
    """Whether the index is as far as the target, or soon is."""
    return _ask(REACHED, board, target) is not None


def counts(board: str, target: str, score: int) -> Counts | None:
    """How many entries are better and worse than a score."""
    found = _ask(COUNTS, board, target, f"{score:016x}")
    return Counts(*found[1:]) if found else None


def place(board: str, target: str, player_id: int) -> View | None:
    """Where the player stands."""
    found = _ask(PLACE, board, target, player_id)
    return None if found is None else View(None, _placed(found))


def after(
    board: str, target: str, viewer_id: int | None, position: Position | None, limit: int
) -> View | None:
    """See `leaderboard.queries.after`, and where a viewer stands."""
    return _view(board, target, viewer_id, "after", str(position or ""), limit)


def before(board: str, target: str, viewer_id: int | None, position: Position, limit: int) -> View | None:
    """See `leaderboard.queries.before`, and where a viewer stands."""
    return _view(board, target, viewer_id, "before", str(position), limit)


def around(board: str, target: str, viewer_id: int | None, player_id: int, radius: int) -> View | None:
    """See `leaderboard.queries.around`, and where a viewer stands."""
    view = _view(board, target, viewer_id, "around", str(player_id), radius)
    return view._replace(slice=None) if view and view.slice and not view.slice.positions else view


def _view(board: str, target: str, viewer_id: int | None, *asked: str | int) -> View | None:
    found = _ask(SLICE, board, target, viewer_id or "", *asked)
    if found is None:
        return None
    members, ahead, better, field_size, own = found
    positions = [Position.parse(member) for member in members]
    return View(Slice(positions, ahead, better, field_size), _placed(own))


def _placed(found: list[Any]) -> Placed | None:
    return (Position.parse(found[0]), Counts(*found[1:])) if found else None


@_guarded
def _ask(source: str, board: str, *args: str | int) -> list[Any] | None:
    """What a script answers once the index has come as far as its target; None where it does not soon."""
    for pause_s in (0.0,) if time.monotonic() < _lost.get(board, 0.0) else PAUSES_S:
        if pause_s:
            time.sleep(pause_s)
        [found] = _run(wire(), source, (board, *args))
        if found is not None:
            return cast("list[Any]", found)
    _lost[board] = time.monotonic() + REST_S
    return None


@_guarded
def clear(board: str) -> None:
    """Forget the board."""
    wire().ask(("DEL", *keys_of(board)))
