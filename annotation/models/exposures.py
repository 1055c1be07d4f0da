"""Who has seen what about which pair; whoever has is never assigned that pair."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from annotation.models.cases import Pair


class ExposureKind(models.TextChoices):
    """What was seen.

    ``ruling``: the anonymous labels, in order to rule on the pair. Like the others it
    keeps the person from labelling the pair; unlike them not from ruling on it again.
    """

    LABELS = "labels"
    RULING = "ruling"
    SYSTEMS = "systems"
    VERDICTS = "verdicts"


class ExposureQuerySet(models.QuerySet["Exposure"]):
    """What services ask of exposures."""

    def of(self, user_id: int, pair_column: str) -> Self:
        """A subquery: has this person seen the pair that the outer row names?"""
        return self.filter(user_id=user_id, pair_id=models.OuterRef(pair_column))


class Exposure(models.Model):
    """One person saw one thing about one pair; the first time is the one kept."""

    guard: ClassVar[str] = "append_only"
    leaves_out_repeats: ClassVar[bool] = True

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="exposures"
    )
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="exposures")
    kind = models.CharField(max_length=10, choices=ExposureKind.choices)
    seen_at = models.DateTimeField()

    objects = ExposureQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "pair", "kind"], name="exposure_once"
            ),
            models.CheckConstraint(
                name="exposure_kind_known",
                condition=models.Q(kind__in=ExposureKind.values),
            ),
        ]

    def __str__(self) -> str:
        return f"exposure {self.pk}"
