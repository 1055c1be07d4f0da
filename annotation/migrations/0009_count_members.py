from django.db import migrations
from django.db.models import Count, Q


def count_labels(apps, schema_editor):
    """Fill in what members labelled and saw last before these columns were there."""
    member = apps.get_model("annotation", "RoundMember")
    label = apps.get_model("annotation", "Label")
    assignment = apps.get_model("annotation", "Assignment")
    for row in member.objects.all():
        given = label.objects.filter(
            seat__round_id=row.round_id, reviewer_id=row.reviewer_id, revision=1
        ).aggregate(
            baseline=Count("pk", filter=Q(order="baseline_first")),
            candidate=Count("pk", filter=Q(order="candidate_first")),
        )
        shown = assignment.objects.filter(
            round_id=row.round_id, reviewer_id=row.reviewer_id
        ).order_by("-claimed_at", "-pk")
        member.objects.filter(pk=row.pk).update(
            baseline_first=given["baseline"],
            candidate_first=given["candidate"],
            last_case_id=shown.values_list("pair__case_id", flat=True).first(),
        )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0008_member_counts")]

    operations = [migrations.RunPython(count_labels, migrations.RunPython.noop)]
