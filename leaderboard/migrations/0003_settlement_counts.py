from django.db import migrations, models

COUNT = """
    UPDATE leaderboard_settlement SET
        attempts = (SELECT COUNT(*) FROM daily_attempt a WHERE a.challenge_id = leaderboard_settlement.challenge_id),
        runs = (SELECT COUNT(*) FROM daily_run r WHERE r.challenge_id = leaderboard_settlement.challenge_id)
"""


class Migration(migrations.Migration):

    dependencies = [
        ("leaderboard", "0002_expulsion"),
    ]

    operations = [
        migrations.AddField(
            model_name="settlement",
            name="attempts",
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="settlement",
            name="runs",
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]
