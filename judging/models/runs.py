"""Runs of a frozen judge over pairs, and the calls they consist of."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from annotation.models import GoldSet
from judging.models.configs import JudgeConfig


class RunStatus(models.TextChoices):
    """Where a run stands; a stopped run stays as it is, the others can be resumed."""

    PENDING = "pending"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


class RunPurpose(models.TextChoices):
    """What a run is for; see DESIGN rule 22 for what may copy earlier replies."""

    CALIBRATION = "calibration"
    NOISE = "noise"
    SENTINEL = "sentinel"
    STABILITY = "stability"
    RELEASE = "release"


NEVER_REUSE = (RunPurpose.NOISE, RunPurpose.SENTINEL, RunPurpose.STABILITY)


class RunQuerySet(models.QuerySet["Run"]):
    """What the pages, the API and the workers ask of runs."""

    def open(self) -> Self:
        """Runs that somebody works on or may take up by himself."""
        return self.filter(status__in=[RunStatus.PENDING, RunStatus.RUNNING])

    def resumable(self) -> Self:
        """Runs that lack answers and can go on when somebody says so."""
        return self.exclude(status__in=[RunStatus.DONE, RunStatus.STOPPED])

    def representative(self) -> Self:
        """Runs that stand for their judge: a sentinel's are over a few pairs each."""
        return self.exclude(purpose=RunPurpose.SENTINEL)

    def with_budget(self) -> Self:
        """Runs whose calls, tokens or money are limited."""
        return self.exclude(
            max_calls__isnull=True, max_tokens__isnull=True, max_cost__isnull=True
        )

    def for_pages(self) -> Self:
        """Newest first, with what a list of runs names."""
        return self.select_related(
            "config__provider",
            "config__simulation",
            "gold_set",
            "created_by",
            "halted_by",
        ).order_by("-pk")


class Run(models.Model):
    """One frozen judge over one set of pairs, in both orders, r repeats.

    What it is, and when and by whom it was begun, never changes: a policy has to be
    older than the run that it decides.
    """

    guard: ClassVar[str] = (
        "append_only_except:status,concurrency,max_calls,max_tokens,max_cost,currency,"
        "reserved_tokens,reserved_cost,spent_calls,spent_tokens,spent_cost,halted_at,"
        "halted_by,halt_reason,failure,notices,started_at,finished_at"
    )

    config = models.ForeignKey(
        JudgeConfig, on_delete=models.PROTECT, related_name="runs"
    )
    gold_set = models.ForeignKey(GoldSet, on_delete=models.PROTECT, related_name="runs")
    status = models.CharField(
        max_length=10, choices=RunStatus.choices, default=RunStatus.PENDING
    )
    purpose = models.CharField(
        max_length=20, choices=RunPurpose.choices, default=RunPurpose.CALIBRATION
    )
    reuse = models.BooleanField(
        default=True, help_text="Copy replies to the same requests from earlier runs."
    )
    concurrency = models.PositiveSmallIntegerField(default=8)
    max_calls = models.PositiveIntegerField(
        null=True, blank=True, help_text="Budget: requests that may be sent."
    )
    max_tokens = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Budget: tokens in and out."
    )
    max_cost = models.DecimalField(
        max_digits=18, decimal_places=9, null=True, blank=True, help_text="Budget."
    )
    currency = models.CharField(max_length=3, blank=True)
    reserved_tokens = models.PositiveIntegerField(
        default=0, help_text="Set aside for each call in hand, of a token budget."
    )
    reserved_cost = models.DecimalField(
        max_digits=18,
        decimal_places=9,
        default=0,
        help_text="Set aside for each call in hand, of a budget in money.",
    )
    spent_calls = models.PositiveIntegerField(
        default=0, help_text="Counted for runs with a budget only; so the next two."
    )
    spent_tokens = models.PositiveBigIntegerField(default=0)
    spent_cost = models.DecimalField(max_digits=18, decimal_places=9, default=0)
    rubric_step = models.BooleanField(
        default=False,
        help_text="A rubric is written for each case before its pairs are asked about.",
    )
    halted_at = models.DateTimeField(null=True, blank=True)
    halted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Nobody, where a budget was reached.",
    )
    halt_reason = models.TextField(blank=True)
    failure = models.TextField(blank=True)
    notices = models.JSONField(default=list, blank=True)
    source_digest = models.CharField(
        max_length=64, blank=True, help_text="Of the file that verdicts came from."
    )
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="run_status_known",
                condition=models.Q(status__in=RunStatus.values),
            ),
            models.CheckConstraint(
                name="run_purpose_known",
                condition=models.Q(purpose__in=RunPurpose.values),
            ),
            models.CheckConstraint(
                name="run_reuse_fits_purpose",
                condition=models.Q(reuse=False)
                | ~models.Q(purpose__in=[p.value for p in NEVER_REUSE]),
            ),
            models.CheckConstraint(
                name="run_cost_budget_has_currency",
                condition=models.Q(max_cost__isnull=True)
                | (models.Q(max_cost__gt=0) & ~models.Q(currency="")),
            ),
            models.CheckConstraint(
                name="run_halted_says_when",
                condition=~models.Q(status__in=["paused", "stopped"])
                | models.Q(halted_at__isnull=False),
            ),
            models.CheckConstraint(
                name="run_concurrency_positive",
                condition=models.Q(concurrency__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"

    @property
    def has_budget(self) -> bool:
        """Whether calls, tokens or money are limited."""
        return any(
            limit is not None
            for limit in (self.max_calls, self.max_tokens, self.max_cost)
        )


class PanelSeat(models.Model):
    """One member's run that a panel's run takes its votes from."""

    guard: ClassVar[str] = "append_only"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="seats")
    member_run = models.ForeignKey(
        Run, on_delete=models.PROTECT, related_name="seats_on_panels"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "member_run"], name="panel_seat_once"
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.member_run_id} on the panel of run {self.run_id}"


class RunEvent(models.TextChoices):
    """What people, or a budget, do to a run under way."""

    PAUSED = "paused"
    RESUMED = "resumed"
    STOPPED = "stopped"
    BUDGET = "budget"


class RunNote(models.Model):
    """One thing that was done to a run."""

    guard: ClassVar[str] = "append_only"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="notes")
    event = models.CharField(max_length=10, choices=RunEvent.choices)
    reason = models.TextField(blank=True)
    noted_at = models.DateTimeField()
    noted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="run_event_known",
                condition=models.Q(event__in=RunEvent.values),
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.run_id} {self.event}"
