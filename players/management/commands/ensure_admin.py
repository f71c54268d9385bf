"""``manage.py ensure_admin``: somebody to log in to the admin site as, at a first look."""

import secrets
from pathlib import Path
from typing import Any, override

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, transaction

from players.models import Player

NAME = "keeper"


class Command(BaseCommand):
    """Makes the superuser of a demo once; refuses anywhere else, where people choose their own password."""

    help = (
        "In demo mode, if there is no staff yet: makes a superuser with a random password, which is printed"
        " once and kept in admin-password in VAR_DIR."
    )

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("This is for demo mode only. Use `manage.py createsuperuser` here.")
        if Player.objects.filter(is_staff=True).exists():
            return
        password, kept_in = secrets.token_urlsafe(12), Path(settings.VAR_DIR) / "admin-password"
        try:
            _create_admin(password, kept_in)
        except IntegrityError:
            raise CommandError(f"There is a player “{NAME}” already, who is not staff.") from None
        self.stdout.write(f"Admin: log in as {NAME} with {password} (kept in {kept_in}).")


@transaction.atomic
def _create_admin(password: str, kept_in: Path) -> None:
    """Makes both or neither: an admin whose password nobody knows would be of no use."""
    Player.objects.create_superuser(NAME, password)
    kept_in.unlink(missing_ok=True)
    kept_in.touch(mode=0o600)
    kept_in.write_text(password + "\n")
