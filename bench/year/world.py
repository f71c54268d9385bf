"""The world around the service: people, a beat that cannot be relied on, readers, an admin.

All act at moments drawn from a seed. What they cause is noted in `bench.year.expected.Expected`; where an
answer is wrong at once, an AssertionError says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from random import Random
from unittest import mock
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings

from bench.year.comparing import lines_of
from bench.year.expected import MILLISECOND, ONE_DAY, Dealt, Expected, Try, midnight
from bench.year.plays import Play
from bench.year.timeline import OUTAGE, Timeline
from daily import choosing, scheduling
from daily.choosing import Effort
from daily.models import Challenge
from daily.scheduling import challenge_on
from daily.services import start_attempt
from daily.tasks import schedule_ahead
from leaderboard import index
from leaderboard.boards import day_board
from leaderboard.corrections import reinstate_run, void_day, void_run
from leaderboard.settling import ensure_settled
from leaderboard.tasks import finish_overdue, repair_index, settle_due
from players.models import Player
from tests.cast import make_player

ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Sydney",
    "Asia/Kathmandu",
    "Pacific/Chatham",
    "America/St_Johns",
)
ODD_HOURS = (time(0), time(1, 30), time(2, 30), time(3), time(23, 59, 59, 999_000))
"""Midnight in the player's zone, and what a change of its clocks skips or repeats."""
TASKS: tuple[Callable[[], None], ...] = (schedule_ahead, finish_overdue, settle_due, repair_index)
MOST_FIRINGS = 50
"""Of any task, in a day."""
WITHOUT_WORKER = (date(2028, 2, 20), date(2028, 3, 2))
"""The first and the last of more days than are made ahead, over the leap day, on which no task runs."""
ONE_DRAW = Effort(draws=1, nodes=200_000)
REASON = "Put right by hand."


