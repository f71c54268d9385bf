"""Who and what there is to be hostile to: a day, a guest with all that guests have, a member of staff."""

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction

from bench.hostile.requests import Cast
from daily import clock
from daily.models import Challenge, Run
from daily.scheduling import challenge_on
from daily.services import start_attempt
from leaderboard.leagues import create_league, show_code
from leaderboard.services import submit_run
from players.models import Player
from players.services import create_guest

BACKEND = "players.backends.AccountBackend"
CSRF = "c" * 32


def make_cast() -> Cast:
    """Ann, who plays, Bob, who has played, a league of Ann's, and a keeper with a password."""
    ann, token = create_guest(name="ann")
    bob, _ = create_guest(name="bob")
    keeper = Player.objects.create_superuser("keeper", "seven silent swans")
    league = create_league(owner=ann, name="Sunday Solvers", now=clock.now())
    attempt, _ = start_attempt(player=ann)
    run, _ = submit_run(player=bob, attempt_id=start_attempt(player=bob)[0].pk, log=["D"])
    sessions = {"ann": session_of(ann), "keeper": session_of(keeper)}
    names = {"attempt": str(attempt.pk), "league": show_code(league.code), "run": str(run.pk), "csrf": CSRF}
    return Cast(token, sessions, CSRF, names)


def make_guest_cast() -> Cast:
    """A new guest with an attempt and a league, and a run of another's."""
    guest, token = create_guest()
    league = create_league(owner=guest, name="Sunday Solvers", now=clock.now())
    attempt, _ = start_attempt(player=guest)
    run = Run.objects.values_list("pk", flat=True).first()
    names = {"attempt": str(attempt.pk), "league": show_code(league.code), "run": str(run)}
    return Cast(token, {}, CSRF, names)


def today() -> Challenge:
    """The day that is open."""
    now = clock.now()
    return challenge_on(now.date(), now)


@transaction.atomic
def session_of(player: Player) -> str:
    """The key of a session in which the player is signed in."""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return str(session.session_key)
