"""What we hold about a player: told in full, and taken away for good, whatever models there are."""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from rest_framework.renderers import JSONRenderer

from daily.audit import note
from daily.models import Attempt, Challenge, Look, Run
from daily.services import keep_checkpoint
from leaderboard import standings
from leaderboard.boards import ALL_TIME, boards_of, day_board
from leaderboard.corrections import reinstate_run, void_run
from leaderboard.leagues import create_league, join_league, kick_member, leagues_of, members_of
from leaderboard.models import League, Standing, Tally
from leaderboard.personal_data import HOLDINGS, erase, export
from leaderboard.profiles import profile
from leaderboard.services import submit_run
from leaderboard.settling import finish_overdue
from players.accounts import create_account
from players.errors import PlayerDeleted, StaffStays
from players.models import Player, Token
from players.services import issue_token, rename, set_country
from tests.cast import DAY, NOON, FrozenClock, greedy_log, make_challenge, make_player, record, started
from tests.players.conftest import quick_passwords  # noqa: F401  (a fixture)
from tests.threads import Aside, at_once

pytestmark = pytest.mark.django_db

YESTERDAY = DAY - timedelta(days=1)
BOARD = day_board(DAY)
PASSWORD = "seven silent swans"
ABOUT_PLAYERS = (Player, Attempt, Run)
"""The models whose rows are one player's."""

REFERENCES = {
    "admin.LogEntry.user": ("work_in_admin_site", "kept"),
    "daily.Attempt.player": ("attempts", "kept"),
    "daily.AuditEntry.actor": ("decisions_by", "kept"),
    "daily.AuditEntry.player": ("decisions_about", "kept"),
    "daily.Look.player": ("looks_at_coming_deals", "kept"),
    "daily.Run.player": ("runs", "kept"),
    "leaderboard.Expulsion.player": ("closed_to_by_leagues", "gone"),
    "leaderboard.League.owner": ("owned_leagues", "gone"),
    "leaderboard.Membership.player": ("leagues", "gone"),
    "leaderboard.Signal.run": ("signals", "kept"),
    "leaderboard.Standing.player": ("standings", "kept"),
    "players.Player_groups.player": ("groups", "gone"),
    "players.Player_user_permissions.player": ("permissions", "gone"),
    "mfa.Authenticator.user": ("second_factors", "gone"),
    "players.Token.player": ("tokens", "gone"),
}
"""Every foreign key to what is a player's: what part of the export tells it, and its fate."""
REPEATED = {
    "account.EmailAddress.user": "nothing is kept there: the address is the player's own",
    "daily.AuditEntry.run": "the entry names the run's player as well",
    "daily.Run.attempt": "the run names the attempt's player as well",
    "leaderboard.Signal.other": "the other run is another player's",
}
"""The foreign keys that need no part of their own, and why."""

KEY, OTHERS, SECRET, DERIVED = "a key", "about somebody else", "a secret", "derived from the rest"
NOT_TOLD = {
    "player": {"id": KEY, "password": SECRET, "name_key": DERIVED},
    "groups": {"id": KEY},
    "permissions": {"id": KEY, "content_type": KEY},
    "tokens": {"id": KEY, "player": KEY, "digest": SECRET},
    "second_factors": {"id": KEY, "user": KEY},
    "attempts": {"player": KEY},
    "runs": {"player": KEY, "line_hash": DERIVED},
    "signals": {"id": KEY, "other": OTHERS},
    "standings": {"id": KEY, "player": KEY, "score": DERIVED, "version": KEY},
    "leagues": {"id": KEY, "player": KEY},
    "owned_leagues": {"id": KEY, "owner": KEY},
    "closed_to_by_leagues": {"id": KEY, "player": KEY},
    "looks_at_coming_deals": {"id": KEY, "player": KEY},
    "decisions_about": {"id": KEY, "player": KEY, "actor": OTHERS},
    "decisions_by": {"id": KEY, "actor": KEY, "player": OTHERS, "run": OTHERS, "detail": OTHERS},
    "work_in_admin_site": {
        "id": KEY, "user": KEY, "object_id": OTHERS, "object_repr": OTHERS, "change_message": OTHERS
    },
}  # fmt: skip
"""The fields that the export leaves out, and why."""


