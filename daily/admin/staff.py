"""Who works in the admin site."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from players.models import Player


def member(request: HttpRequest) -> Player:
    """The member of staff who asks. Raises PermissionDenied for anybody else."""
    if not isinstance(request.user, Player):
        raise PermissionDenied
    return request.user
