from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Room for a digest of each pair's texts, whatever they are called."""

    dependencies = [("annotation", "0013_system_family")]

    operations = [
        migrations.AddField(
            model_name="pair",
            name="texts_digest",
            field=models.CharField(max_length=64, null=True),
        )
    ]
