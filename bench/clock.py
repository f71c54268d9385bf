"""The clock cannot be bent: forged times, wrong clocks, locks and slow senders, on a whole deployment.

    python -m bench.clock [--minutes 10]

Each case starts and submits over HTTP and compares the time that the service says a run took with what the
database's clock showed just before and after both calls. Ends with 1 where a time is not so.
"""

import argparse
import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from http.client import HTTPResponse
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from bench.client import Answer, Client
from bench.load import request
from bench.service import Deployment, deployment, load_averages, wait_for
from bench.stories import API, Journal, Story, expect, join, start
from tests.stepped_clock import MAKE, SEARCH_PATH, STEP

HELD_S = 3.0
A_DAY_S = 86_400
NOT_OFF, ROUNDED = timedelta(0), timedelta(milliseconds=1)
FORGED_HEADERS = {
    "Date": "Thu, 01 Jan 1970 00:00:00 GMT",
    "If_Unmodified_Since": "Fri, 31 Dec 2100 00:00:00 GMT",
    "X_Request_Start": "t=0",
    "X_Started_At": "1970-01-01T00:00:00Z",
    "X_Forwarded_For": "203.0.113.9",
    "Age": "86400",
}
FORGED_QUERY = (
    "?now=1970-01-01T00:00:00Z&started_at=2100-01-01T00:00:00Z&submitted_at=1970-01-01&elapsed_ms=1"
)
FORGED_FIELDS = ("elapsed_ms", "started_at", "submitted_at", "server_time", "deadline_at", "now", "time")
LOCKS = (
    "SELECT FROM daily_challenge WHERE date = %s FOR UPDATE",
    "SELECT FROM leaderboard_tally WHERE board = %s::text FOR UPDATE",
)
STEPPED_CLOCK = f"""
    {MAKE}
    ALTER ROLE service SET search_path = {SEARCH_PATH};
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'service';
"""
"""Lets the service go by a clock that can be stepped."""


class Bent(Exception):
    """A time that is not so."""


@dataclass
class Bench:
    """A deployment, its database as the owner sees it, and players who have not started."""

    service: Deployment
    owner: psycopg.Connection
    client: Client
    journal: Journal

    def newcomer(self) -> Story:
        """A new guest."""
        return join(self.client, self.journal)

    def now(self) -> datetime:
        """The true time, by PostgreSQL's own clock."""
        moment: datetime = self.ask("SELECT pg_catalog.clock_timestamp()")
        return moment

    def ask(self, query: str, *values: Any) -> Any:
        """The one value that the owner gets, or None."""
        cursor = self.owner.execute(query, values)
        found = cursor.fetchone() if cursor.description else None
        return found and found[0]

    def let_end_in(self, story: Story, seconds: float) -> None:
        """Give an attempt so much time from now on."""
        deadline = self.now() + timedelta(seconds=seconds)
        self.ask(
            "UPDATE daily_attempt SET deadline_at = %s WHERE id = %s", deadline, UUID(story.attempt["id"])
        )

    def step(self, **by: float) -> None:
        """Let the clock that the service asks be so much off."""
        self.ask(STEP, timedelta(**by))


class Span(NamedTuple):
    """Between which two moments something happened, by the true time."""

    before: datetime
    after: datetime


def timed[R](bench: Bench, call: Callable[[], R]) -> tuple[R, Span]:
    """What the call gives, and when it was made."""
    before = bench.now()
    result = call()
    return result, Span(before, bench.now())


def timed_last(bench: Bench, submit: Callable[[], Answer], begun: Span) -> tuple[Answer, Span, Span]:
    """The answer to a submission, and when start and submission were made."""
    answer, ended = timed(bench, submit)
    return answer, begun, ended


def started(bench: Bench, client: Client | None = None) -> tuple[Story, Span]:
    """A newcomer who has started, and when."""
    story = bench.newcomer()
    _, span = timed(bench, partial(start, client or bench.client, story))
    return story, span


