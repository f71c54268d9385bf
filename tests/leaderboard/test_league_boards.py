"""The boards of a league equal those of a world in which only its members play."""

from collections import defaultdict
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from pytest_django import DjangoAssertNumQueries

from daily.models import Challenge, Run, Unranked
from leaderboard.boards import ALL_TIME, boards_of, day_board
from leaderboard.corrections import reinstate_run, void_run
from leaderboard.league_boards import LeagueBoard
from leaderboard.leagues import create_league, find_league, join_league, leave_league
from leaderboard.models import League
from leaderboard.scoring import Position, score
from leaderboard.standings import Row
from players.models import Player
from tests.cast import DAY, NOON, make_challenge, make_player, record

DAYS = [DAY - timedelta(days=back) for back in range(3)]
BOARDS = list(dict.fromkeys(board for day in DAYS for board in boards_of(day)))
PLAYERS = 6

results = st.dictionaries(
    st.tuples(st.integers(0, PLAYERS - 1), st.sampled_from(DAYS)),
    st.tuples(st.integers(26, 28), st.integers(0, 2)),
    max_size=16,
)


class Leagues(TestCase):
    """A league among more players, and a model that counts anew at every look."""

    def begin(self) -> None:
        self.challenges = {day: make_challenge(day) for day in DAYS}
        self.players = [make_player(f"player {number}") for number in range(PLAYERS)]
        self.league = create_league(owner=self.players[0], name="Sunday Solvers", now=NOON)

    @settings(max_examples=25)
    @given(results, st.sets(st.integers(1, PLAYERS - 1)), st.integers(1, 4))
    def test_every_view_equals_the_model(
        self, runs: dict[tuple[int, date], tuple[int, int]], members: set[int], limit: int
    ) -> None:
        self.begin()
        for number in members:
            join_league(player=self.players[number], code=self.league.code, now=NOON)
        for (number, day), (cleared, elapsed_ms) in runs.items():
            record(self.players[number], self.challenges[day], cleared=cleared, elapsed_ms=elapsed_ms)
        inside = {key: figures for key, figures in runs.items() if key[0] in {0, *members}}
        for board in BOARDS:
            self.check(board, inside, limit)

    def check(self, board: str, runs: dict[tuple[int, date], tuple[int, int]], limit: int) -> None:
        on_board = {key: figures for key, figures in runs.items() if board in boards_of(key[1])}
        lines = self.lines(on_board)
        found = LeagueBoard.read(self.league, board)
        self.check_pages(found, lines, limit)
        self.check_places(found, lines)
        self.check_around(found, lines, limit)
        cleared = [figures[0] for figures in on_board.values()]
        assert found.page_after(None, 1).distribution == [cleared.count(n) for n in range(29)]

    def lines(self, runs: dict[tuple[int, date], tuple[int, int]]) -> list[tuple[int, Position]]:
        sums: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for (number, _), (cleared, elapsed_ms) in runs.items():
            sums[number][0] += cleared
            sums[number][1] += elapsed_ms
        positions = sorted(Position(score(*own), self.players[number].pk) for number, own in sums.items())
        return [(1 + sum(p.score < q.score for p in positions), q) for q in positions]

    def check_pages(self, board: LeagueBoard, lines: list[tuple[int, Position]], limit: int) -> None:
        pages = [board.page_after(None, limit)]
        while pages[-1].next:
            pages.append(board.page_after(pages[-1].next, limit))
        assert [seen(row) for page in pages for row in page.rows] == lines
        assert {page.field_size for page in pages} == {len(lines)}
        back = [pages[-1]]
        while back[0].previous:
            back.insert(0, board.page_before(back[0].previous, limit))
        assert [seen(row) for page in back for row in page.rows] == lines

    def check_places(self, board: LeagueBoard, lines: list[tuple[int, Position]]) -> None:
        placed = {position.player_id: (rank, position) for rank, position in lines}
        for player in self.players:
            own = board.page_after(None, 1, viewer_id=player.pk).own
            if player.pk not in placed:
                assert (board.place_of(player.pk), own) == (None, None)
                continue
            rank, position = placed[player.pk]
            place = (rank, sum(other.score > position.score for _, other in lines), len(lines))
            assert board.place_of(player.pk) == (position, place)
            assert own
            assert (seen(own.row), own.place) == (placed[player.pk], place)

    def check_around(self, board: LeagueBoard, lines: list[tuple[int, Position]], radius: int) -> None:
        for place, (_, position) in enumerate(lines):
            page = board.page_around(position.player_id, radius)
            assert page
            assert [seen(row) for row in page.rows] == lines[max(0, place - radius) : place + radius + 1]
        assert board.page_around(0, radius) is None


