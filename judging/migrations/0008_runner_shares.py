import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0007_simulations")]

    operations = [
        migrations.CreateModel(
            name="RunnerShare",
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
                ("owner", models.UUIDField()),
                ("places", models.PositiveSmallIntegerField()),
                ("lease_until", models.DateTimeField()),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shares",
                        to="judging.run",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            model_name="runnershare",
            constraint=models.UniqueConstraint(
                fields=("run", "owner"), name="runner_share_once"
            ),
        ),
    ]
