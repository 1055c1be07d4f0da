"""Release policies: drafts that freeze under a digest, before the run they decide."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models


class PolicyQuerySet(models.QuerySet["Policy"]):
    """What pages and services ask of policies."""

    def frozen(self) -> Self:
        """Policies that can decide."""
        return self.filter(frozen_at__isnull=False)

    def for_pages(self) -> Self:
        """Newest first, with whom a list names."""
        return self.select_related("created_by", "frozen_by").order_by("-pk")


class Policy(models.Model):
    """A release rule, written before the run. ``document`` is as it was given."""

    guard: ClassVar[str] = "frozen_when:frozen_at"

    name = models.SlugField(max_length=80)
    version = models.PositiveIntegerField()
    document = models.JSONField()
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )
    digest = models.CharField(max_length=64, blank=True)

    objects = PolicyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "policies"
        constraints = [
            models.UniqueConstraint(
                fields=["name", "version"], name="policy_version_once"
            ),
            models.CheckConstraint(
                name="policy_frozen_has_digest",
                condition=models.Q(frozen_at__isnull=True, digest="")
                | (models.Q(frozen_at__isnull=False) & ~models.Q(digest="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def label(self) -> str:
        """What it calls itself."""
        held = self.document
        return str(held.get("policyLabel", "")) if isinstance(held, dict) else ""
