"""What is mailed works once, for a while, for one purpose, and for nobody else."""

import time
from datetime import timedelta

import pytest
from django.core import signing

from players.deletion import anonymise
from players.errors import DeadLink
from players.links import RESET_PASSWORD, VERIFY_EMAIL, Purpose, make_link, open_link
from players.models import Player
from tests.cast import NOON

pytestmark = pytest.mark.django_db

PURPOSES = [VERIFY_EMAIL, RESET_PASSWORD]
EMAIL = "ann@example.org"


def later(monkeypatch: pytest.MonkeyPatch, span: timedelta) -> None:
    """Move the clock that signatures are dated by."""
    moment = time.time() + span.total_seconds()
    monkeypatch.setattr("django.core.signing.time.time", lambda: moment)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_link_names_the_player_and_the_address(ann: Player, purpose: Purpose) -> None:
    assert open_link(purpose, make_link(purpose, ann, EMAIL)) == (ann, EMAIL)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_link_works_until_its_time_is_up(
    ann: Player, purpose: Purpose, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = make_link(purpose, ann, EMAIL)
    later(monkeypatch, purpose.lifetime - timedelta(seconds=2))
    assert open_link(purpose, link)
    later(monkeypatch, timedelta(seconds=4))
    with pytest.raises(DeadLink) as refused:
        open_link(purpose, link)
    assert (refused.value.status_code, refused.value.pointer) == (400, "/token")


def test_a_link_is_good_for_one_purpose(ann: Player) -> None:
    with pytest.raises(DeadLink):
        open_link(RESET_PASSWORD, make_link(VERIFY_EMAIL, ann, EMAIL))


@pytest.mark.parametrize("change", [{"password": "!other"}, {"email": "new@example.org"}])
def test_a_link_dies_when_password_or_address_change(ann: Player, change: dict[str, str]) -> None:
    link = make_link(VERIFY_EMAIL, ann, EMAIL)
    Player.objects.filter(pk=ann.pk).update(**change)
    with pytest.raises(DeadLink):
        open_link(VERIFY_EMAIL, link)


def test_a_link_of_a_closed_account_is_dead(ann: Player) -> None:
    link = make_link(VERIFY_EMAIL, ann, EMAIL)
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    with pytest.raises(DeadLink):
        open_link(VERIFY_EMAIL, link)


def test_a_link_of_a_deleted_player_is_dead(ann: Player) -> None:
    link = make_link(VERIFY_EMAIL, ann, EMAIL)
    anonymise(player=ann, now=NOON)
    with pytest.raises(DeadLink):
        open_link(VERIFY_EMAIL, link)


def test_a_link_signed_by_somebody_else_is_dead(ann: Player) -> None:
    forged = signing.dumps([ann.pk, EMAIL, "0" * 32], key="guessed", salt=VERIFY_EMAIL.salt)
    with pytest.raises(DeadLink):
        open_link(VERIFY_EMAIL, forged)


@pytest.mark.parametrize("text", ["", "x", "a:b:c", ":", "\0", "é:1:2", "\ud800:1:2", "x" * 100_000])
def test_what_was_never_mailed_is_dead(ann: Player, text: str) -> None:
    with pytest.raises(DeadLink):
        open_link(VERIFY_EMAIL, text)


def test_a_link_that_was_cut_is_dead(ann: Player) -> None:
    with pytest.raises(DeadLink):
        open_link(VERIFY_EMAIL, make_link(VERIFY_EMAIL, ann, EMAIL)[:-1])
