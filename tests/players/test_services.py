"""What happens to players."""
# ruff: noqa: RUF001

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from django.db import connection

from players import services
from players.errors import BadCountry, BadLabel, BadName, NameTaken
from players.friendly_names import make_name
from players.models import Player, Token
from players.tokens import digest_of

pytestmark = pytest.mark.django_db


def test_a_guest_gets_the_name_it_asks_for() -> None:
    player, _ = services.create_guest(name="Ann")
    kept = Player.objects.get()
    assert kept == player
    assert (kept.name, kept.name_key) == ("Ann", "ann")
    assert (kept.is_guest, kept.is_bot, kept.is_staff, kept.is_active) == (True, False, False, True)
    assert not kept.has_usable_password()


def test_a_guest_without_a_name_gets_a_friendly_one() -> None:
    player, _ = services.create_guest(name=None, rng=Random(7))
    assert player.name == make_name(Random(7))


def test_a_friendly_name_that_is_taken_is_drawn_again() -> None:
    first, _ = services.create_guest(rng=Random(7))
    second, _ = services.create_guest(rng=Random(7))
    assert first.name != second.name


def test_friendly_names_running_out_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "make_name", lambda _: "Brave Heron 417")
    services.create_guest()
    with pytest.raises(NameTaken):
        services.create_guest()
    assert Player.objects.count() == 1


def test_a_bot_is_marked_as_one() -> None:
    player, _ = services.create_guest(is_bot=True)
    assert Player.objects.get(pk=player.pk).is_bot


def test_a_guest_gets_a_token_of_which_only_the_digest_is_kept() -> None:
    player, secret = services.create_guest(name="Ann")
    token = Token.objects.get(player=player)
    assert token.digest == digest_of(secret)
    assert secret not in {str(value) for value in Token.objects.values_list().get()}


@pytest.mark.parametrize("name", ["ann", "ANN", "аnn", "Ａnn"])
def test_a_name_that_looks_taken_is_taken(name: str) -> None:
    services.create_guest(name="Ann")
    with pytest.raises(NameTaken):
        services.create_guest(name=name)
    assert Player.objects.count() == Token.objects.count() == 1


def test_strasse_is_one_name_however_it_is_written() -> None:
    services.create_guest(name="straße")
    with pytest.raises(NameTaken) as refused:
        services.create_guest(name="STRASSE")
    assert (refused.value.status_code, refused.value.default_code) == (409, "name_taken")


def test_a_bad_name_makes_no_player() -> None:
    with pytest.raises(BadName):
        services.create_guest(name="a/b")
    assert not Player.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_race_for_one_name_has_one_winner_and_refusals_only() -> None:
    spellings = ["straße", "STRASSE", "Strasse", "straſſe"] * 2
    start = Barrier(len(spellings))

    def compete(name: str) -> bool:
        try:
            start.wait()
            services.create_guest(name=name)
        except NameTaken:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(len(spellings)) as pool:
        outcomes = list(pool.map(compete, spellings))
    assert outcomes.count(True) == 1
    assert Player.objects.count() == Token.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_race_for_friendly_names_gives_everybody_one() -> None:
    start = Barrier(8)

    def join(_: int) -> str:
        try:
            start.wait()
            return services.create_guest(rng=Random(7))[0].name
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(join, range(8)))
    assert len(set(names)) == 8


def test_a_rename_changes_name_and_key(ann: Player) -> None:
    services.rename(player=ann, name="Zoë")
    kept = Player.objects.get(pk=ann.pk)
    assert (kept.name, kept.name_key) == ("Zoë", "zoe\u0308")


def test_a_rename_may_change_only_the_spelling(ann: Player) -> None:
    services.rename(player=ann, name="ANN")
    assert Player.objects.get(pk=ann.pk).name == "ANN"


def test_a_rename_to_a_taken_name_changes_nothing(ann: Player, bob: Player) -> None:
    with pytest.raises(NameTaken):
        services.rename(player=bob, name="Ann")
    assert bob.name == "bob"
    assert Player.objects.get(pk=bob.pk).name == "bob"


