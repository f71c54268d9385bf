"""Nobody learns a deal before its time: every door is tried, and what comes out is searched.

Secret are, until a day is settled, its deal code, its salt and any six cards of its deck or of its best line
in their order, however they are written. The open day's deck may be in the answer to a start; else a deal is
only in the answer to a member of staff who asks to look at it, and once the day is open shown to those
who have looked or played.
"""

import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from io import StringIO
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis
import structlog
from django.apps import apps
from django.core.cache import caches
from django.core.management import CommandError, call_command, get_commands
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from config.celery import app as celery
from daily.choosing import PATIENT
from daily.models import Challenge, Policy, Run
from daily.scheduling import make_missing
from daily.services import keep_checkpoint
from leaderboard.leagues import create_league
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from players.services import issue_token
from tests.cast import FrozenClock, greedy_log, make_player, started

pytestmark = pytest.mark.django_db

TODAY = date(2099, 11, 30)
"""So far ahead that the database, whose own clock no test moves, takes every day for a coming one."""
YESTERDAY, TOMORROW, DAY_AFTER = (TODAY + timedelta(days=ahead) for ahead in (-1, 1, 2))
WINDOW = 6
CARD = re.compile(r"(10|[A2-9TJQK])([CDHS♣♦♥♠])")
OUR_ROOMS = ("api", "daily", "leaderboard", "players", "web")
COMMANDS = {
    "demo": ["--players", "1"],
    "ensure_admin": [],
    "grant_access": ["no_such_role"],
    "repair_index": [],
    "schedule_ahead": [],
}
REPORTS = Path(__file__).parents[1] / ".test-results" / "leak-scan"


def cards_in(text: str) -> list[str]:
    """The cards a text names, in order, whatever stands between them."""
    suits = str.maketrans("♣♦♥♠", "CDHS")
    return [rank.replace("10", "T") + suit.translate(suits) for rank, suit in CARD.findall(text)]


def windows(cards: list[str]) -> set[tuple[str, ...]]:
    return {tuple(cards[start : start + WINDOW]) for start in range(len(cards) - WINDOW + 1)}


@dataclass(frozen=True)
class Secret:
    """What must not be known of a day: by name, words to look for and runs of cards to look for."""

    words: dict[str, set[str]]
    runs: dict[str, set[tuple[str, ...]]]

    @classmethod
    def of(cls, challenge: Challenge) -> "Secret":
        code = challenge.code.lower()
        words = {"code": {code, code.replace("-", "")}, "salt": {challenge.salt}}
        deck, line = challenge.deck.split(), cards_in(challenge.best_line_text)
        runs = {"deck": windows(deck) | windows(deck[::-1]), "best line": windows(line)}
        return cls({f"{name} of {challenge}": found for name, found in words.items()},
                   {f"{name} of {challenge}": found for name, found in runs.items()})  # fmt: skip

    def told_by(self, text: str) -> Iterator[str]:
        """The names of what the text tells."""
        lower, seen = text.lower(), windows(cards_in(text))
        yield from (
            name for name, words in self.words.items() if any(word and word in lower for word in words)
        )
        yield from (name for name, runs in self.runs.items() if runs & seen)


@dataclass
class Scan:
    """The places that were searched and what was found where it must not be."""

    secrets: list[Secret]
    places: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)

    def told_by(self, text: str) -> list[str]:
        return [name for secret in self.secrets for name in secret.told_by(text)]

    def search(self, place: str, text: str, *, allowed: Iterable[str] = ()) -> None:
        self.places.append(place)
        self.leaks += [f"{name}: {place}" for name in self.told_by(text) if name not in allowed]

    def report(self) -> None:
        """Fail with the leaks; leave the list of places where people can read it."""
        REPORTS.mkdir(parents=True, exist_ok=True)
        test = re.findall(r"\w+", os.environ["PYTEST_CURRENT_TEST"].partition("::")[2])
        Path(REPORTS, f"{'-'.join(test[:-1])}.txt").write_text("\n".join(self.places) + "\n")
        assert not self.leaks, "\n".join(self.leaks)


