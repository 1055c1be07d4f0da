"""A waiver names the baseline and the candidate that it is for."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Older rows keep null: they count only where a set compares two systems."""

    dependencies = [("calibration", "0011_invalid_and_acknowledged")]

    operations = [
        migrations.AddField(
            model_name="waiver",
            name="systems",
            field=models.JSONField(
                help_text="Baseline and candidate that it is for. Older ones name "
                "none, and count where the set compares no others.",
                null=True,
            ),
        ),
    ]
