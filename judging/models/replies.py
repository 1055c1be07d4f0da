"""What came back: every attempt, and the one answer that counts."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from annotation.domain.outcomes import Order, SlotChoice
from judging.domain.terms import InvalidReason
from judging.models.calls import Call


class Exchange(models.Model):
    """What was asked, and what the provider said about its answer."""

    finish_reason = models.CharField(max_length=40, blank=True)
    served_model = models.CharField(max_length=200, blank=True)
    fingerprint = models.CharField(max_length=200, blank=True)
    usage = models.JSONField(default=dict, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    request_hash = models.CharField(max_length=64, blank=True)
    baseline_sha256 = models.CharField(max_length=64, blank=True)
    candidate_sha256 = models.CharField(max_length=64, blank=True)
    subject_sha256 = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of the response that is marked, or of the case without responses.",
    )

    class Meta:
        abstract = True


class Attempt(Exchange):
    """One request that was sent, in which order, and what happened to it."""

    guard: ClassVar[str] = "append_only"

    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="attempts")
    owner = models.UUIDField(null=True)
    sent_at = models.DateTimeField()
    order = models.CharField(
        max_length=20, blank=True, choices=[(o.value, o.value) for o in Order]
    )
    request_id = models.CharField(max_length=200, blank=True)
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=40, blank=True)
    detail = models.TextField(blank=True)
    body = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"attempt {self.pk}"


class Reply(Exchange):
    """The one answer of a call: a choice, a mark or a rubric, or invalid and why.

    ``score`` is on the judge's scale, after its cap; ``stated`` is what the reply said.
    A response that the judge can't mark has the choice ``abstain``.
    """

    guard: ClassVar[str] = "append_only"

    call = models.OneToOneField(Call, on_delete=models.PROTECT, related_name="reply")
    choice = models.CharField(
        max_length=10, blank=True, choices=[(c.value, c.value) for c in SlotChoice]
    )
    strength = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.PositiveSmallIntegerField(null=True, blank=True)
    stated = models.PositiveSmallIntegerField(null=True, blank=True)
    passed = models.BooleanField(null=True, blank=True)
    failed_gates = models.JSONField(default=list, blank=True)
    rubric = models.TextField(
        blank=True, help_text="What a first step wrote for its case."
    )
    invalid_reason = models.CharField(
        max_length=20, blank=True, choices=[(r.value, r.value) for r in InvalidReason]
    )
    detail = models.TextField(blank=True)
    flags = models.JSONField(default=list, blank=True)
    span = models.JSONField(null=True, blank=True)
    raw = models.TextField(null=True, blank=True)  # noqa: DJ001 - no text is not empty text
    reasoning = models.TextField(blank=True)
    choice_was_stored = models.BooleanField(
        default=False, help_text="The choice came with the file; no text was read."
    )
    answered_at = models.DateTimeField()
    reused_from = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="reuses",
        help_text="The reply to the same request, in an earlier run, that was copied.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="reply_is_one_answer_or_invalid",
                condition=Q(
                    choice__in=[c.value for c in SlotChoice],
                    invalid_reason="",
                    score__isnull=True,
                    rubric="",
                )
                | Q(
                    choice="",
                    invalid_reason__in=[r.value for r in InvalidReason],
                    score__isnull=True,
                    rubric="",
                )
                | Q(choice="", invalid_reason="", score__isnull=False, rubric="")
                | (Q(choice="", invalid_reason="", score__isnull=True) & ~Q(rubric="")),
            ),
            models.CheckConstraint(
                name="reply_passes_only_with_a_mark",
                condition=Q(score__isnull=False)
                | Q(passed__isnull=True, stated__isnull=True),
            ),
            models.CheckConstraint(
                name="reply_strength_1_or_2_when_decisive",
                condition=Q(strength__isnull=True)
                | Q(strength__in=[1, 2], choice__in=["first", "second"]),
            ),
        ]
        indexes = [
            models.Index(
                fields=["request_hash"],
                condition=Q(reused_from__isnull=True) & ~Q(request_hash=""),
                name="reply_original_by_request",
            )
        ]

    def __str__(self) -> str:
        return f"reply {self.pk}"