class World:
    """Some days of play."""

    def __init__(self, *, days: list[date], players: int, rng: Random) -> None:
        """Prepare these days, which follow each other, for so many players, a zone after the other."""
        self.rng = rng
        self.days = days
        self.timeline = Timeline(midnight(days[0]))
        self.expected = Expected()
        self.figures: Counter[str] = Counter()
        self.people = [
            (make_player(f"player {n:03}"), ZoneInfo(ZONES[n % len(ZONES)])) for n in range(players)
        ]

    @property
    def today(self) -> date:
        """The UTC day."""
        return self.timeline.now.date()

    def live(self) -> None:
        """Let all days pass, and two hours more, after which every task runs once."""
        with self._in_its_time():
            for day in self.days:
                self._plan(day)
                self.timeline.pass_until(midnight(day + ONE_DAY))
            self.timeline.pass_until(midnight(self.days[-1] + ONE_DAY) + timedelta(hours=2))
            for task in TASKS:
                self._fire(task)

    @contextmanager
    def _in_its_time(self) -> Iterator[None]:
        """Go by this clock, draw deals by this seed and take the first that comes."""
        chance = Random(self.rng.random())
        patches = (
            self.timeline.clock.in_force(),
            mock.patch.multiple(scheduling, PATIENT=ONE_DRAW, HASTY=ONE_DRAW),
            mock.patch.object(scheduling.SYSTEM_RANDOM, "getrandbits", chance.getrandbits),
            mock.patch.object(choosing, "difficulty", return_value=0.5),
        )
        with ExitStack() as stack:
            for patch in patches:
                stack.enter_context(patch)
            yield

    # --- What happens on a day

    def _plan(self, day: date) -> None:
        """Draw what happens on the UTC day, and who plays on the day after next of their own zone."""
        for _ in range(self._firings(day)):
            self.timeline.at(self._moment(day), partial(self._fire, self.rng.choice(TASKS)))
        for ago in [0, 1, self.rng.randint(2, 60)][: self.rng.randint(1, 3)]:
            self.timeline.at(self._moment(day), partial(self._read, day - ago * ONE_DAY))
        if self.rng.random() < 0.2:
            self.timeline.at(self._moment(day), self._correct)
        if day == OUTAGE[1].date():
            self.timeline.at(OUTAGE[1], self._lose_index)
        for player, zone in self.people:
            if self.rng.random() < 0.75:
                self.timeline.at(self._start_of_play(day + 2 * ONE_DAY, zone), partial(self._start, player))

    def _firings(self, day: date) -> int:
        """How often tasks run: hardly ever, seldom or often, each on a third of the days."""
        if WITHOUT_WORKER[0] <= day <= WITHOUT_WORKER[1]:
            return 0
        return self.rng.randint(0, self.rng.choice([1, 10, MOST_FIRINGS]))

    def _moment(self, day: date) -> datetime:
        """Any millisecond of a UTC day."""
        return midnight(day) + self.rng.randrange(ONE_DAY // MILLISECOND) * MILLISECOND

    def _start_of_play(self, day: date, zone: ZoneInfo) -> datetime:
        """When somebody plays whose day this is: at an odd hour there, before UTC's midnight, or any time."""
        match self.rng.choice(["odd hour", "before midnight", "any time", "any time"]):
            case "odd hour":
                local = datetime.combine(day, self.rng.choice(ODD_HOURS), zone)
                return local.replace(fold=self.rng.randint(0, 1)).astimezone(UTC)
            case "before midnight":
                return midnight(day) - self.rng.randint(1, 1_800_000) * MILLISECOND
        return self._moment(day)

    def _start(self, player: Player) -> None:
        attempt, is_new = start_attempt(player=player)
        if self.today not in self.expected.deals:
            self._look()
        tries = self.expected.tries[self.today]
        assert is_new == (player.name not in tries)
        own = tries.setdefault(player.name, Try(player.name, self.today, str(attempt.pk), self.timeline.now))
        assert (attempt.started_at, attempt.deadline_at) == (own.started_at, own.deadline_at)
        if is_new:
            Play(self.timeline, self.expected, attempt, own).plan(self.rng)

    def _fire(self, task: Callable[[], None]) -> None:
        task()
        self.figures["firings"] += 1
        if task is schedule_ahead:
            self._look()
        if task is settle_due:
            self.expected.settle(self.expected.deals, self.timeline.now)

    def _look(self) -> None:
        """Compare the deals from yesterday on with what was seen before."""
        challenges = Challenge.objects.filter(date__gte=self.today - ONE_DAY)
        for day, *dealt in challenges.values_list("date", "commitment", "rules", "salt", "deck"):
            self.expected.see(day, Dealt(*dealt))

    def _read(self, day: date) -> None:
        """Somebody opens the board of a day, if it is one of these."""
        if day < self.days[0]:
            return
        challenge = challenge_on(day, self.timeline.now)
        ensure_settled(challenge, self.timeline.now)
        self._look()
        self.expected.settle([day], self.timeline.now)
        assert challenge.is_settled == (day in self.expected.settled)
        if challenge.is_settled:
            assert lines_of(day_board(day)) == self.expected.board([day]), day

    def _lose_index(self) -> None:
        if settings.REDIS_URL:
            index.wire().ask(("FLUSHDB",))

    # --- What is put right

    def _correct(self) -> None:
        """An admin voids or reinstates a submitted run of the last days, or voids a whole day."""
        day = max(self.days[0], self.today - self.rng.randint(0, 9) * ONE_DAY)
        submitted = [own for own in self.expected.tries[day].values() if own.ended_at]
        if self.rng.random() < 0.1 and day in self.expected.deals.keys() - self.expected.voided_days:
            self._void_day(day)
        elif submitted:
            self._correct_run(self.rng.choice(submitted))

    def _void_day(self, day: date) -> None:
        void_day(challenge=Challenge.objects.get(date=day), reason=REASON, by=None)
        self.expected.voided_days.add(day)
        self._note_correction(day)

    def _correct_run(self, own: Try) -> None:
        change = reinstate_run if own.is_voided else void_run
        change(run_id=UUID(own.run), reason=REASON, by=None)
        own.is_voided = not own.is_voided
        self._note_correction(own.day)

    def _note_correction(self, day: date) -> None:
        self.figures["corrections"] += 1
        self.expected.correct(day)
