"""What plain SQL cannot do either: change or drop the deal of a day that has opened, or the audit trail."""

from datetime import date, datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction

from daily import audit, clock
from daily.models import AuditEntry, Challenge
from tests.cast import NOON, make_challenge

pytestmark = pytest.mark.django_db

LONG_AGO = date(2020, 2, 29)
FAR_AHEAD = date(2999, 12, 31)
OTHER_DECK = " ".join(f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK")
FIXED = {
    "rules": "strict",
    "rules_version": 2,
    "deck": OTHER_DECK,
    "code": "PYR1-0000-0000-0000-0017",
    "salt": "0" * 32,
    "commitment": "0" * 64,
}
FREE = {
    "best_clear": 27,
    "best_line_text": "D D",
    "difficulty": 0.5,
    "relaxed": "The policy asks for more.",
    "voided_at": NOON,
    "void_reason": "a fault",
    "settled_at": NOON,
}


def execute(sql: str, *parameters: Any) -> int:
    """Run one statement as anybody could in a database shell; how many rows it touched."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return int(cursor.rowcount)


def set_column(column: str, value: Any, day: date) -> int:
    return execute(f"UPDATE daily_challenge SET {column} = %s WHERE date = %s", value, day)


def stored(day: date) -> dict[str, Any]:
    return dict(Challenge.objects.values().get(date=day))


def today() -> date:
    """Today by the database's own clock, which no test moves."""
    make_challenge(FAR_AHEAD)
    return Challenge.objects.annotate(at=clock.Now()).values_list("at", flat=True)[0].date()


def opened_days() -> list[date]:
    return [make_challenge(LONG_AGO).date, make_challenge(today()).date]


@pytest.mark.parametrize("column", FIXED)
def test_an_opened_day_keeps_its_deal_and_rules(column: str) -> None:
    for day in opened_days():
        before = stored(day)
        with pytest.raises(DatabaseError, match="deal and rules"):
            set_column(column, FIXED[column], day)
        assert stored(day) == before


@pytest.mark.parametrize("column", FREE)
def test_an_opened_day_still_takes_what_is_found_out_and_decided_later(column: str) -> None:
    make_challenge(LONG_AGO)
    assert set_column(column, FREE[column], LONG_AGO) == 1
    assert stored(LONG_AGO)[column] == FREE[column]


def test_an_opened_day_is_not_deleted() -> None:
    for day in opened_days():
        with pytest.raises(DatabaseError, match="stays"):
            execute("DELETE FROM daily_challenge WHERE date = %s", day)
        assert stored(day)


@pytest.mark.parametrize(
    ("day", "other"), [(LONG_AGO, FAR_AHEAD), (FAR_AHEAD, LONG_AGO), (FAR_AHEAD, date(2999, 1, 1))]
)
def test_no_day_moves_to_another_date(day: date, other: date) -> None:
    make_challenge(day)
    with pytest.raises(DatabaseError, match="keeps its date"):
        execute("UPDATE daily_challenge SET date = %s WHERE date = %s", other, day)


@pytest.mark.parametrize("column", FIXED)
def test_a_coming_day_may_change(column: str) -> None:
    make_challenge(FAR_AHEAD)
    assert set_column(column, FIXED[column], FAR_AHEAD) == 1


def test_a_coming_day_may_be_deleted() -> None:
    make_challenge(FAR_AHEAD)
    assert execute("DELETE FROM daily_challenge WHERE date = %s", FAR_AHEAD) == 1


def test_writing_the_same_values_again_is_no_change() -> None:
    challenge = make_challenge(LONG_AGO)
    challenge.save()
    assert set_column("deck", challenge.deck, LONG_AGO) == 1


def copy_of(day: date, deck: str, verb: str) -> int:
    """Insert the row of a day once more with another deck."""
    columns = [field.attname for field in Challenge._meta.concrete_fields]
    values = ", ".join("%s" if column == "deck" else column for column in columns)
    names = ", ".join(columns)
    sql = f"{verb} INTO daily_challenge ({names}) SELECT {values} FROM daily_challenge WHERE date = %s"
    return execute(sql, deck, day)


def test_a_second_row_for_a_day_is_an_error() -> None:
    make_challenge(LONG_AGO)
    with pytest.raises(IntegrityError):
        copy_of(LONG_AGO, OTHER_DECK, "INSERT")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no INSERT OR REPLACE")
@pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "REPLACE"])
def test_sqlite_does_not_replace_an_opened_day(verb: str) -> None:
    make_challenge(LONG_AGO)
    before = stored(LONG_AGO)
    with pytest.raises(IntegrityError):
        copy_of(LONG_AGO, OTHER_DECK, verb)
    assert stored(LONG_AGO) == before


def test_losing_the_race_to_make_a_day_is_no_error() -> None:
    made = make_challenge(LONG_AGO)
    Challenge.objects.bulk_create(
        [Challenge(date=LONG_AGO, deck=OTHER_DECK, rules_version=1)], ignore_conflicts=True
    )
    assert stored(LONG_AGO)["deck"] == made.deck


def test_the_audit_trail_is_not_altered() -> None:
    entry = audit.note("void_day", by=None, at=NOON, day=LONG_AGO, reason="a fault")
    with pytest.raises(DatabaseError, match="only added to"):
        execute("UPDATE daily_auditentry SET reason = 'none' WHERE id = %s", entry.pk)
    assert AuditEntry.objects.get().reason == "a fault"


def test_the_audit_trail_is_not_deleted() -> None:
    audit.note("void_day", by=None, at=NOON, day=LONG_AGO, reason="a fault")
    with pytest.raises(DatabaseError, match="only added to"):
        execute("DELETE FROM daily_auditentry")
    assert AuditEntry.objects.count() == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no INSERT OR REPLACE")
def test_sqlite_does_not_replace_an_audit_entry() -> None:
    entry = audit.note("void_day", by=None, at=datetime.max.replace(tzinfo=NOON.tzinfo), day=LONG_AGO)
    columns = "id, at, action, day, player_id, run_id, actor_id, reason, detail"
    with pytest.raises(DatabaseError, match="only added to"):
        execute(
            f"REPLACE INTO daily_auditentry ({columns}) SELECT {columns} FROM daily_auditentry WHERE id = %s",
            entry.pk,
        )


@pytest.mark.postgres
def test_the_guards_can_be_taken_away_and_put_back() -> None:
    make_challenge(LONG_AGO)
    call_command("migrate", "daily", "0001", verbosity=0)
    assert set_column("salt", "1" * 32, LONG_AGO) == 1
    call_command("migrate", "daily", verbosity=0)
    with pytest.raises(DatabaseError):
        set_column("salt", "2" * 32, LONG_AGO)
