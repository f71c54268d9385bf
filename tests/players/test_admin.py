"""People in the admin site."""
# ruff: noqa: RUF001

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from players.models import Player, Token
from players.services import issue_token

pytestmark = pytest.mark.django_db

PASSWORD = "seven silent swans"
LIST = "admin:players_player_changelist"
CHANGE = "admin:players_player_change"


@pytest.fixture
def keeper() -> Player:
    return Player.objects.create_superuser("Keeper", PASSWORD)


@pytest.fixture
def desk(client: Client, keeper: Player) -> Client:
    """The admin site as a superuser sees it."""
    client.force_login(keeper)
    return client


@pytest.fixture
def helper_desk(client: Client) -> Client:
    """The admin site as staff sees it who may change players and tokens, and no more."""
    helper = Player.objects.create(name="Helper", is_staff=True, is_guest=False)
    helper.user_permissions.set(Permission.objects.filter(codename__in=["change_player", "change_token"]))
    client.force_login(helper)
    return client


def form_of(player: Player, **changes: Any) -> dict[str, Any]:
    """What a browser sends from the page of a player."""
    inline = {"tokens-TOTAL_FORMS": 0, "tokens-INITIAL_FORMS": 0}
    return inline | {"name": player.name, "is_active": "on"} | changes


def act(desk: Client, action: str, player: Player) -> None:
    response = desk.post(reverse(LIST), {"action": action, "_selected_action": [player.pk]})
    assert response.status_code == 302


def shown(desk: Client, address: str) -> str:
    response = desk.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("written", ["keeper", "KEEPER"])
def test_staff_logs_in_by_name_in_any_case(client: Client, keeper: Player, written: str) -> None:
    client.post(reverse("account_login"), {"name_or_email": written, "password": PASSWORD})
    assert client.get(reverse(LIST)).status_code == 200


@pytest.mark.parametrize("search", ["ann", "ANN", "аnn"])
def test_a_search_finds_a_name_in_any_spelling(desk: Client, ann: Player, bob: Player, search: str) -> None:
    response = desk.get(reverse(LIST), {"q": search})
    assert list(response.context["cl"].result_list) == [ann]


def test_players_are_filtered_by_kind(desk: Client, ann: Player, bob: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(is_bot=True)
    response = desk.get(reverse(LIST), {"is_bot__exact": "1"})
    assert list(response.context["cl"].result_list) == [bob]


def test_no_page_shows_a_password_hash_or_a_digest(desk: Client, keeper: Player) -> None:
    token, _ = issue_token(player=keeper)
    text = shown(desk, reverse(CHANGE, args=[keeper.pk])) + shown(desk, reverse(LIST))
    assert token.hint in text
    assert keeper.password.split("$")[-1] not in text
    assert token.digest not in text


def test_a_player_is_renamed_in_the_form(desk: Client, ann: Player) -> None:
    desk.post(reverse(CHANGE, args=[ann.pk]), form_of(ann, name="Ｚoe"))
    kept = Player.objects.get(pk=ann.pk)
    assert (kept.name, kept.name_key, kept.is_guest) == ("Zoe", "zoe", True)


def test_saving_the_form_as_it_is_changes_nothing(desk: Client, ann: Player) -> None:
    before = Player.objects.values().get(pk=ann.pk)
    assert desk.post(reverse(CHANGE, args=[ann.pk]), form_of(ann)).status_code == 302
    assert Player.objects.values().get(pk=ann.pk) == before


@pytest.mark.parametrize("name", ["BOB", "Вов", "a/b", "x"])
def test_a_name_that_is_taken_or_bad_is_refused_in_the_form(
    desk: Client, ann: Player, bob: Player, name: str
) -> None:
    response = desk.post(reverse(CHANGE, args=[ann.pk]), form_of(ann, name=name))
    assert response.context["errors"]
    assert Player.objects.get(pk=ann.pk).name == "ann"


def test_an_email_address_in_use_is_refused_in_the_form(desk: Client, ann: Player, bob: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(email="bob@example.org")
    response = desk.post(reverse(CHANGE, args=[ann.pk]), form_of(ann, email="Bob@example.org"))
    assert response.context["errors"]


def test_an_account_with_a_password_is_added_as_no_guest(desk: Client) -> None:
    form = {"name": "Moderator", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    desk.post(
        reverse("admin:players_player_add"), form | {"tokens-TOTAL_FORMS": 0, "tokens-INITIAL_FORMS": 0}
    )
    added = Player.objects.get(name="Moderator")
    assert added.check_password(PASSWORD)
    assert not added.is_guest


def test_a_password_is_changed_on_its_own_page(desk: Client, ann: Player) -> None:
    form = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    desk.post(reverse("admin:auth_user_password_change", args=[ann.pk]), form)
    assert Player.objects.get(pk=ann.pk).check_password(PASSWORD)


def test_an_offensive_name_makes_way_for_a_friendly_one(desk: Client, ann: Player) -> None:
    act(desk, "give_friendly_name", ann)
    kept = Player.objects.get(pk=ann.pk)
    assert kept.name != "ann"
    assert "ann" in LogEntry.objects.get(object_id=str(ann.pk)).change_message


def test_all_tokens_of_a_player_are_revoked(desk: Client, ann: Player) -> None:
    issue_token(player=ann)
    act(desk, "revoke_tokens", ann)
    assert not ann.tokens.active().exists()


def test_one_token_is_revoked_from_the_list_of_tokens(desk: Client, ann: Player) -> None:
    lost, _ = issue_token(player=ann)
    kept, _ = issue_token(player=ann)
    address = reverse("admin:players_token_changelist")
    desk.post(address, {"action": "revoke", "_selected_action": [lost.pk]})
    assert list(Token.objects.active()) == [kept]
    assert lost.hint in shown(desk, address)


def test_nobody_is_deleted_in_the_admin_site(desk: Client, ann: Player) -> None:
    assert (
        desk.post(reverse("admin:players_player_delete", args=[ann.pk]), {"post": "yes"}).status_code == 403
    )
    assert Player.objects.filter(pk=ann.pk).exists()


def test_staff_cannot_give_rights(helper_desk: Client, ann: Player) -> None:
    helper_desk.post(
        reverse(CHANGE, args=[ann.pk]), form_of(ann, name="Zoe", is_staff="on", is_superuser="on")
    )
    kept = Player.objects.get(pk=ann.pk)
    assert (kept.name, kept.is_staff, kept.is_superuser) == ("Zoe", False, False)


def test_staff_cannot_change_staff(helper_desk: Client, keeper: Player) -> None:
    assert helper_desk.post(reverse(CHANGE, args=[keeper.pk]), form_of(keeper)).status_code == 403
    address = reverse("admin:auth_user_password_change", args=[keeper.pk])
    assert helper_desk.post(address, {"password1": "x", "password2": "x"}).status_code == 403


@pytest.mark.parametrize("action", ["give_friendly_name", "revoke_tokens"])
def test_staff_cannot_act_on_staff(helper_desk: Client, keeper: Player, action: str) -> None:
    issue_token(player=keeper)
    act(helper_desk, action, keeper)
    assert Player.objects.get(pk=keeper.pk).name == "Keeper"
    assert keeper.tokens.active().exists()
