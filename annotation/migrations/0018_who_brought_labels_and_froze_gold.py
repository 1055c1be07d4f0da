"""Who ran the command that froze gold, and who brought labels from outside."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0017_say_whom_a_repeat_goes_to"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="goldversion",
            name="actor",
            field=models.CharField(
                blank=True,
                help_text="Who ran the command, where no user did.",
                max_length=80,
                default="",
            ),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="LabelImport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("added", models.PositiveIntegerField()),
                (
                    "known",
                    models.PositiveIntegerField(
                        help_text="Rows that said nothing new."
                    ),
                ),
                ("imported_at", models.DateTimeField()),
                (
                    "actor",
                    models.CharField(
                        blank=True,
                        help_text="Who ran the command, where no user did.",
                        max_length=80,
                    ),
                ),
                (
                    "gold_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="label_imports",
                        to="annotation.goldset",
                    ),
                ),
                (
                    "imported_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