def seen(row: Row) -> tuple[int, Position]:
    """The part of a row that the model tells, after checking that the row's figures agree with it."""
    assert row.position.player_id == row.position.player_id
    assert score(row.cleared, row.elapsed_ms) == row.position.score
    return row.rank, row.position


@pytest.fixture
def league(ann: Player, bob: Player) -> League:
    """Ann's league, with bob in it."""
    league = create_league(owner=ann, name="Sunday Solvers", now=NOON)
    join_league(player=bob, code=league.code, now=NOON)
    return league


def names(league: League, board: str = day_board(DAY)) -> list[tuple[int, str]]:
    """Rank and name of every row."""
    return [(row.rank, row.entry.player) for row in LeagueBoard.read(league, board).page_after(None, 9).rows]


def test_members_are_ranked_among_themselves(
    challenge: Challenge, league: League, ann: Player, bob: Player
) -> None:
    record(make_player("stranger"), challenge, cleared=28, elapsed_ms=1)
    record(ann, challenge, cleared=9, elapsed_ms=1)
    record(bob, challenge, cleared=10, elapsed_ms=1)
    for board in boards_of(DAY):
        assert names(league, board) == [(1, "bob"), (2, "ann")]


def test_what_was_played_before_joining_counts_and_leaving_takes_it_along(
    challenge: Challenge, league: League
) -> None:
    carl = make_player("carl")
    record(carl, challenge, cleared=9, elapsed_ms=1)
    join_league(player=carl, code=league.code, now=NOON)
    assert names(league) == [(1, "carl")]
    leave_league(player=carl, code=league.code)
    assert names(league) == []


@pytest.mark.parametrize("board", boards_of(DAY))
def test_a_voided_run_leaves_the_boards_of_the_league_until_it_is_reinstated(
    challenge: Challenge, league: League, ann: Player, bob: Player, board: str
) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=1)
    record(bob, challenge, cleared=10, elapsed_ms=1)
    void_run(run_id=run.pk, reason="played by a program", by=None)
    assert names(league, board) == [(1, "bob")]
    assert sum(LeagueBoard.read(league, board).distribution()) == 1
    reinstate_run(run_id=run.pk, reason="it was not", by=None)
    assert names(league, board) == [(1, "ann"), (2, "bob")]


def test_an_unranked_run_is_in_no_figure(challenge: Challenge, league: League, ann: Player) -> None:
    run = record(ann, challenge, cleared=28, elapsed_ms=1)
    void_run(run_id=run.pk, reason="to be unranked", by=None)
    Run.objects.update(voided_at=None, unranked_reason=Unranked.NO_ACCOUNT)
    assert sum(LeagueBoard.read(league, ALL_TIME).distribution()) == 0


def test_a_page_goes_on_from_a_row_that_has_moved_away(
    challenge: Challenge, league: League, ann: Player
) -> None:
    others = [make_player(f"player {number}") for number in range(3)]
    for place, player in enumerate([ann, *others]):
        join_league(player=player, code=league.code, now=NOON)
        record(player, challenge, cleared=20 - place, elapsed_ms=1)
    first = LeagueBoard.read(league, day_board(DAY)).page_after(None, 2)
    leave_league(player=others[0], code=league.code)
    second = LeagueBoard.read(league, day_board(DAY)).page_after(first.next, 2)
    assert [(row.rank, row.entry.player) for row in second.rows] == [(2, "player 1"), (3, "player 2")]


def test_a_page_costs_four_queries_and_a_standing_two(
    challenge: Challenge, league: League, ann: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    record(ann, challenge, cleared=9, elapsed_ms=1)
    for board in boards_of(DAY):
        with django_assert_num_queries(4):
            found = LeagueBoard.read(find_league(player=ann, code=league.code), board)
            assert [row.entry.player for row in found.page_after(None, 50).rows] == ["ann"]
        with django_assert_num_queries(2):
            found = LeagueBoard.read(find_league(player=ann, code=league.code), board)
            assert found.place_of(ann.pk)