def check_elapsed(answer: Answer, begun: Span, ended: Span, *, off: timedelta = NOT_OFF) -> str:
    """Whether a run took from the start to the end, give or take how long the calls took. Raises Bent."""
    least, most = ended.before - begun.after + off, ended.after - begun.before + off
    elapsed = timedelta(milliseconds=expect(answer, 201).document["elapsed_ms"])
    if not least - ROUNDED <= elapsed <= most + ROUNDED:
        raise Bent(f"{elapsed} is not between {least} and {most}")
    return f"{elapsed.total_seconds():.3f} s, truly {least.total_seconds():.3f} to {most.total_seconds():.3f}"


def send(story: Story, body: Any, client: Client, *, query: str = "", **headers: str) -> Answer:
    """Submit once."""
    path = f"{API}/attempts/{story.attempt['id']}/run/{query}"
    return client.ask("POST", path, token=story.token, body=body, **headers)


def forged_times(bench: Bench) -> str:
    """Times in headers, query and body of start and submit."""
    story, path = bench.newcomer(), f"{API}/challenges/today/attempts/"
    for name in FORGED_FIELDS:
        _expect(bench.client.ask("POST", path, token=story.token, body={name: 1}), 400, "invalid")
    forged = partial(bench.client.ask, token=story.token, body={}, **FORGED_HEADERS)
    answer, begun = timed(bench, partial(forged, "POST", path + FORGED_QUERY))
    story.attempt = expect(answer, 201).document
    time.sleep(0.5)
    for name in FORGED_FIELDS:
        _expect(send(story, {"log": [], name: 1}, bench.client), 400, "invalid")
    submit = partial(send, story, {"log": []}, bench.client, query=FORGED_QUERY, **FORGED_HEADERS)
    return check_elapsed(*timed_last(bench, submit, begun))


def wrong_web_clock(bench: Bench) -> str:
    """Web servers whose own clock is a day ahead, or behind: starting with one, submitting with the other."""
    found = []
    with _web_off(bench, A_DAY_S) as ahead, _web_off(bench, -A_DAY_S) as behind:
        right = bench.client
        for first, second in ((ahead, behind), (behind, ahead), (right, ahead), (behind, right)):
            story, begun = started(bench, first)
            if story.attempt["challenge"] != str(bench.now().date()):
                raise Bent(f"started {story.attempt['challenge']}")
            time.sleep(0.3)
            submit = partial(send, story, {"log": []}, second)
            found.append(check_elapsed(*timed_last(bench, submit, begun)))
        _refuse_tomorrow(bench, ahead)
    return "; ".join(found)


def _refuse_tomorrow(bench: Bench, ahead: Client) -> None:
    """A server that takes tomorrow for today neither starts it nor shows its deal."""
    tomorrow = bench.now().date() + timedelta(days=1)
    path, token = f"{API}/challenges/{tomorrow}/", bench.newcomer().token
    _expect(ahead.ask("POST", f"{path}attempts/", token=token, body={}), 409, "not_open")
    page = expect(ahead.ask("GET", path), 200).document
    if page["deck"] or page["salt"] or page["best_line"]:
        raise Bent(f"it shows {page}")


@contextmanager
def _web_off(bench: Bench, seconds: int) -> Iterator[Client]:
    """A further web server, whose own clock is so much off."""
    web, port = bench.service.further_web("bench.off_clock:application", OFF_S=str(seconds))
    web.start()
    try:
        client = Client(port)
        client.insist("GET", "/healthz")
        yield client
    finally:
        web.stop()


def clock_set_back(bench: Bench) -> str:
    """The database's clock set back by ten minutes between start and submit: no negative time."""
    (story, _), (kept, _) = started(bench), started(bench)
    time.sleep(0.5)
    path = f"{API}/attempts/{kept.attempt['id']}/checkpoint/"
    checkpoint = expect(bench.client.ask("PUT", path, token=kept.token, body={"log": ["D"]}), 200).document
    bench.step(minutes=-10)
    answers = [expect(send(one, {"log": ["D"]}, bench.client), 201) for one in (story, kept)]
    bench.step()
    elapsed = [answer.document["elapsed_ms"] for answer in answers]
    kept_at, started_at = checkpoint["checkpoint_at"], kept.attempt["started_at"]
    known = datetime.fromisoformat(kept_at) - datetime.fromisoformat(started_at)
    if elapsed != [0, round(known.total_seconds() * 1000)]:
        raise Bent(f"{elapsed} ms, not 0 and {known}")
    return f"{elapsed[0]} ms, and {elapsed[1]} ms where a checkpoint knew of them"


