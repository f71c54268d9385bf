"""How simulated people play: what one of them does with an attempt, and how the service has to answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from random import Random
from typing import NamedTuple

from bench.year.expected import GRACE, MILLISECOND, TIME_LIMIT, Expected, Try
from bench.year.timeline import Timeline
from daily.errors import AlreadySubmitted, DeadlinePassed
from daily.models import Attempt
from daily.services import keep_checkpoint
from leaderboard.bots import Skill, play_out
from leaderboard.services import submit_run
from leaderboard.settling import read_attempt

CHECKPOINT_SECONDS = range(4, 3600, 4)
"""When checkpoints may be kept, counted from the start; never too soon after each other."""
LAST_MOMENTS = (TIME_LIMIT - MILLISECOND, TIME_LIMIT)
TOO_LATE = (TIME_LIMIT + MILLISECOND, TIME_LIMIT + GRACE, 3 * TIME_LIMIT)


class Play(NamedTuple):
    """A player at an attempt."""

    timeline: Timeline
    expected: Expected
    attempt: Attempt
    own: Try

    def plan(self, rng: Random) -> None:
        """Draw a log, when parts of it are kept, whether and when it is submitted, and a look back."""
        challenge = self.attempt.challenge
        _, log = play_out(challenge.deal, challenge.ruleset, Skill.random(rng), rng)
        seconds = sorted(rng.sample(CHECKPOINT_SECONDS, rng.choice([0, 1, 2])))
        lengths = sorted(rng.randint(0, len(log)) for _ in seconds)
        for second, length in zip(seconds, lengths, strict=True):
            self._after(timedelta(seconds=second), partial(self._keep, log[:length]))
        match rng.choices(["soon", "at last", "too late", "never"], [60, 10, 10, 20])[0]:
            case "soon":
                self._after(rng.randrange(20_000, 1_800_000) * MILLISECOND, partial(self._submit, log))
            case "at last":
                self._after(rng.choice(LAST_MOMENTS), partial(self._submit, log))
            case "too late":
                self._after(rng.choice(TOO_LATE), partial(self._submit_too_late, log))
        if rng.random() < 0.3:
            self._after(
                rng.choice([rng.random() * TIME_LIMIT, TIME_LIMIT + GRACE + MILLISECOND]), self._look_back
            )

    def _after(self, wait: timedelta, act: Callable[[], None]) -> None:
        self.timeline.at(self.own.started_at + wait, act)

    def _keep(self, log: list[str]) -> None:
        try:
            keep_checkpoint(player=self.attempt.player, attempt_id=self.attempt.pk, log=log)
        except AlreadySubmitted:
            assert self.own.ended_at
        else:
            assert not self.own.ended_at
            self.expected.keep(self.own, log)

    def _submit(self, log: list[str]) -> None:
        run, is_new = submit_run(player=self.attempt.player, attempt_id=self.attempt.pk, log=log)
        assert is_new
        self.expected.keep(self.own, log, self.timeline.now)
        again, is_new = submit_run(player=self.attempt.player, attempt_id=self.attempt.pk, log=log)
        assert not is_new
        assert (again.rank, again.elapsed_ms) == (run.rank, run.elapsed_ms)

    def _submit_too_late(self, log: list[str]) -> None:
        try:
            run, is_new = submit_run(player=self.attempt.player, attempt_id=self.attempt.pk, log=log)
        except DeadlinePassed:
            return
        assert not is_new
        assert run.log == self.own.log, "an attempt went on after its deadline"

    def _look_back(self) -> None:
        attempt = read_attempt(player=self.attempt.player, attempt_id=self.attempt.pk)
        is_over = self.timeline.now > self.own.deadline_at + GRACE
        assert hasattr(attempt, "run") == bool(self.own.ended_at or (is_over and self.own.log is not None))
