"""Swapped diagnostic panels: the part of a release that is judged."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from judging.models import Run


class SwapPanel(models.Model):
    """How the pairs of a release run were drawn, where it does not judge all.

    The run's calls are the panel; the same seed over the same pairs draws it again.
    """

    guard: ClassVar[str] = "append_only"

    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="swap_panel")
    share = models.FloatField()
    seed = models.CharField(max_length=64)
    slices = models.JSONField(help_text="Keys of slices that it is in proportion to.")
    drawn = models.PositiveIntegerField(help_text="Pairs in it.")
    pairs = models.PositiveIntegerField(help_text="Pairs of the set at the time.")
    drawn_at = models.DateTimeField()
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="swap_panel_share_up_to_1",
                condition=models.Q(share__gt=0, share__lte=1),
            ),
            models.CheckConstraint(
                name="swap_panel_has_a_seed", condition=~models.Q(seed="")
            ),
        ]

    def __str__(self) -> str:
        return f"panel of run {self.run_id}"
