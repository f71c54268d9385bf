from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("leaderboard", "0003_settlement_counts"),
    ]

    operations = [
        migrations.RemoveField(model_name="settlement", name="attempts"),
        migrations.RemoveField(model_name="settlement", name="runs"),
    ]
