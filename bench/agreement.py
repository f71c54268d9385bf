"""Whether the database, the boards and every page say what the players were told."""

import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import chain
from random import Random
from typing import Any

from api.caching import KEPT_S
from bench.client import Client, Crowd
from bench.stories import API, Journal, Story, expect
from daily.models import Attempt, Run
from leaderboard import index, queries
from leaderboard.boards import ALL_TIME, boards_of, day_of
from leaderboard.models import Standing
from leaderboard.services import index_lag
from players.models import Player

PROFILES = 500
"""How many profiles are looked at: each asks the database six questions."""


@dataclass
class Verdict:
    """A sentence for everything that is not as it should be."""

    lost: list[str] = field(default_factory=list)
    """What was acknowledged and is not there."""
    doubled: list[str] = field(default_factory=list)
    """What is there and was never acknowledged, or more than once."""
    wrong: list[str] = field(default_factory=list)
    """What is shown and is not so."""
    views: int = 0
    """How many pages were compared."""

    @property
    def is_good(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.lost or self.doubled or self.wrong)


def compare(journal: Journal, crowd: Crowd, rng: Random) -> Verdict:
    """What of the journal the service tells otherwise, once nobody plays any more. The index is let alone."""
    time.sleep(KEPT_S)  # for as long pages may tell what they told before
    verdict = Verdict()
    verdict.lost += lost(journal)
    verdict.doubled += doubled(journal)
    days = _by_day(journal)
    for board in sorted({board for day in days for board in boards_of(day)}):
        told = _on_board(board, days)
        verdict.wrong += _compare_board(board, told, crowd.clients[0])
        verdict.views += 1 + len(told) // 100
    for day, stories in days.items():
        worth = partial(_compare_run, _places(stories))
        verdict.wrong += chain(*crowd.map(worth, stories))
        verdict.wrong += _compare_day(day, journal, crowd.clients[0])
        verdict.views += len(stories) + 1
    sample = rng.sample(list(journal.runs.values()), min(PROFILES, len(journal.runs)))
    verdict.wrong += chain(*crowd.map(_compare_profile, sample))
    verdict.views += len(sample)
    return verdict


def is_index_whole(days: set[date]) -> bool:
    """Whether the index of all boards of these days is complete, by its own count."""
    boards = {board for day in days for board in boards_of(day)}
    return all(index_lag(board) == 0 for board in boards)


def different_boards(days: set[date]) -> list[str]:
    """The boards of these days whose index holds anything else than SQL does."""
    boards = sorted({board for day in days for board in boards_of(day)})
    return [board for board in boards if _indexed(board) != _stored(board)]


def days_of(journal: Journal) -> set[date]:
    """The days that have runs."""
    return set(_by_day(journal))


def _indexed(board: str) -> list[str]:
    [found] = index.wire().ask(("ZRANGE", index.keys_of(board)[0], 0, -1))
    return list(found)


def _stored(board: str) -> list[str]:
    figures = queries.live(board).values_list("score", "player_id")
    return [f"{score:016x}{player_id:016x}" for score, player_id in figures]


def lost(journal: Journal) -> Iterator[str]:
    names = set(Player.objects.values_list("name", flat=True))
    yield from (f"guest {story.name}" for story in journal.stories if story.name not in names)
    attempts = {str(attempt.pk): attempt for attempt in Attempt.objects.select_related("player")}
    for attempt_id, story in journal.attempts.items():
        found = attempts.get(attempt_id)
        if found is None or _attempt(found) != _told_of_attempt(story):
            yield f"attempt {attempt_id}: {found and _attempt(found)}, not {_told_of_attempt(story)}"
    runs = {str(run.pk): run for run in Run.objects.select_related("player")}
    for run_id, story in journal.runs.items():
        if run_id not in runs or _run(runs[run_id]) != _told_of_run(story):
            yield f"run {run_id}: {_run(runs[run_id]) if run_id in runs else None}, not {_told_of_run(story)}"


def _attempt(attempt: Attempt) -> tuple[Any, ...]:
    return attempt.player.name, _text(attempt.started_at), _text(attempt.deadline_at), attempt.checkpoint


def _told_of_attempt(story: Story) -> tuple[Any, ...]:
    told = story.attempt
    return story.name, told["started_at"], told["deadline_at"], story.checkpoint or []


def _run(run: Run) -> tuple[Any, ...]:
    standing = run.rank, run.field_size
    return run.player.name, run.log, run.cleared, run.elapsed_ms, _text(run.submitted_at), standing


def _told_of_run(story: Story) -> tuple[Any, ...]:
    told = story.run
    standing = told["standing"]["rank"], told["standing"]["field_size"]
    return story.name, story.log, told["cleared"], told["elapsed_ms"], told["submitted_at"], standing


def _text(moment: Any) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%fZ}"


