"""Every view of a board equals a brute-force model, on Redis and on SQL, whatever is corrected or lost."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from hashlib import sha256
from typing import Any
from unittest import mock

import pytest
from django.conf import settings as django_settings
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from daily.models import Challenge, Run
from leaderboard import index, queries, standings
from leaderboard.boards import boards_of, day_board
from leaderboard.corrections import reinstate_run, void_day, void_run
from leaderboard.models import Settlement, Standing
from leaderboard.scoring import Position, score
from leaderboard.services import repair
from leaderboard.settling import settle
from players.models import Player
from tests.cast import DAY, NOON, make_challenge, make_player, record

DAYS = [DAY - timedelta(days=back) for back in range(4)]
"""Monday the last of November, and three days of the week before."""
PLAYERS = 5

submits = st.tuples(
    st.just("submit"),
    st.integers(0, PLAYERS - 1),
    st.sampled_from(DAYS),
    st.integers(26, 28),
    st.integers(0, 3),
)
corrections = st.tuples(
    st.sampled_from(["void", "void", "reinstate"]), st.integers(0, PLAYERS - 1), st.sampled_from(DAYS)
) | st.tuples(st.sampled_from(["void day", "settle"]), st.sampled_from(DAYS))
harms = st.sampled_from([("flush",), ("evict order",), ("evict seen",), ("repair",)])
operations = st.one_of(
    submits,
    submits.map(lambda submit: ("lose", *submit[1:])),
    corrections,
    corrections.map(lambda correction: ("lose", *correction)),
    harms,
)


class Model:
    """The boards as lists, counted anew at every look."""

    def __init__(self) -> None:
        self.runs: dict[tuple[int, date], Run] = {}
        self.voided: set[tuple[int, date]] = set()
        self.voided_days: set[date] = set()
        self.settled_days: set[date] = set()

    @property
    def results(self) -> dict[tuple[int, date], tuple[int, int]]:
        return {
            key: (run.cleared, run.elapsed_ms)
            for key, run in self.runs.items()
            if key not in self.voided and key[1] not in self.voided_days
        }

    def scores(self, board: str) -> dict[int, int]:
        sums: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for (player_id, day), (cleared, elapsed_ms) in self.results.items():
            if board in boards_of(day):
                sums[player_id][0] += cleared
                sums[player_id][1] += elapsed_ms
        return {player_id: score(*figures) for player_id, figures in sums.items()}

    def lines(self, board: str) -> list[tuple[int, Position]]:
        scores = self.scores(board)
        positions = sorted(Position(value, player_id) for player_id, value in scores.items())
        return [(1 + sum(p.score < q.score for p in positions), q) for q in positions]


@contextmanager
def losing_writes() -> Iterator[None]:
    """The index is not told."""
    with mock.patch.object(index, "apply"):
        yield


class Boards(TestCase):
    """The product's boards and the model, side by side."""

    def setup_example(self) -> None:
        super().setup_example()  # type: ignore[no-untyped-call]
        self.challenges = {day: make_challenge(day) for day in DAYS}
        self.players = [make_player(f"player {number}") for number in range(PLAYERS)]
        if django_settings.REDIS_URL:
            index.wire().ask(("FLUSHDB",))
        index.breaker.rests_until = 0
        self.model = Model()

    def apply(self, operation: tuple[Any, ...]) -> None:
        match operation:
            case ("submit", number, day, cleared, elapsed_ms):
                self.submit(self.players[number], self.challenges[day], cleared, elapsed_ms)
            case ("lose", int(number), *result):
                with losing_writes():
                    self.apply(("submit", number, *result))
            case ("lose", *lost):
                with losing_writes():
                    self.apply(tuple(lost))
            case ("void" | "reinstate" as verb, number, day):
                self.correct(verb, (self.players[number].pk, day))
            case ("void day", day):
                self.void_day(day)
            case ("settle", day):
                settle(day, NOON + timedelta(days=2))
                self.model.settled_days.add(day)
            case ("repair",):
                for board in boards_of(DAY):
                    repair(board)
            case (harm,) if django_settings.REDIS_URL:
                self.harm(harm)

    def harm(self, harm: str) -> None:
        part = "*" if harm == "flush" else f"*{harm.removeprefix('evict ')}"
        [keys] = index.wire().ask(("KEYS", part))
        index.wire().ask(("DEL", "none", *keys))

    def submit(self, player: Player, challenge: Challenge, cleared: int, elapsed_ms: int) -> None:
        key, closed = (player.pk, challenge.date), self.model.voided_days | self.model.settled_days
        if key not in self.model.runs and challenge.date not in closed:
            with self.captureOnCommitCallbacks(execute=True):
                run = record(player, challenge, cleared=cleared, elapsed_ms=elapsed_ms)
            self.model.runs[key] = run

    def correct(self, verb: str, key: tuple[int, date]) -> None:
        correct, is_voided = (void_run, False) if verb == "void" else (reinstate_run, True)
        if key in self.model.runs and (key in self.model.voided) == is_voided:
            with self.captureOnCommitCallbacks(execute=True):
                correct(run_id=self.model.runs[key].pk, reason="A test.", by=None)
            self.model.voided ^= {key}

    def void_day(self, day: date) -> None:
        if day not in self.model.voided_days:
            with self.captureOnCommitCallbacks(execute=True):
                void_day(challenge=self.challenges[day], reason="A test.", by=None)
            self.model.voided_days.add(day)

    def check(self, limit: int) -> None:
        for board in dict.fromkeys(board for day in DAYS for board in boards_of(day)):
            lines = self.model.lines(board)
            self.check_pages(board, lines, limit)
            self.check_places(board, lines)
            self.check_around(board, lines, limit)
        for day in DAYS:
            cleared = [result[0] for (_, when), result in self.model.results.items() if when == day]
            assert standings.page_after(day_board(day), None, 1).distribution == [
                cleared.count(n) for n in range(29)
            ]
        for day in self.model.settled_days:
            self.check_settlement(day, self.model.lines(day_board(day)))

    def check_pages(self, board: str, lines: list[tuple[int, Position]], limit: int) -> None:
        pages = [standings.page_after(board, None, limit)]
        while pages[-1].next:
            pages.append(standings.page_after(board, pages[-1].next, limit))
        assert [seen(row) for page in pages for row in page.rows] == lines
        assert pages[0].field_size == len(lines)
        back = [pages[-1]]
        while back[0].previous:
            back.insert(0, standings.page_before(board, back[0].previous, limit))
        assert [seen(row) for page in back for row in page.rows] == lines

    def check_places(self, board: str, lines: list[tuple[int, Position]]) -> None:
        placed = {position.player_id: (rank, position) for rank, position in lines}
        for player in self.players:
            found = standings.place_of(board, player.pk)
            own = standings.page_after(board, None, 1, viewer_id=player.pk).own
            if player.pk not in placed:
                assert (found, own) == (None, None)
                continue
            rank, position = placed[player.pk]
            beaten = sum(other.score > position.score for _, other in lines)
            assert found == (position, (rank, beaten, len(lines)))
            assert own
            assert (seen(own.row), own.place) == (placed[player.pk], found[1])
            fresh = standings.place_of_score(board, position.score)
            assert fresh == (rank, beaten, len(lines) + 1)

    def check_around(self, board: str, lines: list[tuple[int, Position]], radius: int) -> None:
        for place, (_, position) in enumerate(lines):
            page = standings.page_around(board, position.player_id, radius)
            assert page
            assert [seen(row) for row in page.rows] == lines[max(0, place - radius) : place + radius + 1]
        assert standings.page_around(board, 0, radius) is None

    def check_settlement(self, day: date, lines: list[tuple[int, Position]]) -> None:
        ranks = {position.player_id: rank for rank, position in lines}
        stored = Standing.objects.filter(board=day_board(day), rank__isnull=False)
        assert dict(stored.values_list("player", "rank")) == ranks
        runs = [self.model.runs[player_id, day] for player_id in ranks]
        runs.sort(key=lambda run: (-run.cleared, run.elapsed_ms, str(run.pk)))
        text = "".join(f"{ranks[run.player_id]}|{run.pk}|{run.cleared}|{run.elapsed_ms}|\n" for run in runs)
        last = Settlement.objects.filter(challenge=day).latest("revision")
        assert (last.digest, last.field_size) == (sha256(text.encode()).hexdigest(), len(runs))

    def run_through(self, steps: list[tuple[Any, ...]], limit: int) -> None:
        for step in steps:
            self.apply(step)
        self.check(limit)


