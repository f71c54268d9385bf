"""The clock of the database itself, which stands still in every other test."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.contenttypes.models import ContentType
from pytest_django import DjangoAssertNumQueries

from daily import clock

A_MINUTE = timedelta(minutes=1)


@pytest.mark.django_db
def test_the_clock_tells_the_time_in_utc() -> None:
    moment = clock.now()
    assert moment.utcoffset() == timedelta(0)
    assert abs(moment - datetime.now(UTC)) < A_MINUTE


@pytest.mark.django_db
def test_a_statement_reads_the_same_clock() -> None:
    before = clock.now()
    [moment] = ContentType.objects.annotate(moment=clock.Now()).values_list("moment", flat=True)[:1]
    assert before <= moment <= clock.now()


@pytest.mark.django_db
def test_about_the_same_time_is_told_without_asking_the_database(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        moment = clock.about_now()
    assert moment.utcoffset() == timedelta(0)
    assert abs(moment - clock.now()) < A_MINUTE