@pytest.fixture
def annabel(challenge: Challenge, clock: FrozenClock) -> Player:
    """A player with something of everything: a run, an open attempt, leagues, work as staff."""
    annabel, bob = make_player("Annabel"), make_player("Robert")
    create_account(player=annabel, email="annabel@example.org", password=PASSWORD)
    set_country(player=annabel, country="NL")
    issue_token(player=annabel, label="Annabel's phone")
    Authenticator.objects.create(user=annabel, type="webauthn", data={"name": "Annabel's key"})
    annabel.groups.add(Group.objects.create(name="helpers"))
    annabel.user_permissions.add(Permission.objects.all()[0])
    _play(annabel, bob)
    _meet(annabel, bob)
    _work(annabel, bob, challenge)
    return annabel


def _play(annabel: Player, bob: Player) -> None:
    run = record(annabel, make_challenge(YESTERDAY), cleared=28, elapsed_ms=9_000)
    void_run(run_id=run.pk, reason="Far too quick.", by=bob)
    reinstate_run(run_id=run.pk, reason="Shown on video.", by=bob)
    keep_checkpoint(player=annabel, attempt_id=started(annabel).pk, log=["D", "D"])


def _meet(annabel: Player, bob: Player) -> None:
    own = create_league(owner=annabel, name="Sunday Solvers", now=NOON)
    join_league(player=bob, code=own.code, now=NOON)
    left = create_league(owner=bob, name="Robots", now=NOON)
    join_league(player=annabel, code=left.code, now=NOON)
    kick_member(by=bob, code=left.code, member=annabel)


def _work(annabel: Player, bob: Player, challenge: Challenge) -> None:
    Look.objects.create(challenge=challenge, player=annabel, first_at=NOON)
    note("look_at_deal", by=annabel, at=NOON, day=challenge.date)
    log(annabel, bob, "Renamed from “Bob” to “Robert”.")
    log(bob, annabel, "Renamed from “Annabelle” to “Annabel”.")


def log(by: Player, about: Player, text: str) -> None:
    """What the admin site logs."""
    LogEntry.objects.create(
        user=by,
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(about.pk),
        object_repr=str(about),
        action_flag=CHANGE,
        change_message=text,
    )


def references() -> set[str]:
    """Every foreign key of every model to what is a player's."""
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if field.remote_field and field.remote_field.model in ABOUT_PLAYERS
    }


def rows_of(player: Player, reference: str) -> int:
    """How many rows a foreign key ties to the player."""
    label, _, field = reference.rpartition(".")
    model: Any = apps.get_model(label)
    path = field if model._meta.get_field(field).remote_field.model is Player else f"{field}__player"
    return int(model.objects.filter(**{path: player}).count())


def everything_stored() -> str:
    """Every value of every row of every model, as text."""
    models: list[Any] = list(apps.get_models(include_auto_created=True))
    return "\n".join(str(row) for model in models for row in model.objects.values_list())


def told(player: Player) -> dict[str, Any]:
    """The export as it arrives."""
    found: dict[str, Any] = json.loads(JSONRenderer().render(export(player=player)))
    return found


# Nothing is forgotten


def test_every_foreign_key_to_a_player_is_told_and_has_its_fate() -> None:
    assert references() == REFERENCES.keys() | REPEATED.keys()


def test_every_part_of_the_export_is_of_a_foreign_key() -> None:
    assert HOLDINGS.keys() == {part for part, _ in REFERENCES.values()} | {"player"}


@pytest.mark.parametrize("part", HOLDINGS)
def test_every_field_is_told_or_left_out_for_a_reason(part: str) -> None:
    fields = {field.name for field in HOLDINGS[part].table.model._meta.concrete_fields}
    named = {field.partition("__")[0] for field in HOLDINGS[part].told.split()}
    assert named | NOT_TOLD[part].keys() == fields
    assert not named & NOT_TOLD[part].keys()


# Export


def test_the_export_holds_every_row_of_every_foreign_key(annabel: Player) -> None:
    parts = told(annabel)
    for reference, (part, _) in REFERENCES.items():
        assert len(parts[part]) == rows_of(annabel, reference) > 0, reference


