"""A field to measure on: players with tokens and started attempts, and runs by the million."""

from datetime import timedelta
from itertools import batched
from random import Random

from django.db import connection
from django.db.models import F

from daily import clock
from daily.models import Attempt, Challenge, Run
from daily.scheduling import challenge_on
from daily.services import start_attempt
from games.pyramid import Board
from leaderboard.boards import boards_of
from leaderboard.services import repair
from players.models import Player
from players.services import create_guest

BATCH = 5000


def make_guests(number: int, rng: Random) -> list[str]:
    """The tokens of so many guests who have not started."""
    return [create_guest(rng=rng)[1] for _ in range(number)]


def start_players(number: int, rng: Random) -> list[tuple[str, str, list[str]]]:
    """So many guests who have started today: token, attempt and a log of a real length for each."""
    started = []
    for _ in range(number):
        player, token = create_guest(rng=rng)
        attempt, _ = start_attempt(player=player)
        started.append((token, str(attempt.pk), _log(attempt.challenge, rng)))
    # As if they had played: what is submitted within seconds is noted down for review, which takes a while.
    Attempt.objects.filter(run=None).update(started_at=F("started_at") - timedelta(minutes=5))
    return started


def _log(challenge: Challenge, rng: Random) -> list[str]:
    """Sixty to a hundred legal moves, as players need."""
    board, log = Board(challenge.deal, challenge.ruleset), []
    for _ in range(rng.randint(60, 100)):
        moves = board.legal_moves
        if not moves:
            break
        log.append(str(board.play(rng.choice([move for move in moves if move.cards] or moves))))
    return log


def fill_board(number: int, rng: Random) -> None:
    """Put so many runs with random results on today's board, past the doors, and index them."""
    now = clock.now()
    challenge = challenge_on(now.date(), now)
    for batch in batched(range(number), BATCH):
        _fill(challenge, [f"filler {n}" for n in batch], rng)
    if number:
        _count(challenge)
        for board in boards_of(challenge.date):
            repair(board)


def _fill(challenge: Challenge, names: list[str], rng: Random) -> None:
    players = Player.objects.bulk_create(Player(name=name, name_key=name, password="!") for name in names)
    started_at = challenge.opens_at
    attempts = Attempt.objects.bulk_create(
        Attempt(
            challenge=challenge,
            player=player,
            started_at=started_at,
            deadline_at=started_at + timedelta(hours=1),
        )
        for player in players
    )
    Run.objects.bulk_create(_run(attempt, rng) for attempt in attempts)


def _run(attempt: Attempt, rng: Random) -> Run:
    cleared, elapsed_ms = rng.randint(0, 28), rng.randint(20_000, 3_600_000)
    return Run(
        attempt=attempt,
        challenge_id=attempt.challenge_id,
        player_id=attempt.player_id,
        submitted_at=attempt.started_at + timedelta(milliseconds=elapsed_ms),
        elapsed_ms=elapsed_ms,
        line_hash=rng.getrandbits(62),
        cleared=cleared,
        won=cleared == 28,
        stuck=False,
        moves=80,
        points=0,
        rank=1,
        beaten=0,
        field_size=1,
    )


COUNT_STANDINGS = """
    INSERT INTO leaderboard_standing (board, player_id, cleared, elapsed_ms, days, version)
    SELECT board, player_id, cleared, elapsed_ms, 1, 1 FROM daily_run CROSS JOIN unnest(%s::text[]) AS board
"""
COUNT_TALLIES = """
    INSERT INTO leaderboard_tally (board, cleared, runs, changes)
    SELECT board, cleared, count(*), count(*) FROM daily_run CROSS JOIN unnest(%s::text[]) AS board
    GROUP BY board, cleared
"""


def _count(challenge: Challenge) -> None:
    boards = list(boards_of(challenge.date))
    with connection.cursor() as cursor:
        cursor.execute(COUNT_STANDINGS, [boards])
        cursor.execute(COUNT_TALLIES, [boards])
        cursor.execute("ANALYZE")
