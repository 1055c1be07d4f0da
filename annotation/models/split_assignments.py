"""How the cases of a set came into their splits, each time it was done."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.models.gold_sets import GoldSet


class SplitAssignment(models.Model):
    """One run of the split rule: what it was asked for, its seed, and the counts."""

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="split_assignments"
    )
    seed = models.CharField(max_length=64)
    held_out_share = models.FloatField()
    slices = models.JSONField(default=list, blank=True)
    by_class = models.BooleanField(default=False)
    join_near_duplicates = models.BooleanField(default=False)
    reassigned = models.BooleanField(default=False)
    moved = models.PositiveIntegerField(help_text="Cases whose split changed.")
    dev = models.PositiveIntegerField()
    held_out = models.PositiveIntegerField()
    strata = models.JSONField(default=list)
    digest = models.CharField(max_length=64, help_text="Of every case's split.")
    assigned_at = models.DateTimeField()
    assigned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["gold_set", "pk"]
        constraints = [
            models.CheckConstraint(
                name="split_share_between_0_and_1",
                condition=models.Q(held_out_share__gt=0, held_out_share__lt=1),
            )
        ]

    def __str__(self) -> str:
        return f"split {self.digest[:12]} of {self.gold_set.name}"
