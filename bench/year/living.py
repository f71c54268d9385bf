"""Living through simulated days, and what came of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random

from bench.year.comparing import differences
from bench.year.expected import days_from
from bench.year.world import World
from daily.models import Attempt, Run
from leaderboard.models import Settlement


@dataclass(frozen=True)
class Lived:
    """What came of some days. As text: its figures."""

    figures: dict[str, int]
    differences: list[str]
    """A sentence for everything that is not as it should be."""

    def __str__(self) -> str:
        return ", ".join(f"{number:,} {what}" for what, number in self.figures.items())


def live(*, first: date, days: int, players: int, rng: Random) -> Lived:
    """Let so many players live through so many days, on an empty database.

    Raises AssertionError as soon as an answer is wrong.
    """
    world = World(days=list(days_from(first, days)), players=players, rng=rng)
    world.live()
    return Lived(_figures(world), list(differences(world.expected, world.days, world.timeline.clock)))


def _figures(world: World) -> dict[str, int]:
    return {
        "days": len(world.days),
        "firings": world.figures["firings"],
        "attempts": Attempt.objects.count(),
        "runs": Run.objects.count(),
        "of them from checkpoints": Run.objects.filter(is_from_checkpoint=True).count(),
        "corrections": world.figures["corrections"],
        "settlements": Settlement.objects.filter(revision=1).count(),
        "further revisions": Settlement.objects.filter(revision__gt=1).count(),
    }
