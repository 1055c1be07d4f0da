from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_hearings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="roundmember",
            name="removed_at",
            field=models.DateTimeField(
                blank=True, help_text="Their labels stay.", null=True
            ),
        ),
        migrations.AddField(
            model_name="roundmember",
            name="baseline_first",
            field=models.PositiveIntegerField(
                default=0,
                help_text="Labels given with the baseline in the first slot.",
            ),
        ),
        migrations.AddField(
            model_name="roundmember",
            name="candidate_first",
            field=models.PositiveIntegerField(
                default=0,
                help_text="Labels given with the candidate in the first slot.",
            ),
        ),
        migrations.AddField(
            model_name="roundmember",
            name="retests",
            field=models.PositiveIntegerField(
                default=0, help_text="Labels among them that were planned repeats."
            ),
        ),
        migrations.AddField(
            model_name="roundmember",
            name="last_case",
            field=models.ForeignKey(
                db_index=False,
                help_text="Of the pair they were shown last.",
                null=True,
                on_delete=models.deletion.PROTECT,
                related_name="+",
                to="annotation.case",
            ),
        ),
        migrations.AddField(
            model_name="roundmember",
            name="exhausted",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="Bits: passes and orders with nothing left for them.",
            ),
        ),
        migrations.AddField(
            model_name="roundmember",
            name="waiting",
            field=models.PositiveIntegerField(
                default=0,
                help_text="Pairs that waited for them when this was counted.",
            ),
        ),
        migrations.AddField(
            model_name="roundmember",
            name="waiting_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