def seen(row: standings.Row) -> tuple[int, Position]:
    """The part of a row that the model tells, after checking that the row's figures agree with it."""
    assert row.position.player_id == row.position.player_id
    assert score(row.cleared, row.elapsed_ms) == row.position.score
    return row.rank, row.position


class TestBySql(Boards):
    """Without an index."""

    @settings(max_examples=25)
    @given(st.lists(submits | submits | corrections, max_size=14), st.integers(1, 4))
    def test_every_view_equals_the_model(self, steps: list[tuple[Any, ...]], limit: int) -> None:
        with override_settings(REDIS_URL=""):
            self.run_through(steps, limit)


@pytest.mark.redis
class TestByIndex(Boards):
    """With an index that loses writes and keys."""

    @settings(max_examples=40)
    @given(st.lists(operations, max_size=16), st.integers(1, 4))
    def test_every_view_equals_the_model(self, steps: list[tuple[Any, ...]], limit: int) -> None:
        self.run_through(steps, limit)

    @settings(max_examples=15)
    @given(st.lists(operations, max_size=10), st.integers(1, 4))
    def test_a_repaired_index_answers_by_itself(self, steps: list[tuple[Any, ...]], limit: int) -> None:
        for step in steps:
            self.apply(step)
        for board in dict.fromkeys(board for day in DAYS for board in boards_of(day)):
            repair(board)
        slow = AssertionError("SQL was asked")
        with (
            mock.patch.object(queries, "after", side_effect=slow),
            mock.patch.object(queries, "before", side_effect=slow),
            mock.patch.object(queries, "around", side_effect=slow),
            mock.patch.object(queries, "counts", side_effect=slow),
            mock.patch.object(queries, "position_of", side_effect=slow),
        ):
            self.check(limit)
