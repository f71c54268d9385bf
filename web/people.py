"""Whom an address or a form names."""

from django.http import Http404

from players.models import Player


def find_player(name: str) -> Player | None:
    """The player of a name however it is spelled, or None."""
    try:
        return Player.objects.get_by_natural_key(name)
    except Player.DoesNotExist:
        return None


def player_or_404(name: str) -> Player:
    """The player of a name however it is spelled. Raises Http404."""
    if (player := find_player(name)) is None:
        raise Http404
    return player


def isolated(name: str) -> str:
    """The name for a sentence without markup, kept from turning what is around it (as ``<bdi>`` does)."""
    return f"\u2068{name}\u2069"
