import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0008_runner_shares")]

    operations = [
        migrations.CreateModel(
            name="Silence",
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
                ("since", models.DateTimeField()),
                ("try_at", models.DateTimeField()),
                ("looks", models.PositiveIntegerField()),
                ("detail", models.TextField(blank=True)),
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="silence",
                        to="judging.run",
                    ),
                ),
            ],
        ),
    ]
