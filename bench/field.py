"""A field to measure on: players with tokens and started attempts, and runs by the million."""

from datetime import timedelta
from random import Random
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from daily import clock
from daily.models import Attempt, Challenge
from daily.scheduling import challenge_on
from daily.services import start_attempt
from games.pyramid import Board
from leaderboard.boards import boards_of
from leaderboard.services import repair
from players.services import create_guest

QUIET = "SET LOCAL session_replication_role = replica"
"""No trigger of this transaction fires: each row would change one of the 16 rows of the day's turnout."""
PLAYERS = """
    INSERT INTO players_player
        (name, name_key, password, is_superuser, is_guest, is_bot, is_staff, is_active, country, created_at)
    SELECT 'filler ' || n, 'filler ' || n, '!', false, true, false, false, true, '', now()
    FROM generate_series(1, %(number)s) AS n
"""
ATTEMPTS = """
    INSERT INTO daily_attempt (id, challenge_id, player_id, started_at, deadline_at, checkpoint_text)
    SELECT gen_random_uuid(), %(day)s, id, %(opens_at)s, %(opens_at)s + interval '1 hour', ''
    FROM players_player WHERE name LIKE 'filler %%'
"""
RUNS = """
    INSERT INTO daily_run
        (attempt_id, challenge_id, player_id, submitted_at, elapsed_ms, log_text, line_hash, cleared, won,
        stuck, moves, points, rank, beaten, field_size, is_from_checkpoint, unranked_reason, void_reason)
    SELECT id, challenge_id, player_id, started_at + elapsed_ms * interval '1 ms', elapsed_ms, '', line_hash,
        cleared, cleared = 28, false, 80, 0, 1, 0, 1, false, '', ''
    FROM (
        SELECT *, floor(29 * random()) AS cleared, floor(20000 + 3580001 * random()) AS elapsed_ms,
            floor(2 ^ 62 * random()) AS line_hash
        FROM (SELECT * FROM daily_attempt ORDER BY player_id) AS attempt
    ) AS played
"""
STANDINGS = """
    INSERT INTO leaderboard_standing (board, player_id, cleared, elapsed_ms, days, version)
    SELECT board, player_id, cleared, elapsed_ms, 1, 1
    FROM daily_run CROSS JOIN unnest(%(boards)s::text[]) AS board
"""
TALLIES = """
    INSERT INTO leaderboard_tally (board, cleared, runs, changes)
    SELECT board, cleared, count(*), count(*) FROM daily_run CROSS JOIN unnest(%(boards)s::text[]) AS board
    GROUP BY board, cleared
"""
TURNOUT = """
    INSERT INTO daily_turnout (challenge_id, shard, attempts, runs)
    SELECT challenge_id, player_id %% 16, count(*), count(*) FROM daily_run GROUP BY 1, 2
"""


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
    """Put so many runs with random results on today's board, past the doors, and index them.

    For a new PostgreSQL, as its superuser, outside a transaction; a minute or so for a million.
    """
    now = clock.now()
    challenge = challenge_on(now.date(), now)
    if number:
        _insert(challenge, number, rng)
        for board in boards_of(challenge.date):
            repair(board)


def _insert(challenge: Challenge, number: int, rng: Random) -> None:
    boards = list(boards_of(challenge.date))
    given: dict[str, Any] = {"number": number, "boards": boards}
    given |= {"day": challenge.date, "opens_at": challenge.opens_at}
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")  # longer than a statement of the service may take
        with transaction.atomic():
            cursor.execute(QUIET)
            cursor.execute("SELECT setseed(%s)", [rng.random()])
            for statement in (PLAYERS, ATTEMPTS, RUNS, STANDINGS, TALLIES, TURNOUT):
                cursor.execute(statement, given)
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("RESET statement_timeout")
