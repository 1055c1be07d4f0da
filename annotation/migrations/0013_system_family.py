from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Let a system name the family of its model, for self-preference."""

    dependencies = [("annotation", "0012_fewer_indexes")]

    operations = [
        migrations.AddField(
            model_name="system",
            name="family",
            field=models.CharField(
                blank=True,
                default="",
                help_text="How names of models of its maker begin: gpt, claude.",
                max_length=120,
            ),
            preserve_default=False,
        )
    ]
