"""Which files labels came from; and an import for labels from before these were noted.

What an auditor gets shows for each label from outside by which import it came. Of those
that came before imports were noted only their moment is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations, models
from django.db.models import Count, F

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

UNKNOWN = "unknown: before imports were noted"


def note_earlier_imports(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    label = apps.get_model("annotation", "Label")
    note = apps.get_model("annotation", "LabelImport")
    noted = set(note.objects.values_list("gold_set_id", "imported_at"))
    moments = (
        label.objects.filter(seat__isnull=True)
        .order_by()
        .values(gold_set=F("pair__gold_set_id"), at=F("created_at"))
        .annotate(added=Count("pk"))
        .order_by("at", "gold_set")
    )
    note.objects.bulk_create(
        note(
            gold_set_id=row["gold_set"],
            added=row["added"],
            known=0,
            imported_at=row["at"],
            actor=UNKNOWN,
        )
        for row in moments
        if (row["gold_set"], row["at"]) not in noted
    )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0018_who_brought_labels_and_froze_gold")]

    operations = [
        migrations.AddField(
            model_name="labelimport",
            name="files",
            field=models.JSONField(
                default=list,
                help_text='[{"name": "...", "sha256": "..."}], where it was noted.',
            ),
        ),
        # Rows are only ever added: on the way back they stay.
        migrations.RunPython(note_earlier_imports, migrations.RunPython.noop),
    ]
