"""Problem documents: what they say, for refusals of every origin."""

import json
from typing import Any

import pytest
from django.core import exceptions as django_exceptions
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.test import RequestFactory
from rest_framework import exceptions
from rest_framework.exceptions import APIException

from api import errors
from daily.errors import IllegalLog
from games.pyramid import IllegalMove
from players.errors import BadName


def document_of(response: HttpResponse | None) -> dict[str, Any]:
    assert response is not None
    assert response.headers["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = json.loads(response.content)
    assert document["status"] == response.status_code
    return document


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (Http404("No Player matches"), 404, "not_found"),
        (django_exceptions.PermissionDenied("secret reason"), 403, "permission_denied"),
        (django_exceptions.RequestDataTooBig("x"), 413, "body_too_large"),
        (django_exceptions.DisallowedHost("x"), 400, "bad_request"),
        (django_exceptions.TooManyFieldsSent("x"), 400, "bad_request"),
        (django_exceptions.BadRequest("x"), 400, "bad_request"),
        (MultiPartParserError("Invalid boundary"), 400, "bad_request"),
        (UnreadablePostError("gone"), 400, "bad_request"),
        (OperationalError("connection to 10.0.0.7 failed"), 503, "unavailable"),
        (InterfaceError("connection is closed"), 503, "unavailable"),
        (exceptions.MethodNotAllowed("BREW"), 405, "method_not_allowed"),
        (exceptions.NotAcceptable(), 406, "not_acceptable"),
        (exceptions.UnsupportedMediaType("text/x\0"), 415, "unsupported_media_type"),
        (exceptions.Throttled(12.2), 429, "throttled"),
        (exceptions.ValidationError({"name": ["No."]}), 400, "invalid"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_each_known_fault_has_its_status_and_code(fault: Exception, status: int, code: str) -> None:
    document = document_of(errors.handle(fault, {"request": HttpRequest()}))
    assert (document["status"], document["code"]) == (status, code)
    assert document["type"] == f"/api/docs/errors/#{code}"
    assert not any(secret in document["detail"] for secret in ("secret", "10.0.0.7", "\0", "Player"))


def test_a_fault_of_ours_goes_on_to_django() -> None:
    assert errors.handle(ValueError("bug"), {}) is None


def test_waiting_times_are_told_in_whole_seconds() -> None:
    throttled = errors.respond(exceptions.Throttled(12.2))
    assert throttled.headers["Retry-After"] == "13"
    assert errors.respond(errors.Unavailable()).headers["Retry-After"] == "5"
    assert "Retry-After" not in errors.respond(errors.BadRequest()).headers


def test_a_refused_field_is_pointed_at_under_the_code_of_its_kind() -> None:
    document = errors.problem(BadName("too_long", "A name has at most 24 characters."))
    assert document["code"] == "bad_name"
    assert document["detail"] == "A name has at most 24 characters."
    assert document["errors"] == [
        {"pointer": "/name", "code": "too_long", "detail": "A name has at most 24 characters."}
    ]


def test_a_refusal_may_bring_members_of_its_own() -> None:
    document = errors.problem(IllegalLog(IllegalMove("covered", "9H4C", "9H is still covered by 2D.", 12)))
    assert document["code"] == "illegal_move"
    assert (document["move_index"], document["move"], document["reason"]) == (12, "9H4C", "covered")
    assert "errors" not in document


def test_nested_errors_become_json_pointers() -> None:
    refusal = exceptions.ValidationError(
        {"a/b": {"~": [exceptions.ErrorDetail("No.", "no")]}, "non_field_errors": ["All of it."]}
    )
    assert errors.problem(refusal)["errors"] == [
        {"pointer": "/a~1b/~0", "code": "no", "detail": "No."},
        {"pointer": "", "code": "invalid", "detail": "All of it."},
    ]
    assert errors.problem(refusal)["detail"] == "/a~1b/~0: No."


@pytest.mark.parametrize(
    ("handler", "status"),
    [(errors.bad_request, 400), (errors.permission_denied, 403), (errors.not_found, 404)],
    ids=["400", "403", "404"],
)
def test_djangos_handlers_answer_programs_with_problems_and_people_with_pages(
    handler: Any, status: int
) -> None:
    requests = RequestFactory()
    assert document_of(handler(requests.get("/api/x"), Exception("x")))["status"] == status
    page = handler(requests.get("/admin/x"), Exception("x"))
    assert page.status_code == status
    assert page.headers["Content-Type"].startswith("text/html")


def test_a_500_says_nothing_but_the_id_it_is_logged_under() -> None:
    requests = RequestFactory()
    try:
        raise ValueError("the deck is AC 2C")
    except ValueError:
        document = document_of(errors.server_error(requests.get("/api/x")))
        page = errors.server_error(requests.get("/admin/x"))
    assert document["code"] == "internal_error"
    assert document["instance"].startswith("urn:uuid:")
    assert "deck" not in json.dumps(document)
    assert page.headers["Content-Type"].startswith("text/html")


def test_the_database_going_away_outside_a_view_is_a_503() -> None:
    try:
        raise OperationalError("connection refused")
    except OperationalError:
        response = errors.server_error(RequestFactory().get("/api/x"))
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"


def test_each_refusal_of_our_own_says_what_it_is() -> None:
    ours = [kind for kind in APIException.__subclasses__() if kind.__module__ == errors.__name__]
    assert len(ours) >= 10
    assert all(kind.__doc__ and kind.default_detail for kind in ours)
