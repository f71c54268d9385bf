"""A steady mixed load: visitors who play or look around, each a call every few seconds, as people do."""

import time
from collections.abc import Generator, Iterator, Mapping
from functools import partial
from http.cookies import SimpleCookie
from queue import SimpleQueue
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from bench.client import NO_ANSWER, Answer, Client, Crowd
from bench.stories import API, Story, log_for

PAUSE_S = 4
"""Seconds between two calls of a visitor."""
GOOD = {200, 201, 204, 304}
NOTHING = 0
"""The status of no answer."""


class Call(NamedTuple):
    """What a visitor asks for."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}


type Part[T] = Generator[Call, Answer, T]
"""Calls, each of which may depend on the answers before, and what came of them."""
type Visit = Part[None]
type Who = Mapping[str, str]
"""The headers that speak for a player."""


class Seen(NamedTuple):
    """How a call was answered, and after how many seconds."""

    call: Call
    status: int
    seconds: float

    @property
    def is_good(self) -> bool:
        """Whether the visitor got what they came for."""
        return self.status in GOOD


class Traffic:
    """So many calls a second, by so many visitors as it takes; who has seen everything makes room."""

    def __init__(self, rate: float, rng: Random) -> None:
        self._rate, self._rng = rate, rng
        self._waiting: SimpleQueue[tuple[Visit, Call]] = SimpleQueue()
        for _ in range(round(rate * PAUSE_S)):
            self._waiting.put(self._begin())

    def run(self, crowd: Crowd, seconds: float) -> list[Seen]:
        """Let the crowd make the calls for so long; how each was answered."""
        return crowd.map(self._make_next, self._moments(seconds))

    def _moments(self, seconds: float) -> Iterator[float]:
        """When each call is due; those that nobody came to in time are left out."""
        begun = time.monotonic()
        for number in range(round(self._rate * seconds)):
            if time.monotonic() < begun + seconds:
                yield begun + number / self._rate

    def _make_next(self, client: Client, due: float) -> Seen:
        time.sleep(max(0, due - time.monotonic()))
        visit, call = self._waiting.get()
        begun = time.monotonic()
        try:
            answer = make(client, call)
        except NO_ANSWER:
            self._waiting.put(self._begin())
            return Seen(call, NOTHING, time.monotonic() - begun)
        self._waiting.put(self._go_on(visit, answer))
        return Seen(call, answer.status, answer.seconds)

    def _begin(self) -> tuple[Visit, Call]:
        kinds = partial(program, self._rng), partial(browser, self._rng), look_around
        visit = self._rng.choice(kinds)()
        return visit, next(visit)

    def _go_on(self, visit: Visit, answer: Answer) -> tuple[Visit, Call]:
        """The visit's next call, or the first of another when it is over or can only go wrong from here."""
        if answer.status in GOOD:
            try:
                return visit, visit.send(answer)
            except StopIteration:
                pass
        return self._begin()


def make(client: Client, call: Call) -> Answer:
    """Make a call once. Raises OSError or HTTPException where there is no answer."""
    return client.ask(call.method, call.path, body=call.body, **call.headers)


def program(rng: Random) -> Visit:
    """A guest with a token, who plays and looks at what came of it in the API."""
    joined = (yield Call("POST", f"{API}/players/")).document
    who, name = {"Authorization": f"Bearer {joined['token']}"}, joined["player"]["name"]
    attempt = yield from _play(who, rng)
    day_board = f"{API}/challenges/{attempt['challenge']}/leaderboard/"
    for path in (f"{day_board}?around=me", f"{API}/leaderboards/all-time/?around=me"):
        yield Call("GET", path, headers=who)
    for path in (f"runs/{attempt['id']}/", "players/me/", "players/me/runs/", "me/"):
        yield Call("GET", f"{API}/{path}", headers=who)
    yield Call("GET", f"/players/{quote(name)}/")


def browser(rng: Random) -> Visit:
    """A guest with a session, who plays and looks at what came of it on the pages."""
    cookies = _cookies_of((yield Call("GET", "/play/")))
    cookies |= _cookies_of((yield Call("POST", "/guests/", headers=_who(cookies))))
    attempt = yield from _play(_who(cookies), rng)
    for page in ("", "replay/", "picture.png"):
        yield Call("GET", f"/runs/{attempt['id']}/{page}", headers=_who(cookies))
    for page in ("", "days/today/", "boards/week/current/", "account/"):
        yield Call("GET", f"/{page}", headers=_who(cookies))


def _cookies_of(answer: Answer) -> dict[str, str]:
    texts = answer.headers.get_all("Set-Cookie", [])
    return {name: each.value for text in texts for name, each in SimpleCookie(text).items()}


def _who(cookies: Mapping[str, str]) -> Who:
    sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return {"Cookie": sent, "X_CSRFToken": cookies["csrftoken"]}


def _play(who: Who, rng: Random) -> Part[Any]:
    """Play today's deal with two checkpoints; the attempt."""
    attempt = (yield Call("POST", f"{API}/challenges/today/attempts/", {}, who)).document
    log, place = log_for(Story("", "", attempt), rng), f"{API}/attempts/{attempt['id']}"
    yield Call("PUT", f"{place}/checkpoint/", {"log": log[: len(log) // 3]}, who)
    # Long enough before the next checkpoint, also where the service has been slow and all come late.
    yield Call("GET", f"{place}/", headers=who)
    replayed = {"deck": attempt["deck"], "rules": attempt["rules"], "log": log}
    yield Call("POST", f"{API}/replay/", replayed, who)
    yield Call("PUT", f"{place}/checkpoint/", {"log": log[: len(log) // 2]}, who)
    yield Call("POST", f"{place}/run/", {"log": log}, who)
    return attempt


def look_around() -> Visit:
    """Somebody without a name who reads the API, some of it twice, and the pages."""
    read = partial(Call, "GET")
    for path in (f"{API}/challenges/today/", f"{API}/rules/"):
        tag = (yield read(path)).headers["ETag"]
        yield read(path, headers={"If_None_Match": tag})
    for path in (f"{API}/challenges/today/leaderboard/", f"{API}/leaderboards/all-time/"):
        board = (yield read(f"{path}?limit=10")).document
        if board["next"]:
            following = urlsplit(board["next"])
            yield read(f"{following.path}?{following.query}")
        yield read(path)
    yield read(f"{API}/challenges/")
    for page in ("", "days/", "days/today/", "boards/all-time/", "practice/", "rules/", "fairness/"):
        yield read(f"/{page}")
