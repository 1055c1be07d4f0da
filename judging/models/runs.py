"""Runs of a frozen judge over pairs, and the calls they consist of."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from annotation.domain.outcomes import Order
from annotation.models import GoldSet, Pair
from judging.models.configs import JudgeConfig


class RunStatus(models.TextChoices):
    """Where a run stands."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Run(models.Model):
    """One frozen judge over one set of pairs, in both orders, r repeats."""

    guard: ClassVar[str] = "mutable"

    config = models.ForeignKey(
        JudgeConfig, on_delete=models.PROTECT, related_name="runs"
    )
    gold_set = models.ForeignKey(GoldSet, on_delete=models.PROTECT, related_name="runs")
    status = models.CharField(
        max_length=10, choices=RunStatus.choices, default=RunStatus.PENDING
    )
    concurrency = models.PositiveSmallIntegerField(default=8)
    failure = models.TextField(blank=True)
    notices = models.JSONField(default=list, blank=True)
    source_digest = models.CharField(
        max_length=64, blank=True, help_text="Of the file that verdicts came from."
    )
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="run_status_known",
                condition=models.Q(status__in=RunStatus.values),
            ),
            models.CheckConstraint(
                name="run_concurrency_positive",
                condition=models.Q(concurrency__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"


class CallState(models.TextChoices):
    """Where a call stands; a claim whose lease ran out counts as pending."""

    PENDING = "pending"
    CLAIMED = "claimed"
    DONE = "done"


class CallQuerySet(models.QuerySet["Call"]):
    """What the runner and the pages ask of calls."""

    def unanswered(self) -> Self:
        """Calls that still lack their one answer."""
        return self.exclude(state=CallState.DONE)


class Call(models.Model):
    """One (run, pair, order, repeat): exactly one answer kept, every attempt too."""

    guard: ClassVar[str] = "mutable"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="calls")
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="calls")
    order = models.CharField(max_length=20, choices=[(o.value, o.value) for o in Order])
    repeat = models.PositiveSmallIntegerField()
    state = models.CharField(
        max_length=10, choices=CallState.choices, default=CallState.PENDING
    )
    owner = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)

    objects = CallQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "pair", "order", "repeat"], name="call_once"
            ),
            models.CheckConstraint(
                name="call_claimed_has_owner_and_lease",
                condition=models.Q(
                    state="claimed", owner__isnull=False, lease_until__isnull=False
                )
                | models.Q(
                    state__in=["pending", "done"],
                    owner__isnull=True,
                    lease_until__isnull=True,
                ),
            ),
            models.CheckConstraint(
                name="call_order_known",
                condition=models.Q(order__in=[o.value for o in Order]),
            ),
            models.CheckConstraint(
                name="call_repeat_from_1", condition=models.Q(repeat__gte=1)
            ),
        ]
        indexes = [
            models.Index(
                fields=["run", "id"],
                condition=~models.Q(state="done"),
                name="call_open_by_run",
            )
        ]

    def __str__(self) -> str:
        return f"call {self.pk}"
