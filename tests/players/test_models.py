"""The player model: names and keys stay together, staff is made and logs in."""
# ruff: noqa: RUF001

import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from players.errors import BadName
from players.models import Player

pytestmark = pytest.mark.django_db

PASSWORD = "seven silent swans"


def test_a_player_is_found_by_any_spelling_of_the_name(ann: Player) -> None:
    assert Player.objects.get_by_natural_key("ANN") == ann
    assert Player.objects.get_by_natural_key("аnn") == ann


@pytest.mark.parametrize("name", [None, "", "nobody here", "\0", "\ud800", "a" * 10_000])
def test_a_name_nobody_has_is_not_found(ann: Player, name: str | None) -> None:
    with pytest.raises(Player.DoesNotExist):
        Player.objects.get_by_natural_key(name)


def test_saving_only_the_name_saves_its_key(ann: Player) -> None:
    ann.name = "Zoe"
    ann.save(update_fields=["name"])
    assert Player.objects.get(name_key="zoe") == ann


def test_a_player_without_a_key_cannot_be_stored() -> None:
    with pytest.raises(IntegrityError):
        Player.objects.bulk_create([Player(name="ann")])


def test_an_email_address_is_unique_in_any_case(ann: Player, bob: Player) -> None:
    Player.objects.filter(pk=ann.pk).update(email="ann@example.org")
    with pytest.raises(IntegrityError):
        Player.objects.filter(pk=bob.pk).update(email="Ann@Example.org")


def test_no_email_address_is_null_and_never_empty(ann: Player) -> None:
    with pytest.raises(IntegrityError):
        Player.objects.filter(pk=ann.pk).update(email="")


def test_staff_logs_in_in_any_case() -> None:
    Player.objects.create_superuser("Admin", PASSWORD)
    assert authenticate(username="aDMIN", password=PASSWORD) == Player.objects.get()
    assert authenticate(username="admin", password="wrong") is None


def test_a_closed_account_does_not_log_in() -> None:
    player = Player.objects.create_superuser("Admin", PASSWORD)
    Player.objects.filter(pk=player.pk).update(is_active=False)
    assert authenticate(username="Admin", password=PASSWORD) is None


def test_a_guest_does_not_log_in(ann: Player) -> None:
    assert authenticate(username="ann", password="") is None


def test_a_superuser_is_an_account_and_no_guest() -> None:
    player = Player.objects.create_superuser("Admin", PASSWORD)
    assert (player.is_guest, player.is_staff, player.is_superuser) == (False, True, True)


def test_a_superusers_name_follows_the_policy() -> None:
    with pytest.raises(BadName):
        Player.objects.create_superuser("ad/min", PASSWORD)


def test_createsuperuser_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", name="Admin", interactive=False, verbosity=0)
    assert Player.objects.get(is_superuser=True).check_password(PASSWORD)


@pytest.mark.parametrize("name", ["ad/min", "x", "ann"])
def test_createsuperuser_says_what_is_wrong_with_a_name(
    ann: Player, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    with pytest.raises(CommandError, match=r"name|character"):
        call_command("createsuperuser", name=name, interactive=False, verbosity=0)


def test_a_form_shows_the_policys_sentence() -> None:
    with pytest.raises(ValidationError, match="at least 3 characters"):
        Player(name="x").clean_fields(exclude={"password"})
