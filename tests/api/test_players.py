"""Joining, and players as everybody sees them."""

import pytest

from daily.models import Challenge
from players.models import Player
from tests.api.conftest import CheckedClient
from tests.cast import started

pytestmark = pytest.mark.django_db


def test_a_guest_gets_a_name_and_a_token_that_works(api: CheckedClient) -> None:
    response = api.post("/api/v1/players/", {"name": "Ann"})
    assert response.status_code == 201
    joined = response.json()
    assert joined["player"]["name"] == "Ann"
    assert joined["player"]["is_guest"] is True
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {joined['token']}")
    assert api.get("/api/v1/me/").json() == joined["player"]


def test_without_a_name_or_even_a_body_the_guest_gets_a_friendly_name(api: CheckedClient) -> None:
    names = {api.post("/api/v1/players/").json()["player"]["name"] for _ in range(2)}
    assert len(names) == 2
    assert all(len(name) >= 3 for name in names)


def test_a_token_is_never_cached(api: CheckedClient) -> None:
    assert api.post("/api/v1/players/").headers["Cache-Control"] == "private, no-store"


def test_a_taken_name_is_refused_however_it_is_written(api: CheckedClient, ann: Player) -> None:
    response = api.post("/api/v1/players/", {"name": "ANN"})
    assert response.status_code == 409
    assert response.json()["code"] == "name_taken"


def test_a_bad_name_is_refused_with_the_rule_it_breaks(api: CheckedClient) -> None:
    problem = api.post("/api/v1/players/", {"name": "x"}).json()
    assert problem["code"] == "bad_name"
    assert problem["errors"][0]["pointer"] == "/name"
    assert problem["errors"][0]["code"] == "too_short"


def test_a_profile_says_who_somebody_is(api: CheckedClient, ann: Player, challenge: Challenge) -> None:
    started(ann)
    profile = api.get("/api/v1/players/Ann/").json()
    assert profile["name"] == "ann"
    assert profile["is_guest"] is True
    assert profile["is_bot"] is False
    assert profile["country"] is None
    assert profile["days_played"] == 1


def test_a_profile_is_public_and_cached(api: CheckedClient, ann: Player) -> None:
    response = api.get("/api/v1/players/ann/")
    assert response.headers["Cache-Control"] == "public, max-age=30"
    assert api.get("/api/v1/players/ann/", HTTP_IF_NONE_MATCH=response.headers["ETag"]).status_code == 304


@pytest.mark.parametrize("name", ["nobody-here", "a" * 2000, "%F0%9F%83%8F", "..", "%20", "a%2Fb"])
def test_nobody_is_a_404(api: CheckedClient, name: str) -> None:
    assert api.get(f"/api/v1/players/{name}/").json()["code"] == "not_found"
