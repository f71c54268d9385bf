"""Who a request speaks for."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from players.authentication import BearerAuthentication
from players.errors import InvalidToken
from players.models import Player
from players.services import issue_token, revoke_token
from players.tokens import make_secret

pytestmark = pytest.mark.django_db


def ask(header: str | None) -> tuple[Any, Any] | None:
    request = APIRequestFactory().get("/")
    if header is not None:
        request.META["HTTP_AUTHORIZATION"] = header
    return BearerAuthentication().authenticate(Request(request))


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER  "])
def test_a_token_speaks_for_its_player(ann: Player, scheme: str) -> None:
    token, secret = issue_token(player=ann)
    assert ask(scheme + secret) == (ann, token)


def test_a_token_costs_one_query(ann: Player, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    _, secret = issue_token(player=ann)
    with django_assert_num_queries(1):
        answer = ask(f"Bearer {secret}")
        assert answer is not None
        assert answer[0].name == answer[1].player.name == "ann"


@pytest.mark.parametrize("header", [None, "", "Basic YW5uOnB3", "Token abc"])
def test_a_request_without_a_bearer_token_is_anonymous(header: str | None) -> None:
    assert ask(header) is None


HOSTILE_HEADERS = [
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Bearer pyd_",
    "Bearer a b",
    "Bearer \0",
    "Bearer " + "é" * 55,
    "Bearer \udc80\udcff",
    "Bearer " + "A" * 1_000_000,
    "Bearer " + make_secret() + ", Bearer " + make_secret(),
    "Bearer " + make_secret() + "\0",
    make_secret(),
]


@pytest.mark.parametrize("header", HOSTILE_HEADERS, ids=range(len(HOSTILE_HEADERS)))
def test_a_malformed_token_is_refused_without_a_query(
    header: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0), pytest.raises(InvalidToken) as refused:
        ask(header)
    assert (refused.value.status_code, refused.value.default_code) == (401, "invalid_token")


def test_a_token_nobody_was_given_is_refused() -> None:
    with pytest.raises(InvalidToken):
        ask(f"Bearer {make_secret()}")


def test_a_revoked_token_is_refused(ann: Player) -> None:
    token, secret = issue_token(player=ann)
    revoke_token(token=token)
    with pytest.raises(InvalidToken):
        ask(f"Bearer {secret}")


def test_a_token_of_somebody_closed_is_refused(ann: Player) -> None:
    _, secret = issue_token(player=ann)
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    with pytest.raises(InvalidToken):
        ask(f"Bearer {secret}")


class Whoami(APIView):
    authentication_classes = [BearerAuthentication]

    def get(self, request: Request) -> Response:
        return Response(str(request.user))


def test_a_view_answers_401_with_a_challenge() -> None:
    response = Whoami.as_view()(APIRequestFactory().get("/", HTTP_AUTHORIZATION="Bearer x"))
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_view_knows_the_player(ann: Player) -> None:
    _, secret = issue_token(player=ann)
    response = Whoami.as_view()(APIRequestFactory().get("/", HTTP_AUTHORIZATION=f"Bearer {secret}"))
    assert response.data == "ann"
