"""What is left of a player who leaves."""

from collections.abc import Callable
from random import Random

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models
from django.test import Client
from django.urls import reverse

from players import services
from players.deletion import anonymise
from players.errors import BadName, PlayerDeleted, StaffStays
from players.models import Player, Token
from players.services import issue_token
from tests.cast import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def gone(ann: Player) -> Player:
    """Ann after her deletion."""
    anonymise(player=ann, now=NOON)
    return Player.objects.get(pk=ann.pk)


def log(by: Player, row: models.Model, text: str) -> LogEntry:
    """What the admin site logs about a row."""
    about = ContentType.objects.get_for_model(row)
    return LogEntry.objects.create(
        user=by,
        content_type=about,
        object_id=str(row.pk),
        object_repr=str(row),
        action_flag=CHANGE,
        change_message=text,
    )


def test_everything_personal_is_gone(ann: Player) -> None:
    Player.objects.filter(pk=ann.pk).update(
        email="ann@example.org",
        email_verified_at=NOON,
        mailed_at=NOON,
        last_login=NOON,
        country="NL",
        password="secret",
        is_guest=False,
    )
    anonymise(player=ann, now=NOON)
    gone = Player.objects.get(pk=ann.pk)
    assert (gone.email, gone.email_verified_at, gone.mailed_at, gone.last_login) == (None,) * 4
    assert (gone.country, gone.is_active, gone.deleted_at) == ("", False, NOON)
    assert not gone.has_usable_password()


def test_the_name_left_says_nothing_and_the_old_one_is_free(ann: Player, bob: Player) -> None:
    anonymise(player=ann, now=NOON, rng=Random(7))
    assert Player.objects.get(pk=ann.pk).name == f"Deleted player {Random(7).getrandbits(32):08x}"
    services.rename(player=bob, name="Ann")
    assert Player.objects.get(pk=bob.pk).name == "Ann"


def test_two_deleted_players_never_share_a_name(ann: Player, bob: Player) -> None:
    anonymise(player=ann, now=NOON, rng=Random(7))
    anonymise(player=bob, now=NOON, rng=Random(7))
    assert Player.objects.filter(name__startswith="Deleted player ").count() == 2


@pytest.mark.parametrize(
    "name", ["Deleted player 8f3a", "deleted-player 8f", "DeletedPlayer", "De1eted p1ayer x"]
)
def test_nobody_can_call_themselves_a_deleted_player(ann: Player, name: str) -> None:
    with pytest.raises(BadName) as refused:
        services.rename(player=ann, name=name)
    assert refused.value.code == "reserved"


def test_tokens_and_rights_are_gone(ann: Player) -> None:
    issue_token(player=ann, label="Ann's phone")
    ann.groups.add(Group.objects.create(name="helpers"))
    ann.user_permissions.add(Permission.objects.all()[0])
    anonymise(player=ann, now=NOON)
    assert not Token.objects.exists()
    assert not ann.groups.exists()
    assert not ann.user_permissions.exists()


def test_a_session_ends(ann: Player, client: Client) -> None:
    client.force_login(ann)
    assert client.get(reverse("me")).status_code == 200
    anonymise(player=ann, now=NOON)
    assert client.get(reverse("me")).status_code == 401


def test_the_admin_sites_log_forgets_names_and_labels(ann: Player, bob: Player) -> None:
    token, _ = issue_token(player=ann)
    about_ann = log(bob, ann, "Renamed from “Annabel” to “ann”.")
    about_token = log(bob, token, "Revoked.")
    about_bob = log(bob, bob, "Renamed from “Rob” to “bob”.")
    anonymise(player=ann, now=NOON)
    kept = {entry.pk: (entry.object_repr, entry.change_message) for entry in LogEntry.objects.all()}
    assert kept[about_ann.pk] == kept[about_token.pk] == ("(deleted)", "")
    assert kept[about_bob.pk] == ("bob", "Renamed from “Rob” to “bob”.")


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
def test_staff_stays_until_its_rights_are_taken(ann: Player, right: str) -> None:
    Player.objects.filter(pk=ann.pk).update(**{right: True})
    with pytest.raises(StaffStays) as refused:
        anonymise(player=ann, now=NOON)
    assert (refused.value.status_code, refused.value.default_code) == (409, "staff_stays")
    assert Player.objects.get(pk=ann.pk).name == "ann"
    Player.objects.filter(pk=ann.pk).update(**{right: False})
    anonymise(player=ann, now=NOON)
    assert Player.objects.get(pk=ann.pk).deleted_at == NOON


VERBS: dict[str, Callable[[Player], object]] = {
    "rename": lambda player: services.rename(player=player, name="Zoe"),
    "rename_friendly": lambda player: services.rename_friendly(player=player),
    "set_country": lambda player: services.set_country(player=player, country="NL"),
    "issue_token": lambda player: services.issue_token(player=player),
    "anonymise": lambda player: anonymise(player=player, now=NOON),
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_nothing_happens_to_a_deleted_player_any_more(ann: Player, verb: Callable[[Player], object]) -> None:
    stale = Player.objects.get(pk=ann.pk)
    anonymise(player=ann, now=NOON)
    before = Player.objects.values().get(pk=ann.pk)
    with pytest.raises(PlayerDeleted) as refused:
        verb(stale)
    assert (refused.value.status_code, refused.value.default_code) == (401, "player_deleted")
    assert Player.objects.values().get(pk=ann.pk) == before


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Ann", "name_key": "ann"}, {"email": "ann@example.org"}, {"email_verified_at": NOON},
        {"mailed_at": NOON}, {"last_login": NOON}, {"country": "NL"}, {"password": "secret"},
        {"is_active": True}, {"is_staff": True}, {"is_superuser": True},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_the_database_keeps_a_deleted_player_bare(gone: Player, change: dict[str, object]) -> None:
    with pytest.raises(IntegrityError):
        Player.objects.filter(pk=gone.pk).update(**change)


def test_a_form_that_would_give_a_deleted_player_a_name_says_so(gone: Player) -> None:
    gone.name = "Ann"
    with pytest.raises(ValidationError, match="A deleted player has no name"):
        gone.validate_constraints()


def test_the_admin_site_only_shows_a_deleted_player(gone: Player, client: Client) -> None:
    client.force_login(Player.objects.create_superuser("Keeper", "seven silent swans"))
    address = reverse("admin:players_player_change", args=[gone.pk])
    assert client.get(address).status_code == 200
    assert client.post(address, {"name": "Ann"}).status_code == 403
    action = {"action": "give_friendly_name", "_selected_action": [gone.pk]}
    assert client.post(reverse("admin:players_player_changelist"), action).status_code == 302
    assert Player.objects.get(pk=gone.pk).name == gone.name


def test_a_deleted_players_token_is_nobodys(ann: Player, client: Client) -> None:
    _, secret = issue_token(player=ann)
    anonymise(player=ann, now=NOON)
    answer = client.get(reverse("me"), headers={"Authorization": f"Bearer {secret}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")
