"""An opened day's deal and rules never change, and the audit trail is only ever added to, whoever speaks SQL.

SQLite rebuilds a table for some changes of its columns and forgets its triggers then: a later migration that
alters ``daily_challenge`` or ``daily_auditentry`` has to run these statements again (the tests notice).
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

FIXED = ("rules", "rules_version", "deck", "code", "salt", "commitment")

POSTGRESQL = [
    """
    CREATE FUNCTION daily_guard_challenge() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            RAISE EXCEPTION 'the challenge of % has opened and stays', OLD.date USING ERRCODE = 'check_violation';
        END IF;
        RAISE EXCEPTION 'the challenge of % keeps its date and, once opened, its deal and rules', OLD.date
            USING ERRCODE = 'check_violation';
    END $$
    """,
    """
    CREATE TRIGGER daily_challenge_keeps_date BEFORE UPDATE ON daily_challenge FOR EACH ROW
    WHEN (NEW.date IS DISTINCT FROM OLD.date) EXECUTE FUNCTION daily_guard_challenge()
    """,
    f"""
    CREATE TRIGGER daily_challenge_keeps_deal BEFORE UPDATE ON daily_challenge FOR EACH ROW
    WHEN (OLD.date <= (clock_timestamp() AT TIME ZONE 'UTC')::date
        AND ({" OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in FIXED)}))
    EXECUTE FUNCTION daily_guard_challenge()
    """,
    """
    CREATE TRIGGER daily_challenge_stays BEFORE DELETE ON daily_challenge FOR EACH ROW
    WHEN (OLD.date <= (clock_timestamp() AT TIME ZONE 'UTC')::date) EXECUTE FUNCTION daily_guard_challenge()
    """,
    """
    CREATE FUNCTION daily_guard_auditentry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the audit trail is only added to' USING ERRCODE = 'check_violation';
    END $$
    """,
    """
    CREATE TRIGGER daily_auditentry_stays BEFORE UPDATE OR DELETE ON daily_auditentry FOR EACH ROW
    EXECUTE FUNCTION daily_guard_auditentry()
    """,
]
POSTGRESQL_UNDO = [
    "DROP TRIGGER daily_auditentry_stays ON daily_auditentry",
    "DROP FUNCTION daily_guard_auditentry()",
    "DROP TRIGGER daily_challenge_stays ON daily_challenge",
    "DROP TRIGGER daily_challenge_keeps_deal ON daily_challenge",
    "DROP TRIGGER daily_challenge_keeps_date ON daily_challenge",
    "DROP FUNCTION daily_guard_challenge()",
]

SQLITE = [
    """
    CREATE TRIGGER daily_challenge_keeps_date BEFORE UPDATE OF date ON daily_challenge
    WHEN NEW.date IS NOT OLD.date
    BEGIN SELECT RAISE(ABORT, 'a challenge keeps its date'); END
    """,
    f"""
    CREATE TRIGGER daily_challenge_keeps_deal BEFORE UPDATE OF {", ".join(FIXED)} ON daily_challenge
    WHEN OLD.date <= date('now') AND ({" OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)})
    BEGIN SELECT RAISE(ABORT, 'a challenge that has opened keeps its deal and rules'); END
    """,
    """
    CREATE TRIGGER daily_challenge_stays BEFORE DELETE ON daily_challenge
    WHEN OLD.date <= date('now')
    BEGIN SELECT RAISE(ABORT, 'a challenge that has opened stays'); END
    """,
    # INSERT OR REPLACE takes the old row away without the trigger above. What an insert does about a conflict is
    # also what the statements of its triggers do, and no conflict of NOT NULL can be replaced away: so this
    # update is skipped under OR IGNORE and fails under OR REPLACE, as under a plain INSERT that fails anyhow.
    """
    CREATE TRIGGER daily_challenge_is_not_replaced BEFORE INSERT ON daily_challenge
    WHEN NEW.date <= date('now')
    BEGIN UPDATE daily_challenge SET created_at = NULL WHERE date = NEW.date; END
    """,
    """
    CREATE TRIGGER daily_auditentry_keeps BEFORE UPDATE ON daily_auditentry
    BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END
    """,
    """
    CREATE TRIGGER daily_auditentry_stays BEFORE DELETE ON daily_auditentry
    BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END
    """,
    """
    CREATE TRIGGER daily_auditentry_is_not_replaced BEFORE INSERT ON daily_auditentry
    WHEN EXISTS (SELECT 1 FROM daily_auditentry WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END
    """,
]
SQLITE_UNDO = [f"DROP TRIGGER {statement.split()[2]}" for statement in SQLITE]


def guard(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    run(editor, POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE)


def unguard(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    run(editor, POSTGRESQL_UNDO if editor.connection.vendor == "postgresql" else SQLITE_UNDO)


def run(editor: BaseDatabaseSchemaEditor, statements: list[str]) -> None:
    with editor.connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("daily", "0001_initial")]
    operations = [migrations.RunPython(guard, unguard)]
