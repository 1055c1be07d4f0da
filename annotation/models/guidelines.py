"""Versioned texts that people label by; a new wording is a new row."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef

from annotation.models.gold_sets import GoldSet


class GuidelineQuerySet(models.QuerySet["Guideline"]):
    """What pages and services ask of guidelines."""

    def in_force(self, gold_set_id: int) -> Guideline | None:
        """The newest version of a set's guideline, if it has one."""
        return self.filter(gold_set_id=gold_set_id).order_by("-version").first()

    def latest_seen_first(self, gold_set_id: int, user_id: int) -> Self:
        """Versions of a set: those that a person was shown, newest first; the rest."""
        seen = GuidelineSeen.objects.filter(user=user_id, guideline=OuterRef("pk"))
        versions = self.filter(gold_set_id=gold_set_id).annotate(seen=Exists(seen))
        return versions.order_by("-seen", "-version")


class Guideline(models.Model):
    """One version of a gold set's labelling guideline, in Markdown."""

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="guidelines"
    )
    version = models.PositiveIntegerField()
    text = models.TextField()
    criteria = models.JSONField(
        default=list,
        blank=True,
        help_text='Asked one by one: [{"code": "...", "label": "..."}].',
    )
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


class GuidelineSeen(models.Model):
    """A person was shown a version of a guideline, or what changed in it."""

    guard: ClassVar[str] = "append_only"
    leaves_out_repeats: ClassVar[bool] = True

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    guideline = models.ForeignKey(
        Guideline, on_delete=models.PROTECT, related_name="seen_by"
    )
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "guideline"], name="guideline_seen_once"
            )
        ]

    def __str__(self) -> str:
        return f"guideline {self.guideline_id} seen"
