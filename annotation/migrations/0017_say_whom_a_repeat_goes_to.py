from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0016_pairs_by_texts")]

    operations = [
        migrations.AlterField(
            model_name="seat",
            name="retest_wanted",
            field=models.BooleanField(
                default=False,
                help_text="Its pair comes back, swapped, to one of those who label it.",
            ),
        ),
    ]