def test_a_name_left_behind_is_free_again(ann: Player, bob: Player) -> None:
    services.rename(player=ann, name="Zoe")
    services.rename(player=bob, name="Ann")
    assert Player.objects.get(pk=bob.pk).name == "Ann"


def test_only_staff_may_take_a_reserved_name(ann: Player) -> None:
    with pytest.raises(BadName):
        services.rename(player=ann, name="Moderator")
    Player.objects.filter(pk=ann.pk).update(is_staff=True)
    services.rename(player=ann, name="Moderator")
    assert Player.objects.get(pk=ann.pk).name == "Moderator"


def test_a_friendly_rename_skips_names_that_are_taken(ann: Player) -> None:
    other, _ = services.create_guest(rng=Random(7))
    services.rename_friendly(player=ann, rng=Random(7))
    assert Player.objects.get(pk=ann.pk).name not in {"ann", other.name}


@pytest.mark.parametrize(("country", "kept"), [("NL", "NL"), ("nl", "NL"), ("", "")])
def test_a_country_is_kept_in_capitals(ann: Player, country: str, kept: str) -> None:
    services.set_country(player=ann, country="JP")
    services.set_country(player=ann, country=country)
    assert Player.objects.get(pk=ann.pk).country == kept


@pytest.mark.parametrize("country", ["XX", "NLD", "N", "N\0", "ﬂ", "🇳🇱"])
def test_what_is_no_country_is_refused(ann: Player, country: str) -> None:
    with pytest.raises(BadCountry) as refused:
        services.set_country(player=ann, country=country)
    assert (refused.value.status_code, refused.value.pointer) == (400, "/country")
    assert Player.objects.get(pk=ann.pk).country == ""


def test_a_profile_changes_where_something_is_given(ann: Player) -> None:
    services.update_profile(player=ann, name="Annabel")
    services.update_profile(player=ann, country="se")
    services.update_profile(player=ann)
    kept = Player.objects.get()
    assert (kept.name, kept.country) == ("Annabel", "SE")


def test_a_profile_changes_as_a_whole_or_not_at_all(ann: Player) -> None:
    with pytest.raises(BadCountry):
        services.update_profile(player=ann, name="Annabel", country="XX")
    assert Player.objects.get().name != "Annabel"


def test_a_player_may_have_several_tokens(ann: Player) -> None:
    first, _ = services.issue_token(player=ann, label="phone")
    second, secret = services.issue_token(player=ann, label="script")
    assert set(ann.tokens.active()) == {first, second}
    assert (second.hint, second.label) == (secret[:8], "script")


@pytest.mark.parametrize("label", ["x" * 61, "a\0b", "a\nb", "\ud800"])
def test_a_label_that_cannot_be_shown_is_refused(ann: Player, label: str) -> None:
    with pytest.raises(BadLabel):
        services.issue_token(player=ann, label=label)
    assert not ann.tokens.exists()


def test_a_revoked_token_is_over_and_the_others_are_not(ann: Player) -> None:
    lost, _ = services.issue_token(player=ann)
    kept, _ = services.issue_token(player=ann)
    services.revoke_token(token=lost)
    assert list(ann.tokens.active()) == [kept]


def test_revoking_twice_keeps_the_first_moment(ann: Player) -> None:
    token, _ = services.issue_token(player=ann)
    services.revoke_token(token=token)
    first = token.revoked_at
    services.revoke_token(token=token)
    assert first is not None
    assert Token.objects.get(pk=token.pk).revoked_at == first


def test_all_tokens_of_one_player_are_revoked_at_once(ann: Player, bob: Player) -> None:
    services.issue_token(player=ann)
    services.issue_token(player=ann)
    kept, _ = services.issue_token(player=bob)
    assert services.revoke_all_tokens(player=ann) == 2
    assert list(Token.objects.active()) == [kept]