def clock_set_ahead(bench: Bench) -> str:
    """The database's clock set ahead by ten minutes, then by two hours: times and deadlines go by it."""
    (story, begun), (late, _) = started(bench), started(bench)
    bench.step(minutes=10)
    answer, ended = timed(bench, partial(send, story, {"log": []}, bench.client))
    bench.step(hours=2)
    _expect(send(late, {"log": []}, bench.client), 409, "deadline_passed")
    bench.step()
    expect(send(late, {"log": []}, bench.client), 201)
    return f"{check_elapsed(answer, begun, ended, off=timedelta(minutes=10))}, of them 600 by the step"


def held_by_a_lock(bench: Bench) -> str:
    """A submission that a row lock holds for three seconds, across the deadline: arrived before it."""
    return "; ".join(_held_by(bench, lock) for lock in LOCKS)


def _held_by(bench: Bench, lock: str) -> str:
    story, begun = started(bench)
    bench.let_end_in(story, HELD_S / 2)
    with ThreadPoolExecutor(1) as aside, psycopg.connect(bench.service.owner_url) as holder:
        holder.execute(lock, [story.attempt["challenge"]])
        submission = aside.submit(send, story, {"log": []}, bench.client)
        _, ended = timed(bench, partial(wait_for, partial(_is_held, bench)))
        time.sleep(HELD_S)
        if submission.done():
            raise Bent(f"nothing held it: {submission.result()}")
        holder.rollback()
        return check_elapsed(submission.result(), begun, ended)


def _is_held(bench: Bench) -> bool:
    return bool(bench.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))


def slow_body(bench: Bench) -> str:
    """A submission whose head arrives at once and whose body trickles in: timed when all of it is there."""
    story, _ = started(bench)
    status, document = _trickle(bench, story)
    if status != 201 or document["elapsed_ms"] < 1000 * HELD_S:
        raise Bent(f"{status}: {document}")
    late, _ = started(bench)
    bench.let_end_in(late, HELD_S / 2)
    status, refusal = _trickle(bench, late)
    if (status, refusal["code"]) != (409, "deadline_passed"):
        raise Bent(f"{status}: {refusal}")
    return f"{document['elapsed_ms'] / 1000:.3f} s, and refused where the deadline passed meanwhile"


def _trickle(bench: Bench, story: Story) -> tuple[int, Any]:
    """Submit, the last byte of the body three seconds after everything else."""
    body = json.dumps({"log": ["D"]}).encode()
    whole = request("POST", f"{API}/attempts/{story.attempt['id']}/run/", token=story.token, body=body)
    with socket.create_connection(("127.0.0.1", bench.service.port), timeout=20) as line:
        line.sendall(whole[:-1])
        time.sleep(HELD_S)
        line.sendall(whole[-1:])
        answer = HTTPResponse(line)
        answer.begin()
        return answer.status, json.loads(answer.read())


def _expect(answer: Answer, status: int, code: str) -> None:
    if (answer.status, answer.document.get("code")) != (status, code):
        raise Bent(f"{answer.status} {answer.body!r}, not {status} {code}")


CASES = (forged_times, wrong_web_clock, held_by_a_lock, slow_body, clock_set_back, clock_set_ahead)
"""In this order: the last two have the deployment go by another clock."""


def main() -> int:
    """Try each case, and print what came of it."""
    options = _options()
    bent = 0
    with deployment(options.minutes) as service, psycopg.connect(service.owner_url, autocommit=True) as owner:
        bench = Bench(service, owner, Client(service.port), Journal())
        for case in CASES:
            if case is clock_set_back:
                owner.execute(STEPPED_CLOCK)
            try:
                print(f"{case.__name__.replace('_', ' ')}: {case(bench)}", flush=True)
            except Bent as fault:
                bent += 1
                print(f"{case.__name__.replace('_', ' ')} BENT IT: {fault}", flush=True)
        least = bench.ask("SELECT min(elapsed_ms) FROM daily_run")
    print(f"{len(CASES)} cases, {bent} bent the clock, the shortest run {least} ms; load {load_averages()}")
    return 1 if bent or least < 0 else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10, help="give up after so long")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
