"""What the log says of a request that was refused: why, and never what was played."""

import io
from unittest import mock

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError

from daily.models import Challenge
from tests.api.conftest import CheckedClient
from tests.setup.test_logs import lines, log  # noqa: F401  (fixture)


def test_a_refused_submission_is_logged_with_its_reason_and_without_its_moves(
    as_ann: CheckedClient,
    challenge: Challenge,
    log: io.StringIO,  # noqa: F811
) -> None:
    attempt = as_ann.post("/api/v1/challenges/today/attempts/").json()
    refused = as_ann.post(f"/api/v1/attempts/{attempt['id']}/run/", {"log": ["D", "D", "ASAH"]})
    line = lines(log)[-1]
    assert (line["event"], line["code"]) == ("request_finished", 422)
    assert (line["refused"], line["reason"]) == ("illegal_move", refused.json()["reason"])
    assert line["request_id"] == refused.headers["X-Request-ID"]
    assert "ASAH" not in log.getvalue()
    assert challenge.deck[:20] not in log.getvalue()


def test_the_next_request_is_not_logged_as_refused(
    as_ann: CheckedClient,
    challenge: Challenge,
    log: io.StringIO,  # noqa: F811
) -> None:
    as_ann.get("/api/v1/rules/nonsense/")
    as_ann.get("/api/v1/rules/")
    first, second = (line for line in lines(log) if line["event"] == "request_finished")
    assert first["refused"] == "not_found"
    assert "refused" not in second


def test_a_database_that_is_away_is_told_without_a_traceback(
    api: CheckedClient,
    challenge: Challenge,
    log: io.StringIO,  # noqa: F811
) -> None:
    fault = OperationalError("connection refused\n\tIs the server running?")
    with mock.patch("leaderboard.days.DAYS.all", side_effect=fault):
        assert api.get("/api/v1/challenges/today/").status_code == 503
    away, finished, *_ = lines(log)
    assert (away["event"], away["error"]) == ("database_unavailable", "OperationalError")
    assert away["reason"] == "connection refused"
    assert (finished["event"], finished["code"]) == ("request_finished", 503)
    assert "Traceback" not in log.getvalue()


def test_a_session_that_cannot_be_read_is_told_under_the_id_of_the_answer(
    api: CheckedClient,
    log: io.StringIO,  # noqa: F811
) -> None:
    api.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    with mock.patch.object(SessionStore, "load", side_effect=OperationalError("gone")):
        response = api.get("/api/v1/rules/")
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    [failed] = [line for line in lines(log) if line["event"] == "request_failed"]
    assert failed["request_id"] == response.headers["X-Request-ID"]
