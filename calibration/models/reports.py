"""Calibration reports, stored as the bytes their digest was taken of."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.models import GoldVersion
from judging.models import Run


class Report(models.Model):
    """What one run came to against one gold version. The same inputs, the same row."""

    guard: ClassVar[str] = "append_only"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="reports")
    gold_version = models.ForeignKey(
        GoldVersion, on_delete=models.PROTECT, related_name="reports"
    )
    payload = models.TextField(help_text="Canonical JSON, schema evenhand.report/1.")
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "gold_version", "digest"], name="report_once"
            )
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"
