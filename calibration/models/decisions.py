"""Decisions on releases, frozen with everything that they rest on."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from annotation.models import Round
from calibration.domain.deciding import DecisionResult
from calibration.models.policies import Policy
from calibration.models.reports import Report
from judging.models import Run


class DecisionQuerySet(models.QuerySet["Decision"]):
    """What pages ask of decisions."""

    def for_pages(self) -> Self:
        """Newest first, with what a list names and without the long texts."""
        return (
            self.select_related("run__config", "run__gold_set", "policy", "decided_by")
            .defer("evidence", "payload")
            .order_by("-pk")
        )


class Decision(models.Model):
    """Ship, hold or human review. The same evidence has one decision, by constraint.

    ``evidence`` is the document it follows from, ``payload`` the decision itself, both
    as canonical JSON; ``calibration.domain.deciding.decide`` makes one of the other.
    """

    guard: ClassVar[str] = "append_only"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="decisions")
    policy = models.ForeignKey(
        Policy, on_delete=models.PROTECT, related_name="decisions"
    )
    report = models.ForeignKey(
        Report,
        on_delete=models.PROTECT,
        null=True,
        related_name="decisions",
        help_text="The judge's calibration report, if there was one.",
    )
    result = models.CharField(
        max_length=20,
        choices=[(r.value, r.value.replace("_", " ")) for r in DecisionResult],
    )
    evidence = models.TextField(help_text="Schema evenhand.evidence/1.")
    evidence_digest = models.CharField(max_length=64)
    payload = models.TextField(help_text="Schema evenhand.decision/1.")
    digest = models.CharField(max_length=64)
    decided_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )

    objects = DecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "policy", "evidence_digest"],
                name="decision_once_an_evidence",
            ),
            models.CheckConstraint(
                name="decision_result_known",
                condition=models.Q(result__in=[r.value for r in DecisionResult]),
            ),
        ]

    def __str__(self) -> str:
        return f"decision {self.pk}"


class ReviewRound(models.Model):
    """A round opened over pairs of a release run that the policy sends to people."""

    guard: ClassVar[str] = "append_only"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="review_rounds")
    policy = models.ForeignKey(
        Policy, on_delete=models.PROTECT, related_name="review_rounds"
    )
    round = models.OneToOneField(
        Round, on_delete=models.PROTECT, related_name="release_review"
    )
    pairs = models.PositiveIntegerField()
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.round_id} of run {self.run_id}"
