"""Providers that do not answer, as the runs that wait for them know it."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from judging.models.runs import Run


class Silence(models.Model):
    """The provider of a run under way does not answer; all its runners wait.

    ``since`` is when that was noticed, ``try_at`` when somebody looks again, after
    ``looks`` looks in vain. One that was not renewed for long is as good as none.
    """

    guard: ClassVar[str] = "mutable"

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="silence")
    since = models.DateTimeField()
    try_at = models.DateTimeField()
    looks = models.PositiveIntegerField()
    detail = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"silence of the provider of run {self.run_id}"
