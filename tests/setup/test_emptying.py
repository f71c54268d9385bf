"""What a test that commits leaves to the next."""

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import DatabaseError

from daily.models import Challenge
from players.models import Player

pytestmark = pytest.mark.django_db(transaction=True)


def empty() -> None:
    """What pytest-django does after such a test."""
    call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


def test_no_row_stays_but_those_that_migrating_made(challenge: Challenge, ann: Player) -> None:
    permissions = set(Permission.objects.values_list("pk", flat=True))
    empty()
    assert not Challenge.objects.exists()
    assert not Player.objects.exists()
    assert set(Permission.objects.values_list("pk", flat=True)) == permissions != set()


def test_what_guards_rows_still_does(challenge: Challenge) -> None:
    empty()
    challenge.save(force_insert=True)
    with pytest.raises(DatabaseError, match="stays"):
        challenge.delete()
