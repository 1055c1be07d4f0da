"""Disagreements of judge and gold, and what somebody found each of them to be."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from annotation.domain.outcomes import Outcome, Split
from annotation.models import GoldVersion, Pair
from calibration.models.reports import Report
from judging.domain.terms import Consistency, JudgeOutcome
from judging.models import Run


class Finding(models.TextChoices):
    """Whose fault a disagreement is."""

    JUDGE_FAILED = "judge_failed", "The judge failed"
    GOLD_WRONG = "gold_wrong", "The gold is wrong"
    RUBRIC_AMBIGUOUS = "rubric_ambiguous", "The rubric leaves it open"
    CASE_BAD = "case_bad", "The case is bad"


class ReportPairQuerySet(models.QuerySet["ReportPair"]):
    """What pages ask of a report's pairs."""

    def disagreeing(self) -> Self:
        """The pairs to review, in the order in which to walk them."""
        return self.filter(rank__isnull=False).order_by("rank")

    def of_part(self, *, held_out: bool) -> Self:
        """Held-out pairs, or all others."""
        split = {"split": Split.HELD_OUT.value}
        return self.filter(**split) if held_out else self.exclude(**split)


class ReportPair(models.Model):
    """What a report counted one pair as: worked out once, when first asked for.

    ``rank`` is the pair's place among the disagreements, and empty where judge and gold
    agree or there is no gold. ``worst_slice`` is the slice that put it there.
    """

    guard: ClassVar[str] = "append_only"

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="pairs")
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="+")
    split = models.CharField(
        max_length=10, blank=True, choices=[(s.value, s.value) for s in Split]
    )
    gold = models.CharField(
        max_length=10, blank=True, choices=[(o.value, o.value) for o in Outcome]
    )
    verdict = models.CharField(
        max_length=10, choices=[(o.value, o.value) for o in JudgeOutcome]
    )
    consistency = models.CharField(
        max_length=20, choices=[(c.value, c.value) for c in Consistency]
    )
    worst_slice = models.CharField(max_length=300, blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)

    objects = ReportPairQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "pair"], name="report_pair_once"),
            models.UniqueConstraint(
                fields=["report", "rank"], name="report_pair_rank_once"
            ),
        ]
        indexes = [
            models.Index(fields=["report", "gold", "verdict"], name="report_pair_cell")
        ]

    def __str__(self) -> str:
        return f"pair {self.pair_id} in report {self.report_id}"


class DispositionQuerySet(models.QuerySet["Disposition"]):
    """What services ask of dispositions."""

    def current(self) -> Self:
        """The newest revision of each."""
        newer = self.model.objects.filter(
            run=models.OuterRef("run"),
            gold_version=models.OuterRef("gold_version"),
            pair=models.OuterRef("pair"),
            revision__gt=models.OuterRef("revision"),
        )
        return self.filter(~models.Exists(newer))


class Disposition(models.Model):
    """What somebody found a disagreement to be. A change of mind is a new revision.

    ``batch`` names the request by which the pair was sent to be ruled on again, blind.
    """

    guard: ClassVar[str] = "append_only"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="dispositions")
    gold_version = models.ForeignKey(
        GoldVersion, on_delete=models.PROTECT, related_name="dispositions"
    )
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="+")
    finding = models.CharField(max_length=20, choices=Finding.choices)
    note = models.TextField()
    revision = models.PositiveSmallIntegerField()
    batch = models.UUIDField(null=True, blank=True)
    decided_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )

    objects = DispositionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "gold_version", "pair", "revision"],
                name="disposition_revision_once",
            ),
            models.CheckConstraint(
                name="disposition_finding_known",
                condition=models.Q(finding__in=Finding.values),
            ),
            models.CheckConstraint(
                name="disposition_has_a_note", condition=~models.Q(note="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.finding} of pair {self.pair_id}"
