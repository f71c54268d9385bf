"""Somebody to log in to the admin site as, at a first look."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from players.models import Player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def demo(settings: Settings, tmp_path: Path) -> Settings:
    settings.DEMO = True
    settings.VAR_DIR = tmp_path
    return settings


def ensure_admin() -> str:
    """What the command prints."""
    out = StringIO()
    call_command("ensure_admin", stdout=out)
    return out.getvalue()


def test_the_first_call_makes_an_admin_and_prints_the_password_it_keeps(tmp_path: Path) -> None:
    printed = ensure_admin()
    password = (tmp_path / "admin-password").read_text().strip()
    admin = Player.objects.get()
    assert (admin.name, admin.is_superuser) == ("keeper", True)
    assert admin.check_password(password)
    assert password in printed


def test_the_password_is_for_its_owner_only(tmp_path: Path) -> None:
    (tmp_path / "admin-password").touch(mode=0o644)
    ensure_admin()
    assert (tmp_path / "admin-password").stat().st_mode & 0o777 == 0o600


def test_a_later_call_changes_nothing_and_prints_nothing(tmp_path: Path) -> None:
    ensure_admin()
    password = (tmp_path / "admin-password").read_text()
    assert ensure_admin() == ""
    assert (tmp_path / "admin-password").read_text() == password
    assert Player.objects.count() == 1


def test_staff_of_another_name_is_enough(ann: Player, tmp_path: Path) -> None:
    Player.objects.filter(pk=ann.pk).update(is_staff=True)
    assert ensure_admin() == ""
    assert not (tmp_path / "admin-password").exists()


def test_a_service_that_is_no_demo_is_refused(demo: Settings) -> None:
    demo.DEMO = False
    with pytest.raises(CommandError, match="createsuperuser"):
        ensure_admin()
    assert not Player.objects.exists()


def test_a_keeper_who_lost_the_keys_is_reported() -> None:
    ensure_admin()
    Player.objects.update(is_staff=False)
    with pytest.raises(CommandError, match="keeper"):
        ensure_admin()


def test_no_admin_is_left_without_a_kept_password(demo: Settings, tmp_path: Path) -> None:
    demo.VAR_DIR = tmp_path / "missing"
    with pytest.raises(FileNotFoundError):
        ensure_admin()
    assert not Player.objects.exists()
