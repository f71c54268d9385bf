"""One policy a weekday: deals that can be cleared, medium on Monday and harder each day until Sunday.

The ranges are shares of the clear that a plain player reaches. Of random deals 68 % can be cleared; 15 % can and
are within Monday's range, 6 % within Sunday's.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

RANGES = [(0.80, 0.90), (0.77, 0.87), (0.74, 0.84), (0.71, 0.81), (0.68, 0.78), (0.62, 0.74), (0.45, 0.65)]


def make_policies(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    policy = apps.get_model("daily", "Policy")
    policies = [
        policy(weekday=weekday, rules="endless", min_best_clear=28, min_difficulty=low, max_difficulty=high)
        for weekday, (low, high) in enumerate(RANGES)
    ]
    policy.objects.bulk_create(policies, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("daily", "0003_guard_runs")]
    operations = [migrations.RunPython(make_policies, migrations.RunPython.noop)]
