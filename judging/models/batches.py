"""Runs that are carried out in batches, and the batches that a provider was given."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models
from django.db.models import Q

from judging.models.runs import Run

if TYPE_CHECKING:
    from datetime import datetime


class BatchPlan(models.Model):
    """A run whose calls are sent in batches, not one by one."""

    guard: ClassVar[str] = "append_only"

    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="batch_plan")
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"batches of run {self.run_id}"


class BatchState(models.TextChoices):
    """How far a batch is on our side; the provider's own word is kept beside it.

    A batch being submitted may exist at the provider without our having heard of it.
    """

    FILLING = "filling"
    SUBMITTING = "submitting"
    SUBMITTED = "submitted"
    ENDED = "ended"


class BatchQuerySet(models.QuerySet["Batch"]):
    """What the runner and the pages ask of batches."""

    def open(self) -> Self:
        """Batches whose replies have not all been stored."""
        return self.exclude(state=BatchState.ENDED)

    def due(self, now: datetime) -> Self:
        """Open batches that somebody should look after, and nobody does."""
        undriven = Q(driver_until__isnull=True) | Q(driver_until__lt=now)
        return self.open().filter(undriven, look_after__lte=now)


class Batch(models.Model):
    """Calls of one run that were, or are to be, sent as one file.

    ``key`` owns the calls while the batch is open, and is what the provider is given as
    metadata, so that a batch whose number was lost in a crash is found again.
    """

    guard: ClassVar[str] = "mutable"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="batches")
    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    state = models.CharField(
        max_length=12, choices=BatchState.choices, default=BatchState.FILLING
    )
    provider_id = models.CharField(max_length=200, blank=True)
    input_file_id = models.CharField(max_length=200, blank=True)
    provider_status = models.CharField(max_length=40, blank=True)
    detail = models.TextField(blank=True)
    requests = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0, help_text="Bytes of its file.")
    answered = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    unsent = models.PositiveIntegerField(
        default=0, help_text="Requests that the provider did not carry out."
    )
    too_many = models.BooleanField(
        default=False, help_text="The provider's queue has no room for so many."
    )
    created_at = models.DateTimeField()
    submitting_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    look_after = models.DateTimeField(help_text="When somebody should look again.")
    troubles = models.PositiveSmallIntegerField(
        default=0, help_text="Requests about it that failed, one after the other."
    )
    driver = models.UUIDField(null=True, blank=True)
    driver_until = models.DateTimeField(null=True, blank=True)

    objects = BatchQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="batch_state_known",
                condition=Q(state__in=BatchState.values),
            ),
            models.CheckConstraint(
                name="batch_submitted_is_named",
                condition=~Q(state="submitted") | ~Q(provider_id=""),
            ),
            models.CheckConstraint(
                name="batch_submitting_says_when",
                condition=Q(state="filling") | Q(submitting_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                fields=["run", "look_after"],
                condition=~Q(state="ended"),
                name="batch_open_by_run",
            )
        ]

    def __str__(self) -> str:
        return f"batch {self.pk}"

    @property
    def stands(self) -> str:
        """How it stands, in the provider's words once it was sent."""
        if self.state in {BatchState.FILLING, BatchState.SUBMITTING}:
            return str(self.get_state_display()).lower()
        return self.provider_status.replace("_", " ") or "not sent"
