"""A connection is used again as long as the server has not hung up, and that costs no round trip to know."""

from unittest import mock

import psycopg
import pytest
from django.db import connection
from django.db.backends.postgresql import base

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def session() -> int:
    """The server's process for our connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def begin_request() -> None:
    """What Django does before each."""
    connection.close_if_unusable_or_obsolete()


def test_the_next_request_goes_on_with_the_connection_unasked() -> None:
    before = session()
    begin_request()
    with mock.patch.object(base.DatabaseWrapper, "is_usable", side_effect=AssertionError("asked")):
        assert session() == before


def test_the_next_request_has_another_connection_where_the_server_has_hung_up() -> None:
    before = session()
    with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [before])
    begin_request()
    assert session() != before


def test_after_an_error_the_server_is_asked() -> None:
    before = session()
    connection.errors_occurred = True
    with mock.patch.object(base.DatabaseWrapper, "is_usable", return_value=False):
        begin_request()
    assert session() != before


def test_a_connection_that_is_closed_here_is_not_used() -> None:
    before = session()
    connection.connection.close()
    begin_request()
    assert session() != before