def test_the_export_says_who_somebody_is(annabel: Player) -> None:
    parts = told(annabel)
    assert parts["exported_at"] == "2026-11-30T12:00:00Z"
    assert parts["has_password"] is True
    player = parts["player"]
    assert (player["name"], player["email"], player["country"]) == ("Annabel", "annabel@example.org", "NL")
    assert [token["label"] for token in parts["tokens"]] == ["Annabel's phone"]


def test_the_export_holds_runs_with_their_logs_and_why_they_were_voided(
    challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    attempt, moves = started(ann), greedy_log(challenge, 4)
    clock.advance(minutes=3)
    submit_run(player=ann, attempt_id=attempt.pk, log=moves)
    void_run(run_id=attempt.pk, reason="A bot.", by=None)
    parts = told(ann)
    [run] = parts["runs"]
    assert (run["challenge"], run["log"], run["elapsed_ms"]) == ("2026-11-30", moves, 180_000)
    assert run["void_reason"] == "A bot."
    assert [(entry["action"], entry["reason"]) for entry in parts["decisions_about"]] == [
        ("void_run", "A bot.")
    ]


def test_the_export_holds_an_open_attempt_with_its_moves_so_far(annabel: Player) -> None:
    open_attempt = told(annabel)["attempts"][-1]
    assert (open_attempt["challenge"], open_attempt["checkpoint"]) == ("2026-11-30", ["D", "D"])


def test_the_export_holds_what_was_noticed_about_a_run(annabel: Player) -> None:
    assert {signal["kind"] for signal in told(annabel)["signals"]} == {"quick_clear"}


def test_the_export_holds_what_staff_did_in_the_admin_site(annabel: Player) -> None:
    [change] = told(annabel)["changes_in_admin_site"]
    assert change["change_message"] == "Renamed from “Annabelle” to “Annabel”."


def test_the_export_holds_no_deal_no_secret_and_nobody_else(annabel: Player, challenge: Challenge) -> None:
    text = json.dumps(told(annabel), ensure_ascii=False)
    token = Token.objects.get()
    for secret in (challenge.deck, challenge.salt, challenge.code, annabel.password, token.digest, "Robert"):
        assert secret
        assert secret not in text


def test_the_export_of_a_guest_who_never_played_is_short(ann: Player) -> None:
    parts = told(ann)
    assert parts["player"]["name"] == "ann"
    assert parts["has_password"] is False
    assert not any(parts[part] for part in HOLDINGS if part != "player")


# Deletion


def test_a_deletion_leaves_of_every_foreign_key_what_it_should(annabel: Player) -> None:
    before = {reference: rows_of(annabel, reference) for reference in REFERENCES}
    erase(player=annabel)
    for reference, (_, fate) in REFERENCES.items():
        assert rows_of(annabel, reference) == (before[reference] if fate == "kept" else 0), reference


def test_a_deletion_leaves_the_name_the_address_and_the_label_nowhere(annabel: Player) -> None:
    assert "Annabel" in everything_stored()
    erase(player=annabel)
    assert "annabel" not in everything_stored().lower()


def test_a_deleted_player_keeps_the_rank_under_another_name(
    challenge: Challenge, ann: Player, bob: Player
) -> None:
    record(ann, challenge, cleared=28, elapsed_ms=90_000)
    record(bob, challenge, cleared=20, elapsed_ms=90_000)
    erase(player=ann)
    for board in boards_of(DAY):
        first, second = standings.page_after(board, None, 10).rows
        assert (first.rank, first.position.player_id, second.rank) == (1, ann.pk, 2)
        assert first.entry.player.startswith("Deleted player ")


def test_deleting_again_changes_nothing(annabel: Player) -> None:
    erase(player=annabel)
    before = everything_stored()
    erase(player=annabel)
    assert everything_stored() == before


def test_a_name_of_a_deleted_player_is_free(ann: Player, bob: Player) -> None:
    erase(player=ann)
    rename(player=bob, name="Ann")
    assert Player.objects.get(pk=bob.pk).name == "Ann"


def test_the_leagues_of_a_deleted_player_go_to_who_is_in_longest(annabel: Player) -> None:
    own = League.objects.get(name="Sunday Solvers")
    erase(player=annabel)
    own.refresh_from_db()
    assert own.owner.name == "Robert"
    assert [membership.player.name for membership in members_of(own)] == ["Robert"]


def test_a_member_of_staff_is_not_deleted_and_stays_in_the_leagues(annabel: Player) -> None:
    Player.objects.filter(pk=annabel.pk).update(is_staff=True)
    before = everything_stored()
    with pytest.raises(StaffStays):
        erase(player=annabel)
    assert everything_stored() == before


def test_an_attempt_left_open_by_a_deleted_player_still_becomes_a_run(
    annabel: Player, challenge: Challenge, clock: FrozenClock
) -> None:
    Look.objects.filter(player=annabel).delete()  # which would bar the run from the board
    erase(player=annabel)
    clock.advance(hours=2)
    assert finish_overdue(clock.now()) == 1
    [row] = standings.page_after(BOARD, None, 10).rows
    assert row.entry.player.startswith("Deleted player ")


# A rename


def test_a_rename_shows_at_once_everywhere(challenge: Challenge, ann: Player, bob: Player) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    league = create_league(owner=ann, name="Sunday Solvers", now=NOON)
    for board in boards_of(DAY):
        assert standings.page_around(board, ann.pk, 1)
    rename(player=ann, name="Zoe")
    for board in boards_of(DAY):
        around = standings.page_around(board, ann.pk, 1)
        assert around
        pages = [around, standings.page_after(board, None, 10)]
        assert [row.entry.player for page in pages for row in page.rows] == ["Zoe", "Zoe"]
    assert profile(Player.objects.get_by_natural_key("zoe"), NOON).player.name == "Zoe"
    assert leagues_of(ann)[0].owner.name == members_of(league)[0].player.name == "Zoe"


# All at once


def assert_counted_once(player: Player) -> None:
    [run] = Run.objects.filter(player=player)
    assert Standing.objects.get(board=ALL_TIME, player=player).cleared == run.cleared
    assert Tally.objects.get(board=BOARD).runs == 1
    [row] = standings.page_after(BOARD, None, 10).rows
    assert row.entry.player.startswith("Deleted player ")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_submission_under_way_while_its_player_is_deleted_stands(
    challenge: Challenge, ann: Player, aside: Aside
) -> None:
    attempt, moves = started(ann), greedy_log(challenge, 4)
    late = aside.start_and_hold(
        lambda: submit_run(player=ann, attempt_id=attempt.pk, log=moves), "daily.services.judge"
    )
    erase(player=Player.objects.get(pk=ann.pk))
    aside.go.set()
    assert late.result()
    assert_counted_once(ann)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_submission_waits_for_the_deletion_of_its_player_and_stands(
    challenge: Challenge, ann: Player, aside: Aside
) -> None:
    attempt, moves = started(ann), greedy_log(challenge, 4)
    deletion = aside.start_and_hold(
        lambda: erase(player=Player.objects.get(pk=ann.pk)), "leaderboard.personal_data.anonymise"
    )
    submission = aside.start(lambda: submit_run(player=ann, attempt_id=attempt.pk, log=moves))
    aside.wait_until_waiting()
    aside.go.set()
    assert deletion.result() is None
    assert submission.result()
    assert_counted_once(ann)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_whatever_comes_together_with_a_deletion_a_deleted_player_is_bare(annabel: Player) -> None:
    def fresh() -> Player:
        return Player.objects.get(pk=annabel.pk)

    calls: list[Callable[[], object]] = [partial(erase, player=fresh()) for _ in range(4)]
    calls += [partial(rename, player=fresh(), name=f"Annabel {number}") for number in range(3)]
    calls += [partial(set_country, player=fresh(), country="FR") for _ in range(3)]
    calls += [partial(issue_token, player=fresh(), label="Annabel's") for _ in range(3)]
    outcomes = at_once(calls)
    refusals = {type(outcome) for outcome in outcomes if isinstance(outcome, Exception)}
    assert refusals <= {PlayerDeleted}
    assert outcomes[:4] == [None] * 4
    assert "annabel" not in everything_stored().lower()
