"""What happens to players: every write, each atomic, races settled by the database's constraints."""

from collections.abc import Callable
from random import Random, SystemRandom
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from players.countries import normalise_country
from players.errors import BadLabel, NameTaken, PlayerDeleted
from players.friendly_names import make_name
from players.models import Player, Token
from players.names import normalise
from players.tokens import digest_of, hint_of, make_secret

SYSTEM_RANDOM: Final = SystemRandom()
NAME_TRIES: Final = 20
"""With half of all friendly names taken, one guest in a million would find none."""


def lock(player: Player) -> None:
    """Hold the player's row until the transaction ends, and bring ``player`` up to date.

    Every change of a player starts with it, so that none comes after the deletion. Raises ``PlayerDeleted``.
    """
    rows = Player.objects.select_for_update(no_key=True).filter(deleted_at=None)
    try:
        player.refresh_from_db(from_queryset=rows)
    except Player.DoesNotExist:
        raise PlayerDeleted from None


@transaction.atomic
def create_guest(
    *, name: str | None = None, is_bot: bool = False, rng: Random = SYSTEM_RANDOM
) -> tuple[Player, str]:
    """A new guest and the bearer token that speaks for it, which is not kept and cannot be shown again.

    Without a name it gets a friendly one drawn from ``rng``. Raises ``BadName`` or ``NameTaken``.
    """
    player = create_tokenless_guest(name=name, is_bot=is_bot, rng=rng)
    _, secret = _add_token(player, "")
    return player, secret


def create_tokenless_guest(
    *, name: str | None = None, is_bot: bool = False, rng: Random = SYSTEM_RANDOM
) -> Player:
    """A new guest as ``create_guest`` makes it, for whom something else than a token is to speak."""

    def insert(free_name: str) -> Player:
        return _insert(Player(name=normalise(free_name), is_bot=is_bot))

    return insert(name) if name is not None else with_free_name(insert, lambda: make_name(rng))


@transaction.atomic
def rename(*, player: Player, name: str) -> None:
    """Gives a player another name; staff may take a reserved one.

    The old one is free at once. Raises ``BadName``, ``NameTaken`` or ``PlayerDeleted``.
    """
    lock(player)
    old_name = player.name
    player.name = normalise(name, allow_reserved=player.is_staff)
    try:
        with transaction.atomic():
            player.save(update_fields=["name"])
    except IntegrityError as conflict:
        player.name = old_name
        raise NameTaken from conflict


def rename_friendly(*, player: Player, rng: Random = SYSTEM_RANDOM) -> None:
    """Gives a player a friendly name, in place of one that offends. Raises ``PlayerDeleted``."""
    with_free_name(lambda name: rename(player=player, name=name), lambda: make_name(rng))


@transaction.atomic
def set_country(*, player: Player, country: str) -> None:
    """Sets the player's country, an ISO 3166 alpha-2 code or "" for none.

    Raises ``BadCountry`` or ``PlayerDeleted``.
    """
    lock(player)
    player.country = normalise_country(country)
    player.save(update_fields=["country"])


@transaction.atomic
def update_profile(*, player: Player, name: str | None = None, country: str | None = None) -> None:
    """Changes what is given, all of it or nothing; see `rename` and `set_country` for what is refused."""
    if name is not None:
        rename(player=player, name=name)
    if country is not None:
        set_country(player=player, country=country)


@transaction.atomic
def issue_token(*, player: Player, label: str = "") -> tuple[Token, str]:
    """A further bearer token and its secret, which is shown this once.

    Raises ``BadLabel`` or ``PlayerDeleted``.
    """
    if len(label) > Token.MAX_LABEL_LENGTH or not label.isprintable():
        raise BadLabel("bad_label", f"A label has at most {Token.MAX_LABEL_LENGTH} printable characters.")
    lock(player)
    return _add_token(player, label)


def revoke_token(*, token: Token) -> None:
    """Ends a token for good; ending it again changes nothing."""
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    token.refresh_from_db(fields=["revoked_at"])


def revoke_all_tokens(*, player: Player, keep: Token | None = None) -> int:
    """Ends every token of a player, but for one to ``keep``, and returns how many that were."""
    others = player.tokens.exclude(pk=keep.pk) if keep else player.tokens.all()
    return others.filter(revoked_at=None).update(revoked_at=timezone.now())


def with_free_name[T](take: Callable[[str], T], draw: Callable[[], str]) -> T:
    """Takes the first of a few names drawn that nobody has. Raises ``NameTaken`` where all were taken."""
    for _ in range(NAME_TRIES - 1):
        try:
            return take(draw())
        except NameTaken:
            continue
    return take(draw())


def _insert(player: Player) -> Player:
    player.set_unusable_password()
    try:
        with transaction.atomic():
            player.save(force_insert=True)
    except IntegrityError as conflict:
        raise NameTaken from conflict
    return player


def _add_token(player: Player, label: str) -> tuple[Token, str]:
    secret = make_secret()
    token = Token.objects.create(player=player, digest=digest_of(secret), hint=hint_of(secret), label=label)
    return token, secret
