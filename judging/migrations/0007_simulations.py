import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q
from django.utils import timezone

from judging.domain.simulated import FINGERPRINT, SERVED_MODEL


def note(apps, schema_editor):
    """Note judges frozen with a provider marked so, and those whose replies say it.

    The latter from now on only: earlier reports did not know it.
    """
    judges = apps.get_model("judging", "JudgeConfig").objects.filter(
        frozen_at__isnull=False
    )
    simulation = apps.get_model("judging", "Simulation")
    found = dict(
        judges.filter(provider__simulated=True).values_list("pk", F("frozen_at"))
    )
    said = apps.get_model("judging", "Reply").objects.filter(
        Q(served_model=SERVED_MODEL) | Q(fingerprint=FINGERPRINT)
    )
    now = timezone.now()
    for judge in said.values_list("call__run__config", flat=True).distinct():
        found.setdefault(judge, now)
    known = {}
    for judge in judges.filter(pk__in=list(found)):
        known[judge.digest] = min(found[judge.pk], known.get(judge.digest, now))
    for panel in judges.filter(kind="panel"):
        since = [known[each] for each in panel.spec["members"] if each in known]
        if since:
            found.setdefault(panel.pk, max(min(since), panel.frozen_at))
    simulation.objects.bulk_create(
        simulation(config_id=judge, noted_at=at) for judge, at in sorted(found.items())
    )


class Migration(migrations.Migration):
    dependencies = [("judging", "0006_more_reasons_of_invalid")]

    operations = [
        migrations.CreateModel(
            name="Simulation",
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
                ("noted_at", models.DateTimeField()),
                (
                    "config",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="simulation",
                        to="judging.judgeconfig",
                    ),
                ),
            ],
        ),
        migrations.RunPython(note, migrations.RunPython.noop, elidable=False),
    ]
