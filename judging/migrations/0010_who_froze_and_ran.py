"""Who ran the command that froze a judge or started a run."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0009_silences")]

    operations = [
        migrations.AddField(
            model_name="judgeconfig",
            name="actor",
            field=models.CharField(
                blank=True,
                help_text="Who ran the command, where no user did.",
                max_length=80,
                default="",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="run",
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
