"""Audit bundles that were handed out, each with the digest of its manifest."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class AuditExport(models.Model):
    """One bundle: who took it, when, of what, and what its manifest's digest was.

    Whoever holds a bundle compares this digest with it: bundle and manifest could be
    forged together, this row can't be changed.
    """

    guard: ClassVar[str] = "append_only"

    scope = models.JSONField(help_text="As it stands in the manifest.")
    left_out = models.JSONField(default=list, help_text="What is not in it, in words.")
    manifest_digest = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField(help_text="Bytes of the zip.")
    rows = models.PositiveBigIntegerField(help_text="Rows of all its tables.")
    exported_at = models.DateTimeField()
    exported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )
    door = models.CharField(max_length=20)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"audit export {self.pk}"
