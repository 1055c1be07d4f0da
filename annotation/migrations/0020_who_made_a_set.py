"""Who ran the command that made a gold set."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0019_say_which_files_labels_came_from")]

    operations = [
        migrations.AddField(
            model_name="goldset",
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
