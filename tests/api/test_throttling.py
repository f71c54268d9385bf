"""What a request counts as."""

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from api.throttling import scope_of


@pytest.mark.parametrize(
    ("method", "scope"), [("GET", "solve"), ("HEAD", "solve"), ("OPTIONS", "solve"), ("POST", "write")]
)
def test_a_view_names_the_scope_of_a_method(method: str, scope: str) -> None:
    view = APIView()
    view.throttle_scopes = {"GET": "solve"}  # type: ignore[attr-defined]
    assert scope_of(Request(APIRequestFactory().generic(method, "/")), view) == scope


@pytest.mark.parametrize(("method", "scope"), [("GET", "read"), ("HEAD", "read"), ("PATCH", "write")])
def test_without_one_it_is_reading_or_writing(method: str, scope: str) -> None:
    assert scope_of(Request(APIRequestFactory().generic(method, "/")), APIView()) == scope
