"""A settled day for everybody to check: the stream that `games.pyramid.bundle` describes."""

import json
from collections.abc import Iterator
from datetime import date, datetime
from itertools import chain

from django.db.models import StringAgg, Value
from django.db.models.functions import MD5
from rest_framework import status
from rest_framework.exceptions import APIException

from daily.models import Challenge, Run
from games.pyramid.bundle import FORMAT, Header, Ranking, Revision, RunLine
from leaderboard.models import Settlement


class NotSettled(APIException):
    """The day's ranks are not final, and its deal and logs are not public."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "not_settled"
    default_detail = "This day is not settled yet: its bundle is published once every attempt has ended."


def bundle_lines(challenge: Challenge) -> Iterator[str]:
    """The lines of a settled day's bundle, each with its line feed, in ASCII.

    All are of one moment, in which the last revision's digest is theirs. Holds a few runs at a time, however
    many there are. Raises NotSettled, at once.
    """
    if not challenge.is_settled:
        raise NotSettled
    return _stream(challenge.date)


def fingerprint(challenge: Challenge) -> str:
    """Text in ASCII that changes whenever a settled day's bundle does: with a revision, and with a new name.

    Two queries; cost: the day's runs.
    """
    last = challenge.settlements.latest("revision")
    joined = StringAgg("player__name", Value("\n"))
    names = Run.objects.filter(challenge=challenge).order_by().aggregate(names=MD5(joined))["names"] or ""
    return f"{last.revision}-{last.digest[:16]}-{names[:16]}"


def _stream(day: date) -> Iterator[str]:
    header, runs = _consistent(day)
    yield _line(header)
    yield from map(_line, runs)


def _consistent(day: date) -> tuple[Header, Iterator[RunLine]]:
    """Header and runs of one moment: a correction makes a revision, so between equal ones there was none."""
    while True:
        header, runs = _header(Challenge.objects.get(date=day)), _run_lines(day)
        first = next(runs, None)
        if header["revision"] == Settlement.objects.filter(challenge=day).count():
            return header, chain([first] if first else [], runs)


def _header(challenge: Challenge) -> Header:
    settlements = list(challenge.settlements.order_by("revision"))
    last = settlements[-1]
    return {
        "format": FORMAT,
        "date": challenge.date.isoformat(),
        "rules": challenge.rules,
        "rules_version": challenge.rules_version,
        "salt": challenge.salt,
        "deck": challenge.deck,
        "code": challenge.code or None,
        "commitment": challenge.commitment,
        "best_clear": challenge.best_clear,
        "best_line": challenge.best_line,
        "difficulty": challenge.difficulty,
        "opens_at": _time(challenge.opens_at),
        "closes_at": _time(challenge.closes_at),
        "settled_at": _time(settlements[0].settled_at),
        "voided": challenge.is_voided,
        "revision": last.revision,
        "digest": last.digest,
        "field_size": last.field_size,
        "runs": challenge.runs.count(),
        "revisions": list(map(_revision, settlements)),
    }


def _revision(settlement: Settlement) -> Revision:
    return {
        "revision": settlement.revision,
        "digest": settlement.digest,
        "settled_at": _time(settlement.settled_at),
    }


def _run_lines(day: date) -> Iterator[RunLine]:
    """The runs of a day as they are at the moment of asking for the first one, in their order."""
    ranking = Ranking()
    runs = Run.objects.filter(challenge_id=day).select_related("player")
    for run in runs.order_by("-cleared", "elapsed_ms", "pk").iterator():
        yield {
            "run": str(run.pk),
            "player": run.player.name,
            "rank": ranking.place(run.cleared, run.elapsed_ms) if run.counts else None,
            "cleared": run.cleared,
            "elapsed_ms": run.elapsed_ms,
            "log": run.log,
            "won": run.won,
            "moves": run.moves,
            "points": run.points,
            "voided": run.voided_at is not None,
            "unranked": run.unranked_reason or None,
        }


def _time(moment: datetime) -> str:
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def _line(fields: Header | RunLine) -> str:
    return json.dumps(fields, separators=(",", ":")) + "\n"
