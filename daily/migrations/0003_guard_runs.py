"""No run enters a settled day, and none that counts enters a voided one, whoever inserts it and however late.

On PostgreSQL the insert waits for a transaction that is settling or voiding the day, and such a transaction
(``SELECT … FOR UPDATE`` of the challenge) waits for inserts that came before it. Submissions do not wait for each
other.

SQLite rebuilds a table for some changes of its columns and forgets its triggers then: a later migration that
alters ``daily_run`` has to run these statements again (the tests notice).
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

POSTGRESQL = [
    """
    CREATE FUNCTION daily_guard_run() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        settled timestamptz;
        voided timestamptz;
    BEGIN
        SELECT settled_at, voided_at INTO settled, voided FROM daily_challenge
        WHERE date = NEW.challenge_id FOR KEY SHARE;
        IF settled IS NOT NULL THEN
            RAISE EXCEPTION 'the day % is settled and takes no more runs', NEW.challenge_id
                USING ERRCODE = 'check_violation';
        END IF;
        IF voided IS NOT NULL AND NEW.unranked_reason = '' AND NEW.voided_at IS NULL THEN
            RAISE EXCEPTION 'the day % is void and no run counts on it', NEW.challenge_id
                USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER daily_run_enters BEFORE INSERT ON daily_run FOR EACH ROW EXECUTE FUNCTION daily_guard_run()
    """,
]
POSTGRESQL_UNDO = ["DROP TRIGGER daily_run_enters ON daily_run", "DROP FUNCTION daily_guard_run()"]

SQLITE = [
    """
    CREATE TRIGGER daily_run_enters BEFORE INSERT ON daily_run
    WHEN EXISTS (SELECT 1 FROM daily_challenge WHERE date = NEW.challenge_id AND settled_at IS NOT NULL)
    BEGIN SELECT RAISE(ABORT, 'the day is settled and takes no more runs'); END
    """,
    """
    CREATE TRIGGER daily_run_counts BEFORE INSERT ON daily_run
    WHEN NEW.unranked_reason = '' AND NEW.voided_at IS NULL
        AND EXISTS (SELECT 1 FROM daily_challenge WHERE date = NEW.challenge_id AND voided_at IS NOT NULL)
    BEGIN SELECT RAISE(ABORT, 'the day is void and no run counts on it'); END
    """,
]
SQLITE_UNDO = ["DROP TRIGGER daily_run_enters", "DROP TRIGGER daily_run_counts"]


def guard(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    run(editor, POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE)


def unguard(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    run(editor, POSTGRESQL_UNDO if editor.connection.vendor == "postgresql" else SQLITE_UNDO)


def run(editor: BaseDatabaseSchemaEditor, statements: list[str]) -> None:
    with editor.connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("daily", "0002_guards")]
    operations = [migrations.RunPython(guard, unguard)]
