import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0006_splits_checks_and_set_aside"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # A hold lasts minutes; it is made anew, under its hearing.
        migrations.DeleteModel(name="RulingHold"),
        migrations.CreateModel(
            name="Hearing",
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
                (
                    "token",
                    models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
                ),
                (
                    "order",
                    models.CharField(
                        choices=[
                            ("baseline_first", "baseline_first"),
                            ("candidate_first", "candidate_first"),
                        ],
                        max_length=20,
                    ),
                ),
                ("after", models.CharField(blank=True, max_length=64)),
                ("opened_at", models.DateTimeField()),
                (
                    "first_outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("baseline", "baseline"),
                            ("candidate", "candidate"),
                            ("tie", "tie"),
                            ("abstain", "abstain"),
                        ],
                        max_length=10,
                    ),
                ),
                ("first_at", models.DateTimeField(blank=True, null=True)),
                ("revealed_at", models.DateTimeField(blank=True, null=True)),
                ("given_back_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="exposure",
            name="exposure_kind_known",
        ),
        migrations.AlterField(
            model_name="adjudication",
            name="category",
            field=models.CharField(
                help_text="One of all sets' categories, or of the set's own.",
                max_length=40,
            ),
        ),
        migrations.AlterField(
            model_name="exposure",
            name="kind",
            field=models.CharField(
                choices=[
                    ("labels", "Labels"),
                    ("ruling", "Ruling"),
                    ("systems", "Systems"),
                    ("verdicts", "Verdicts"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="exposure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["labels", "ruling", "systems", "verdicts"])
                ),
                name="exposure_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="hearing",
            name="adjudicator",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="hearings",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="hearing",
            name="pair",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="hearings",
                to="annotation.pair",
            ),
        ),
        migrations.AddField(
            model_name="adjudication",
            name="hearing",
            field=models.OneToOneField(
                blank=True,
                help_text="Where it was made, so in which order; none if from a file.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="ruling",
                to="annotation.hearing",
            ),
        ),
        migrations.CreateModel(
            name="RulingHold",
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
                ("held_until", models.DateTimeField()),
                (
                    "adjudicator",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hold",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "hearing",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hold",
                        to="annotation.hearing",
                    ),
                ),
                (
                    "pair",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hold",
                        to="annotation.pair",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.CheckConstraint(
                condition=models.Q(("category", ""), _negated=True),
                name="adjudication_has_category",
            ),
        ),
        migrations.AddConstraint(
            model_name="hearing",
            constraint=models.UniqueConstraint(
                fields=("adjudicator", "pair", "after"), name="hearing_once_a_link"
            ),
        ),
        migrations.AddConstraint(
            model_name="hearing",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("order__in", ["baseline_first", "candidate_first"])
                ),
                name="hearing_order_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="hearing",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("first_at__isnull", True), ("first_outcome", "")),
                    models.Q(
                        ("first_at__isnull", False),
                        (
                            "first_outcome__in",
                            ["baseline", "candidate", "tie", "abstain"],
                        ),
                    ),
                    _connector="OR",
                ),
                name="hearing_first_outcome_has_time",
            ),
        ),
    ]