def doubled(journal: Journal) -> Iterator[str]:
    """Every client asked until it was answered, so there is nothing of which nobody knows."""
    for model, told in ((Attempt, journal.attempts), (Run, journal.runs)):
        found = Counter(model.objects.values_list("player__name", flat=True))
        yield from (f"{model.__name__}s of {name}: {number}" for name, number in found.items() if number > 1)
        unknown = {str(pk) for pk in model.objects.values_list("pk", flat=True)} - told.keys()
        yield from (f"{model.__name__} {pk}, of which nobody was told" for pk in unknown)
    yield from (f"{standing} has {standing.days} days" for standing in Standing.objects.exclude(days=1))


def _by_day(journal: Journal) -> dict[date, list[Story]]:
    days: dict[date, list[Story]] = {}
    for story in journal.runs.values():
        days.setdefault(date.fromisoformat(story.run["challenge"]), []).append(story)
    return days


def _on_board(board: str, days: dict[date, list[Story]]) -> list[Story]:
    return [story for day, stories in days.items() if board in boards_of(day) for story in stories]


def _order(story: Story) -> tuple[int, int]:
    return -story.run["cleared"], story.run["elapsed_ms"]


def _places(stories: list[Story]) -> dict[str, dict[str, Any]]:
    """What each run is worth among these, by its id."""
    orders = sorted(map(_order, stories))
    return {story.run["id"]: _place(_order(story), orders) for story in stories}


def _place(own: tuple[int, int], orders: list[tuple[int, int]]) -> dict[str, Any]:
    others, beaten = len(orders) - 1, len(orders) - bisect_right(orders, own)
    percentile = round(100 * beaten / others, 2) if others else 100.0
    return {"rank": bisect_left(orders, own) + 1, "field_size": len(orders), "percentile": percentile}


def _path(board: str) -> str:
    if day_of(board):
        return f"{API}/challenges/{board}/leaderboard/"
    kind = "all-time" if board == ALL_TIME else f"week/{board}" if "W" in board else f"month/{board}"
    return f"{API}/leaderboards/{kind}/"


def _compare_board(board: str, told: list[Story], client: Client) -> Iterator[str]:
    """All pages of a board, from the first by their links."""
    pages = list(_pages(_path(board), client))
    rows = [row for page in pages for row in page["results"]]
    places, ranked = _places(told), sorted(told, key=_order)
    lines = [(places[story.run["id"]]["rank"], *_result(story.run)) for story in ranked]
    if [(row["rank"], *_result(row)) for row in rows] != lines:
        yield f"board {board}: its {len(rows)} lines are not the {len(lines)} expected"
    if {row["player"]: _result(row) for row in rows} != {story.name: _result(story.run) for story in told}:
        yield f"board {board}: its players have other results"
    tally = Counter(story.run["cleared"] for story in told)
    whole = len(told), [tally[cleared] for cleared in range(29)]
    for page in pages:
        if (page["field_size"], page["distribution"]) != whole:
            yield f"board {board}: {page['field_size']} and {page['distribution']}, not {whole}"


def _result(told: dict[str, Any]) -> tuple[int, int]:
    return told["cleared"], told["elapsed_ms"]


def _pages(path: str | None, client: Client) -> Iterator[dict[str, Any]]:
    path = f"{path}?limit=100"
    while path:
        page = expect(client.insist("GET", path), 200).document
        yield page
        path = page["next"] and page["next"][page["next"].index("/api/") :]


def _compare_run(places: dict[str, dict[str, Any]], client: Client, story: Story) -> list[str]:
    """The run's page as its player sees it: as it was told, but for where it stands by now."""
    page = expect(client.insist("GET", f"{API}/runs/{story.run['id']}/", token=story.token), 200).document
    wanted = {**story.run, "standing": places[story.run["id"]], "player": story.name, "log": story.log}
    return [
        f"run {story.run['id']}: {name} is {page[name]}, not {value}"
        for name, value in wanted.items()
        if page[name] != value
    ]


def _compare_day(day: date, journal: Journal, client: Client) -> list[str]:
    page = expect(client.insist("GET", f"{API}/challenges/{day}/"), 200).document
    attempts = sum(story.attempt["challenge"] == str(day) for story in journal.attempts.values())
    runs = sum(story.run["challenge"] == str(day) for story in journal.runs.values())
    found, wanted = (page["attempts"], page["runs"], page["field_size"]), (attempts, runs, runs)
    return [f"challenge {day}: {found}, not {wanted}"] if found != wanted else []


def _compare_profile(client: Client, story: Story) -> list[str]:
    page = expect(client.insist("GET", f"{API}/players/me/", token=story.token), 200).document
    wanted = [int(cleared == story.run["cleared"]) for cleared in range(29)]
    if (page["distribution"], page["days_played"]) != (wanted, 1):
        return [f"profile of {story.name}: {page['distribution']} on {page['days_played']} days"]
    return []
