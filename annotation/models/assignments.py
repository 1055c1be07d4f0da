"""What one reviewer was shown: the only thing whose id a reviewer ever sees."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.domain.outcomes import Order
from annotation.models.cases import Pair
from annotation.models.rounds import Round, Seat


class Assignment(models.Model):
    """One claim of a seat by one reviewer, under an opaque token.

    The order is copied from the seat, so that a late answer is always mapped through
    the order that was on the screen.
    """

    guard: ClassVar[str] = "append_only_except:ended_at"
    # Whether it was claimed just now, and a draft of the same reviewer came with it.
    brings_draft: bool = False

    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    round = models.ForeignKey(  # the index by time begins with it
        Round, on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="assignments")
    pair = models.ForeignKey(
        Pair, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments"
    )
    order = models.CharField(max_length=20, choices=[(o.value, o.value) for o in Order])
    claimed_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    same_case_again = models.BooleanField(
        default=False, help_text="Nothing but the case shown just before was left."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "reviewer"],
                condition=models.Q(ended_at__isnull=True),
                name="assignment_one_open_each",
            ),
            models.CheckConstraint(
                name="assignment_order_known",
                condition=models.Q(order__in=[o.value for o in Order]),
            ),
        ]
        indexes = [
            models.Index(
                fields=["round", "reviewer", "-claimed_at"], name="assignment_latest"
            )
        ]

    def __str__(self) -> str:
        return f"assignment {self.token}"


class Draft(models.Model):
    """What a reviewer has chosen and typed, and not submitted yet."""

    guard: ClassVar[str] = "mutable"

    assignment = models.OneToOneField(
        Assignment, on_delete=models.PROTECT, related_name="draft"
    )
    content = models.JSONField(default=dict)
    active_seconds = models.FloatField(default=0)
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft of {self.assignment_id}"
