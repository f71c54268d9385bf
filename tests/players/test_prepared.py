"""A prepared query finds what its queryset finds, however often and by whomever it is asked."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from django.db import connection
from django.db.models import Value
from pytest_django import DjangoAssertNumQueries

from daily.models import Attempt, Challenge
from players.models import Player, Token
from players.prepared import Given, Prepared
from players.services import issue_token
from tests.cast import make_player, started

pytestmark = pytest.mark.django_db

NAMED = Prepared(lambda: Player.objects.filter(name=Given("name", Player, "name")))
TOKENS = Prepared(
    lambda: (
        Token.objects.active()
        .select_related("player")
        .annotate(answer=Value(42))
        .filter(player__pk__in=[Given("one", Player), Given("other", Player)])
        .order_by("pk")
    )
)


def test_each_asking_has_its_own_values(ann: Player, bob: Player) -> None:
    assert [NAMED.get(name=name) for name in ("ann", "bob", "ann")] == [ann, bob, ann]


def test_asking_takes_one_query(ann: Player, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    NAMED.all(name="ann")
    with django_assert_num_queries(1):
        assert NAMED.get(name="ann").name_key


def test_who_is_not_there_does_not_exist() -> None:
    with pytest.raises(Player.DoesNotExist):
        NAMED.get(name="nobody")


def test_two_are_not_one(ann: Player, bob: Player) -> None:
    everybody = Prepared(Player.objects.all)
    assert set(everybody.all()) == {ann, bob}
    with pytest.raises(ValueError, match="expected 1"):
        everybody.get()


def test_related_rows_and_annotations_come_along(
    ann: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tokens = [issue_token(player=player)[0] for player in (ann, bob)]
    with django_assert_num_queries(1):
        found = TOKENS.all(one=ann.pk, other=bob.pk)
        assert found == tokens
        assert [token.player.name for token in found] == ["ann", "bob"]
        assert [token.answer for token in found] == [42, 42]  # type: ignore[attr-defined]


def test_deferred_fields_are_fetched_when_they_are_asked_for(challenge: Challenge) -> None:
    days = Prepared(lambda: Challenge.objects.without_deals().filter(date=Given("date", Challenge)))
    found = days.get(date=challenge.date)
    assert "deck" in found.get_deferred_fields()
    assert found.deck == challenge.deck


def test_values_are_converted_as_in_the_queryset(challenge: Challenge, ann: Player) -> None:
    attempts = Prepared(lambda: Attempt.objects.filter(pk=Given("id", Attempt)))
    attempt = started(ann)
    [found] = attempts.all(id=attempt.pk)
    assert (found.pk, found.started_at) == (attempt.pk, attempt.started_at)


def test_a_changed_row_is_seen(ann: Player) -> None:
    assert NAMED.get(name="ann").country == ""
    Player.objects.filter(pk=ann.pk).update(country="FI")
    assert NAMED.get(name="ann").country == "FI"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_on_its_own_connection() -> None:
    for n in range(8):
        make_player(f"player {n}")

    def ask(n: int) -> str:
        try:
            return NAMED.get(name=f"player {n}").name
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == [f"player {n}" for n in range(8)]


def test_a_date_is_asked_for_as_a_date(challenge: Challenge) -> None:
    days = Prepared(lambda: Challenge.objects.filter(date=Given("date", Challenge)))
    assert days.all(date=date(2026, 11, 29)) == []
    assert days.all(date=challenge.date) == [challenge]