@dataclass(frozen=True)
class Stage:
    """A settled day, an open one that Ann has played and Bob plays, and two coming ones."""

    keeper: Player
    ann: Player
    bob: Player
    run: Run
    scan: Scan

    def day(self, day: date) -> Challenge:
        return Challenge.objects.get(date=day)


@pytest.fixture
def stage(clock: FrozenClock, db: None) -> Stage:
    clock.moment = clock.moment.replace(year=TODAY.year)
    Policy.objects.update(min_best_clear=20, min_difficulty=0, max_difficulty=1)
    for day in (YESTERDAY, TODAY, TOMORROW, DAY_AFTER):
        make_missing(day, PATIENT, Random(day.toordinal()))
    settle_due(clock.moment)
    keeper = Player.objects.create(name="keeper", is_staff=True, is_superuser=True, is_guest=False)
    ann, bob = make_player("ann"), make_player("bob")
    create_league(owner=ann, name="Friends", now=clock.moment)
    attempt = started(ann)
    log = greedy_log(attempt.challenge, 2)
    run, _ = submit_run(player=ann, attempt_id=attempt.pk, log=log)
    keep_checkpoint(player=bob, attempt_id=started(bob).pk, log=log[:-1])
    scan = Scan([Secret.of(challenge) for challenge in Challenge.objects.filter(date__gte=TODAY)])
    assert not scan.told_by(" ".join(log))
    return Stage(keeper, ann, bob, run, scan)


class Lines(logging.Handler):
    """Every log line as the service would write it, but for those that repeat SQL."""

    def __init__(self) -> None:
        super().__init__()
        formatters = (handler.formatter for handler in logging.getLogger().handlers)
        ours = (one for one in formatters if isinstance(one, structlog.stdlib.ProcessorFormatter))
        self.setFormatter(next(ours))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith("django.db.backends"):
            self.lines.append(f"{record.name}: {self.format(record)}")


@pytest.fixture
def log_lines() -> Iterator[list[str]]:
    """What is logged, at DEBUG."""
    handler, loggers = Lines(), (logging.getLogger(), logging.getLogger("django.request"))
    levels = [logger.level for logger in loggers]
    logging.getLogger().addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    yield handler.lines
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    logging.getLogger().removeHandler(handler)


def clients_of(stage: Stage) -> dict[str, Client]:
    """Everybody who may ask."""
    bearer = f"Bearer {issue_token(player=stage.ann)[1]}"
    clients = {
        "nobody": Client(raise_request_exception=False),
        "ann": Client(raise_request_exception=False),
        "ann by token": Client(raise_request_exception=False, headers={"authorization": bearer}),
        "staff": Client(raise_request_exception=False),
    }
    clients["ann"].force_login(stage.ann)
    clients["staff"].force_login(stage.keeper)
    return clients


