"""How many calls each runner of a run may have in flight."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from judging.models.runs import Run


class RunnerShare(models.Model):
    """A living runner's part of a run's calls in flight; all parts fit into the whole.

    A lease that ran out is as good as none.
    """

    guard: ClassVar[str] = "mutable"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="shares")
    owner = models.UUIDField()
    places = models.PositiveSmallIntegerField()
    lease_until = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "owner"], name="runner_share_once"),
        ]

    def __str__(self) -> str:
        return f"{self.places} places of run {self.run_id}"
