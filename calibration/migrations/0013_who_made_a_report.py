"""Who ran the command that made a report."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("calibration", "0012_waiver_systems")]

    operations = [
        migrations.AddField(
            model_name="report",
            name="actor",
            field=models.CharField(
                blank=True,
                help_text="Who ran the command, where no user did.",
                max_length=80,
                default="",
            ),
            preserve_default=False,
        ),
    ]