def routes(patterns: Iterable[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    """Every route of the URL configuration."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


def addresses(stage: Stage) -> Iterator[str]:
    """Every address there is, with values that lead somewhere."""
    for route in routes(get_resolver().url_patterns):
        names = [first or second for first, second in PARAMETER.findall(route)]
        template = "/" + PARAMETER.sub("{}", route).replace("^", "").replace("$", "").replace("\\Z", "")
        for values in product(*(values_for(name, route, stage) for name in names)):
            yield template.format(*values)


def values_for(name: str, route: str, stage: Stage) -> list[Any]:
    """What to put in the place of a parameter of a route."""
    if name == "object_id" and (model := re.match(r"admin/(\w+)/(\w+)/", route)):
        return list(apps.get_model(model[1], model[2]).objects.values_list("pk", flat=True)[:3]) or [1]
    run_ids = [attempt.pk for attempt in stage.ann.attempts.all() | stage.bob.attempts.all()]
    known = {
        "app_label": OUR_ROOMS,
        "attempt_id": run_ids,
        "code": ["1", *stage.ann.owned_leagues.values_list("code", flat=True)],
        "content_type_id": [1],
        "date": [TODAY, TOMORROW],
        "day": [YESTERDAY, TODAY, TOMORROW],
        "id": [stage.ann.pk],
        "link": ["nothing"],
        "month": [11, 12],
        "name": ["ann", "bob"],
        "object_id": [1],
        "pk": [1],
        "period": ["2099-11", "2099-12", "2099-W48"],
        "run_id": run_ids,
        "slug": ["endless"],
        "token_id": [token.pk for token in stage.ann.tokens.all()],
        "url": ["nothing"],
        "year": [2099],
    }
    assert name in known, f"{route} has a parameter <{name}>: tell this scan what to put there"
    return list(known[name])


def variants(address: str) -> Iterator[str]:
    """An address with the query strings that change what is listed and how."""
    yield address
    if re.fullmatch(r"/admin/\w+/\w+/", address):
        for query in ("q=2099", "all=", "o=1.2.3.4", "_facets=True", "_popup=1", "format=json", "e=1"):
            yield f"{address}?{query}"
    if address.startswith("/api/v1/"):
        yield f"{address}?format=csv&limit=100"
    if address == "/admin/autocomplete/":
        for model in ("run", "attempt", "look"):
            yield f"{address}?app_label=daily&model_name={model}&field_name=challenge&term=2099"


def written(response: Any) -> str:
    """Everything of a response: its headers, cookies and body."""
    body = response.getvalue().decode(errors="replace")
    return f"{response.serialize_headers().decode()}\n{response.cookies}\n{body}"


def crawl(stage: Stage) -> None:
    """Ask every address as everybody."""
    clients = clients_of(stage)
    paths = [variant for path in addresses(stage) for variant in variants(path)]
    for who, path in product(clients, paths):
        if "?" in path and who != ("staff" if path.startswith("/admin/") else "ann"):
            continue  # one asker is enough for the variants
        response = clients[who].get(path)
        assert response.status_code not in (429, 500), path
        stage.scan.search(f"GET {path} as {who}: {response.status_code}", written(response))


def search_tables(scan: Scan) -> None:
    """Rows, and how they are written, but for the columns that hold deals and logs."""
    holders = {("daily_challenge", column) for column in ("deck", "code", "salt", "best_line_text")}
    holders |= {("daily_run", "log_text"), ("daily_attempt", "checkpoint_text")}
    for model in apps.get_models():
        table = model._meta.db_table
        columns = [
            field.attname for field in model._meta.concrete_fields if (table, field.column) not in holders
        ]
        rows = list(model._default_manager.all())
        scan.search(f"table {table}", "\n".join(repr(list(model._default_manager.values_list(*columns)))))
        scan.search(f"{model.__name__} as text", "\n".join(f"{row} {row!r}" for row in rows))


def search_caches(scan: Scan, redis_client: redis.Redis | None) -> None:
    for cache in caches.all():
        scan.search(f"cache {cache!r}", repr(vars(cache)))
    if redis_client:
        for key in redis_client.keys("*"):
            scan.search(f"Redis {key!r}", f"{key!r} {content_of(redis_client, key)!r}")


def content_of(client: redis.Redis, key: bytes | str) -> object:
    """A Redis value of any type."""
    readers: dict[object, Callable[[], object]] = {
        b"string": lambda: client.get(key),
        b"hash": lambda: client.hgetall(key),
        b"list": lambda: client.lrange(key, 0, -1),
        b"set": lambda: client.smembers(key),
        b"zset": lambda: client.zrange(key, 0, -1, withscores=True),
    }
    return readers[client.type(key)]()


def test_no_answer_no_log_line_and_no_store_tells_a_deal(
    stage: Stage, log_lines: list[str], redis_client: redis.Redis | None
) -> None:
    crawl(stage)
    assert len(stage.scan.places) > 500
    for who, address in (
        ("nobody", "/api/v1/challenges/"),
        ("ann", f"/api/v1/challenges/{TOMORROW}/"),
        ("ann by token", f"/api/v1/challenges/{TODAY}/leaderboard/"),
        ("staff", f"/admin/daily/challenge/{TOMORROW}/change/"),
        ("staff", "/admin/daily/run/?q=2099"),
    ):
        assert f"GET {address} as {who}: 200" in stage.scan.places
    search_tables(stage.scan)
    search_caches(stage.scan, redis_client)
    assert len(log_lines) > 500
    stage.scan.search(f"{len(log_lines)} log lines", "\n".join(log_lines))
    stage.scan.report()


def test_the_code_of_a_coming_day_does_not_open_its_deal(stage: Stage) -> None:
    for day in (TODAY, TOMORROW):
        challenge = stage.day(day)
        response = Client().get(f"/api/v1/deals/{challenge.code}/")
        assert response.status_code == 404
        stage.scan.search(f"GET /api/v1/deals/CODE/ of {day}", written(response), allowed=[f"code of {day}"])
    stage.scan.report()


def test_the_open_deck_leaves_in_the_answer_to_a_start(stage: Stage) -> None:
    client = Client(headers={"authorization": f"Bearer {issue_token(player=stage.bob)[1]}"})
    response = client.post("/api/v1/challenges/today/attempts/", {}, content_type="application/json")
    assert stage.scan.told_by(written(response)) == [f"deck of {TODAY}"]


def test_the_open_deck_is_on_its_page_in_the_admin_site_after_a_look(stage: Stage) -> None:
    staff, page = clients_of(stage)["staff"], reverse("admin:daily_challenge_change", args=[TODAY])
    assert stage.scan.told_by(written(staff.get(page))) == []
    staff.post(reverse("admin:daily_challenge_preview", args=[TODAY]))
    assert stage.scan.told_by(written(staff.get(page))) == [f"deck of {TODAY}"]


def test_a_coming_deal_is_in_the_answer_to_a_look_and_nowhere_after_it(
    stage: Stage, log_lines: list[str], redis_client: redis.Redis | None
) -> None:
    staff = clients_of(stage)["staff"]
    response = staff.post(reverse("admin:daily_challenge_preview", args=[TOMORROW]))
    told = stage.scan.told_by(written(response))
    assert told == [f"code of {TOMORROW}", f"deck of {TOMORROW}"]
    for name, arguments in (
        ("changelist", []),
        ("change", [TOMORROW]),
        ("history", [TOMORROW]),
        ("calendar", []),
    ):
        address = reverse(f"admin:daily_challenge_{name}", args=arguments)
        stage.scan.search(f"GET {address} after a look", written(staff.get(address)))
    for address in (reverse("admin:daily_auditentry_changelist"), reverse("admin:index")):
        stage.scan.search(f"GET {address} after a look", written(staff.get(address)))
    search_tables(stage.scan)
    search_caches(stage.scan, redis_client)
    stage.scan.search(f"{len(log_lines)} log lines after a look", "\n".join(log_lines))
    stage.scan.report()


def test_a_deal_given_by_hand_is_told_to_nobody(
    stage: Stage, log_lines: list[str], redis_client: redis.Redis | None
) -> None:
    staff, twisted = clients_of(stage)["staff"], stage.day(TOMORROW).deck.split()[::-1]
    address = reverse("admin:daily_challenge_deal", args=[DAY_AFTER])
    form = {"rules": "endless", "source": "given", "given": " ".join(twisted)}
    response = staff.post(address, form, follow=True)
    assert stage.day(DAY_AFTER).deck == form["given"]
    scan = Scan([Secret.of(stage.day(DAY_AFTER))])
    scan.search(f"POST {address} and the page after it", written(response))
    for name in ("changelist", "history"):
        page = reverse(f"admin:daily_challenge_{name}", args=[DAY_AFTER] if name == "history" else [])
        scan.search(f"GET {page} after a change", written(staff.get(page)))
    search_tables(scan)
    search_caches(scan, redis_client)
    scan.search(f"{len(log_lines)} log lines after a change", "\n".join(log_lines))
    scan.report()


@pytest.mark.parametrize(
    ("broken", "method", "address"),
    [
        ("daily.admin.challenges.draw_deal", "post", f"/admin/daily/challenge/{TODAY}/preview/"),
        ("daily.admin.challenges.steps", "post", f"/admin/daily/challenge/{TOMORROW}/preview/"),
        ("api.views.attempts.render_attempt", "post", "/api/v1/challenges/today/attempts/"),
        ("api.views.challenges.render_challenge_detail", "get", f"/api/v1/challenges/{TOMORROW}/"),
    ],
)
def test_a_fault_of_ours_tells_nothing(
    stage: Stage,
    log_lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    method: str,
    address: str,
) -> None:
    def break_down(*given: Any, **_named: Any) -> None:
        deal = given
        raise RuntimeError("out of order: %r", deal[:0])

    monkeypatch.setattr(broken, break_down)
    client = clients_of(stage)["staff"]
    response = getattr(client, method)(address, content_type="application/json")
    assert response.status_code == 500
    stage.scan.search(f"{method.upper()} {address} when it breaks", written(response))
    assert any("out of order" in line for line in log_lines)
    stage.scan.search("log of a fault", "\n".join(log_lines))
    stage.scan.report()


@pytest.mark.parametrize(
    "address", ["/nothing", "/admin/nothing/", "/api/v1/nothing/", "/api/v1/challenges/%ff/"]
)
def test_what_is_not_there_tells_nothing(stage: Stage, address: str) -> None:
    for who, client in clients_of(stage).items():
        stage.scan.search(f"GET {address} as {who}", written(client.get(address)))
    stage.scan.report()


def our_tasks() -> list[str]:
    celery.loader.import_default_modules()
    return [name for name in celery.tasks if name.startswith(OUR_ROOMS)]


def test_no_task_is_given_or_returns_a_deal(stage: Stage, log_lines: list[str]) -> None:
    assert len(our_tasks()) >= 2
    for name in our_tasks():
        result = celery.tasks[name].apply()
        assert result.successful()
        stage.scan.search(f"result of {name}", f"{result.result!r} {result!r}")
    beat = json.dumps(celery.conf.beat_schedule, default=repr)
    stage.scan.search("beat schedule", beat)
    stage.scan.search("log of tasks", "\n".join(log_lines))
    stage.scan.report()


@pytest.mark.redis
def test_no_message_to_a_worker_tells_a_deal(stage: Stage, redis_client: redis.Redis) -> None:
    for name in our_tasks():
        celery.tasks[name].delay()
    assert redis_client.llen("celery") == len(our_tasks())
    search_caches(stage.scan, redis_client)
    stage.scan.report()


def test_no_command_prints_a_deal(
    stage: Stage, log_lines: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    ours = {name for name, room in get_commands().items() if room in OUR_ROOMS}
    assert ours == set(COMMANDS), "tell this scan how to call the new commands"
    Challenge.objects.filter(date__gt=DAY_AFTER).delete()
    for name, arguments in COMMANDS.items():
        out, err = StringIO(), StringIO()
        try:
            call_command(name, *arguments, stdout=out, stderr=err)
        except CommandError as refusal:
            err.write(str(refusal))
        scan = Scan([Secret.of(challenge) for challenge in Challenge.objects.filter(date__gte=TODAY)])
        printed = capfd.readouterr()
        text = "\n".join([out.getvalue(), err.getvalue(), printed.out, printed.err, *log_lines])
        scan.search(f"manage.py {name}", text)
        scan.report()
