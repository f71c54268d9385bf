"""How many attempts and runs a day has is counted as they come, so that nobody has to count a big day's rows.

The counting belongs to the transaction that inserts. Attempts and runs are never deleted, so nothing is taken off.

SQLite rebuilds a table for some changes of its columns and forgets its triggers then: a later migration that
alters ``daily_attempt`` or ``daily_run`` has to run these statements again (the tests notice).
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

COUNT = """
    INSERT INTO daily_turnout (challenge_id, shard, attempts, runs)
    SELECT daily_attempt.challenge_id, daily_attempt.player_id % 16, COUNT(*), COUNT(daily_run.attempt_id)
    FROM daily_attempt LEFT JOIN daily_run ON daily_run.attempt_id = daily_attempt.id
    GROUP BY 1, 2
"""

POSTGRESQL = [
    """
    CREATE FUNCTION daily_count() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO daily_turnout AS known (challenge_id, shard, attempts, runs)
        VALUES (NEW.challenge_id, NEW.player_id % 16,
            (TG_ARGV[0] = 'attempt')::int, (TG_ARGV[0] = 'run')::int)
        ON CONFLICT (challenge_id, shard) DO UPDATE
        SET attempts = known.attempts + excluded.attempts, runs = known.runs + excluded.runs;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER daily_attempt_is_counted AFTER INSERT ON daily_attempt
    FOR EACH ROW EXECUTE FUNCTION daily_count('attempt')
    """,
    """
    CREATE TRIGGER daily_run_is_counted AFTER INSERT ON daily_run
    FOR EACH ROW EXECUTE FUNCTION daily_count('run')
    """,
]
POSTGRESQL_UNDO = [
    "DROP TRIGGER daily_run_is_counted ON daily_run",
    "DROP TRIGGER daily_attempt_is_counted ON daily_attempt",
    "DROP FUNCTION daily_count()",
]

# What an insert does about a conflict is what the statements of its triggers do too, so these have none.
COUNT_ON_SQLITE = """
    CREATE TRIGGER TABLE_is_counted AFTER INSERT ON TABLE
    BEGIN
        INSERT INTO daily_turnout (challenge_id, shard, attempts, runs)
        SELECT NEW.challenge_id, NEW.player_id % 16, 0, 0 WHERE NOT EXISTS (
            SELECT 1 FROM daily_turnout WHERE challenge_id = NEW.challenge_id AND shard = NEW.player_id % 16
        );
        UPDATE daily_turnout SET COLUMN = COLUMN + 1
        WHERE challenge_id = NEW.challenge_id AND shard = NEW.player_id % 16;
    END
"""
SQLITE = [
    COUNT_ON_SQLITE.replace("TABLE", table).replace("COLUMN", column)
    for table, column in (("daily_attempt", "attempts"), ("daily_run", "runs"))
]
SQLITE_UNDO = ["DROP TRIGGER daily_run_is_counted", "DROP TRIGGER daily_attempt_is_counted"]


def count(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    run(editor, [COUNT, *(POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE)])


def stop_counting(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    run(editor, POSTGRESQL_UNDO if editor.connection.vendor == "postgresql" else SQLITE_UNDO)


def run(editor: BaseDatabaseSchemaEditor, statements: list[str]) -> None:
    with editor.connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ('daily', '0004_policies'),
    ]

    operations = [
        migrations.CreateModel(
            name='Turnout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('shard', models.PositiveSmallIntegerField()),
                ('attempts', models.PositiveIntegerField()),
                ('runs', models.PositiveIntegerField()),
                ('challenge', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='turnouts', to='daily.challenge')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('challenge', 'shard'), name='one_turnout_a_shard')],
            },
        ),
        migrations.RunPython(count, stop_counting),
    ]
