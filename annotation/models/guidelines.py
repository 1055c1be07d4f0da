"""Versioned texts that people label by; a new wording is a new row."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.models.gold_sets import GoldSet


class GuidelineQuerySet(models.QuerySet["Guideline"]):
    """What pages and services ask of guidelines."""

    def in_force(self, gold_set_id: int) -> Guideline | None:
        """The newest version of a set's guideline, if it has one."""
        return self.filter(gold_set_id=gold_set_id).order_by("-version").first()


class Guideline(models.Model):
    """One version of a gold set's labelling guideline, in Markdown."""

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="guidelines"
    )
    version = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
    )

    objects = GuidelineQuerySet.as_manager()

    class Meta:
        ordering = ["gold_set", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["gold_set", "version"], name="guideline_version_once_a_set"
            )
        ]

    def __str__(self) -> str:
        return f"{self.gold_set.name} guideline {self.version}"
