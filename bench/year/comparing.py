"""What the service has in the end, beside what was expected of it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from bench.year.expected import Dealt, Expected, Line, Try
from daily.models import Attempt, Challenge, Run
from games.pyramid.verify import Verifier
from leaderboard import standings
from leaderboard.bundles import bundle_lines
from leaderboard.models import Settlement, Standing
from leaderboard.streaks import Streaks, streaks_of
from players.models import Player
from tests.cast import FrozenClock


def differences(expected: Expected, days: list[date], clock: FrozenClock) -> Iterator[str]:
    """A sentence for everything that is not as it should be, now that these days are over."""
    for day in days:
        if day not in expected.deals or day not in expected.settled:
            yield f"{day} was never made or never had to settle."
    yield from _compare("deal", _deals(), expected.deals)
    yield from _compare("moment of settling", _moments_of_settling(), expected.settled)
    yield from _compare("revisions", _revisions(), expected.digests)
    tries = [own for of_day in expected.tries.values() for own in of_day.values()]
    yield from _compare(
        "attempt", _attempts(), {own.run: (own.player, own.day, own.started_at) for own in tries}
    )
    yield from _compare(
        "run", _runs(), {own.run: _run(own, expected) for own in tries if own.log is not None}
    )
    boards = _boards(expected)
    yield from _compare("board", {board: lines_of(board) for board in boards}, boards)
    yield from _compare("final ranks", _final_ranks(), _ranks(expected))
    names = Player.objects.values_list("name", flat=True)
    wanted = {name: expected.streaks(name, clock.moment.date()) for name in names}
    yield from _compare("streaks", _streaks(clock), wanted)
    yield from _compare("bundle", _complaints(), {day: [] for day in expected.settled})


def _compare(what: str, found: Mapping[Any, Any], wanted: Mapping[Any, Any]) -> Iterator[str]:
    for key in sorted(found.keys() | wanted.keys()):
        if found.get(key) != wanted.get(key):
            yield f"{what} of {key}: {found.get(key)}, not {wanted.get(key)}."


def _deals() -> dict[date, Dealt]:
    rows = Challenge.objects.values_list("date", "commitment", "rules", "salt", "deck")
    return {day: Dealt(*dealt) for day, *dealt in rows}


def _moments_of_settling() -> dict[date, Any]:
    return dict(Challenge.objects.exclude(settled_at=None).values_list("date", "settled_at"))


def _revisions() -> dict[date, list[str]]:
    """The digests of each day, in the places that their revisions' numbers give them."""
    found: defaultdict[date, list[str]] = defaultdict(list)
    settlements = Settlement.objects.order_by("revision").values_list("challenge", "revision", "digest")
    for day, revision, digest in settlements:
        found[day] += [*["missing"] * (revision - 1 - len(found[day])), digest]
    return found


def _attempts() -> dict[str, Any]:
    rows = Attempt.objects.values_list("pk", "player__name", "challenge", "started_at")
    return {str(attempt_id): tuple(figures) for attempt_id, *figures in rows}


def _runs() -> dict[str, Any]:
    return {
        str(run.pk): (run.cleared, run.elapsed_ms, run.log, run.is_from_checkpoint, run.counts)
        for run in Run.objects.all()
    }


def _run(own: Try, expected: Expected) -> Any:
    counts = own.is_played and own.day not in expected.voided_days
    return own.cleared, own.elapsed_ms, own.log, own.ended_at is None, counts


def _boards(expected: Expected) -> dict[str, list[Line]]:
    """Every board there can be, with its lines."""
    days: defaultdict[str, list[date]] = defaultdict(list)
    for day in expected.deals:
        for board in (f"{day}", f"{day:%G-W%V}", f"{day:%Y-%m}", "all-time"):
            days[board].append(day)
    return {board: expected.board(counting) for board, counting in days.items()}


def lines_of(board: str) -> list[Line]:
    """A whole board as its readers get it."""
    rows = standings.page_after(board, None, 1000).rows
    return [Line(row.rank, row.entry.player, row.cleared, row.elapsed_ms, row.entry.days) for row in rows]


def _final_ranks() -> dict[tuple[str, str], int | None]:
    ranked = Standing.objects.exclude(rank=None)
    return {(board, name): rank for board, name, rank in ranked.values_list("board", "player__name", "rank")}


def _ranks(expected: Expected) -> dict[tuple[str, str], int]:
    return {(str(day), line.player): line.rank for day in expected.settled for line in expected.board([day])}


def _streaks(clock: FrozenClock) -> dict[str, Streaks]:
    return {player.name: streaks_of(player, clock.moment) for player in Player.objects.all()}


def _complaints() -> dict[date, list[str]]:
    """What the public verifier says about each settled day's bundle."""
    settled = Challenge.objects.exclude(settled_at=None)
    return {day.date: list(map(str, _verifier(day).differences())) for day in settled}


def _verifier(challenge: Challenge) -> Verifier:
    return Verifier(line.encode() for line in bundle_lines(challenge))
