"""How a set's held-out results may be looked at: fixed before the first look."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from annotation.models.gold_sets import GoldSet


class LookMode(models.TextChoices):
    """``open`` shows all numbers; ``sealed`` one word for all limits together."""

    OPEN = "open"
    SEALED = "sealed"


class LookPlanQuerySet(models.QuerySet["LookPlan"]):
    """What services ask of plans."""

    def in_force(self) -> Self:
        """The newest plan of each set."""
        newest = self.model.objects.filter(gold_set=models.OuterRef("gold_set"))
        last = newest.order_by("-sequence").values("pk")[:1]
        return self.filter(pk=models.Subquery(last))

    def sealing(self) -> Self:
        """The plans by which held-out results are sealed now."""
        return self.in_force().filter(
            mode=LookMode.SEALED, gold_set__unsealing__isnull=True
        )


class LookPlan(models.Model):
    """One plan of a set; until the first look a newer one takes its place.

    ``limits`` are what a judge has to keep in a sealed set, by name.
    """

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="look_plans"
    )
    sequence = models.PositiveIntegerField()
    mode = models.CharField(max_length=10, choices=LookMode.choices)
    budget = models.PositiveSmallIntegerField()
    limits = models.JSONField(default=dict)
    planned_at = models.DateTimeField()
    planned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    objects = LookPlanQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["gold_set", "sequence"], name="look_plan_number_once"
            ),
            models.CheckConstraint(
                name="look_plan_mode_known",
                condition=models.Q(mode__in=LookMode.values),
            ),
            models.CheckConstraint(
                name="look_plan_allows_a_look", condition=models.Q(budget__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"plan {self.sequence} of looks at {self.gold_set.name}"


class Unsealing(models.Model):
    """The end of a seal: everything is shown, and the held-out split is used up."""

    guard: ClassVar[str] = "append_only"

    gold_set = models.OneToOneField(
        GoldSet, on_delete=models.PROTECT, related_name="unsealing"
    )
    reason = models.TextField()
    unsealed_at = models.DateTimeField()
    unsealed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"unsealing of {self.gold_set.name}"
