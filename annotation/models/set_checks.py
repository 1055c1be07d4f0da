"""What the checks of a gold set found, and pairs that are kept out of rounds."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.cases import Pair
from annotation.models.gold_sets import GoldSet


class SetCheck(models.Model):
    """One run of all checks over a set as it was then."""

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="set_checks"
    )
    cases = models.PositiveIntegerField()
    content = models.JSONField()
    splits_digest = models.CharField(max_length=64)
    checked_at = models.DateTimeField()
    checked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["gold_set", "pk"]

    def __str__(self) -> str:
        return f"check {self.pk} of {self.gold_set.name}"


class SetAsideQuerySet(models.QuerySet["SetAside"]):
    """What services ask of pairs that were set aside."""

    def in_force(self) -> Self:
        """Those that were not taken back."""
        return self.filter(lifted_at__isnull=True)


class SetAside(models.Model):
    """A pair that no new round takes, and why. Labels that it has stay."""

    guard: ClassVar[str] = "append_only_except:lifted_at,lifted_by"
    leaves_out_repeats: ClassVar[bool] = True

    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="set_aside")
    reason = models.CharField(max_length=40, help_text="The check that found it.")
    note = models.TextField(blank=True)
    set_aside_at = models.DateTimeField()
    set_aside_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )

    objects = SetAsideQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair"],
                condition=Q(lifted_at__isnull=True),
                name="set_aside_once_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"pair {self.pair_id} set aside"
