"""Rulings on disputed pairs, each a link of an append-only chain."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory
from annotation.models.cases import Pair
from annotation.models.guidelines import Guideline


class Adjudication(models.Model):
    """A person's ruling on a pair; the newest link is the one in force."""

    guard: ClassVar[str] = "append_only"

    pair = models.ForeignKey(
        Pair, on_delete=models.PROTECT, related_name="adjudications"
    )
    sequence = models.PositiveIntegerField()
    adjudicator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rulings"
    )
    outcome = models.CharField(
        max_length=10, choices=[(o.value, o.value) for o in Outcome]
    )
    category = models.CharField(
        max_length=40, choices=[(c.value, c.value) for c in RulingCategory]
    )
    note = models.TextField()
    after_judge = models.BooleanField(default=False)
    guideline = models.ForeignKey(
        Guideline, on_delete=models.PROTECT, null=True, related_name="+"
    )
    previous_digest = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pair", "sequence"]
        constraints = [
            models.UniqueConstraint(
                fields=["pair", "sequence"], name="adjudication_link_once"
            ),
            models.CheckConstraint(
                name="adjudication_has_note", condition=~models.Q(note="")
            ),
            models.CheckConstraint(
                name="adjudication_first_link_has_no_previous",
                condition=models.Q(sequence=1, previous_digest="")
                | (models.Q(sequence__gt=1) & ~models.Q(previous_digest="")),
            ),
            models.CheckConstraint(
                name="adjudication_outcome_known",
                condition=models.Q(outcome__in=[o.value for o in Outcome]),
            ),
        ]

    def __str__(self) -> str:
        return f"ruling {self.sequence} on pair {self.pair_id}"
