"""Frozen snapshots of gold: every pair, its outcome, and where that came from."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Outcome, Split
from annotation.domain.rulings import GoldSource
from annotation.models.cases import Pair
from annotation.models.gold_sets import GoldSet


class GoldVersion(models.Model):
    """A snapshot made in one transaction; nothing of it changes afterwards."""

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="versions"
    )
    number = models.PositiveIntegerField()
    rule = models.CharField(
        max_length=40, choices=[(r.value, r.value) for r in ConsensusRule]
    )
    digest = models.CharField(max_length=64)
    pairs = models.PositiveIntegerField()
    left_open = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )

    class Meta:
        ordering = ["gold_set", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["gold_set", "number"], name="gold_version_number_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.gold_set.name} v{self.number}"


class GoldItem(models.Model):
    """One pair of a gold version. No outcome means: no gold yet, never a tie."""

    guard: ClassVar[str] = "append_only"

    version = models.ForeignKey(
        GoldVersion, on_delete=models.PROTECT, related_name="items"
    )
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="+")
    split = models.CharField(
        max_length=10, blank=True, choices=[(s.value, s.value) for s in Split]
    )
    outcome = models.CharField(
        max_length=10, blank=True, choices=[(o.value, o.value) for o in Outcome]
    )
    source = models.CharField(
        max_length=12, choices=[(s.value, s.value) for s in GoldSource]
    )
    open_reason = models.CharField(max_length=40, blank=True)
    labels = models.JSONField(default=list)
    ruling_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version", "pair"], name="gold_item_once_a_version"
            ),
            models.CheckConstraint(
                name="gold_item_open_has_no_outcome",
                condition=models.Q(source="none", outcome="")
                | (
                    ~models.Q(source="none")
                    & models.Q(outcome__in=[o.value for o in Outcome])
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"gold of pair {self.pair_id}"
