"""Looks: each disclosure of held-out results, against a budget fixed beforehand."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.models import GoldSet
from calibration.models.reports import Report


class LookWord(models.TextChoices):
    """What a look at a sealed set says of all limits together."""

    PASSED = "passed"
    NOT_PASSED = "not_passed"


class Look(models.Model):
    """Who saw held-out results, of which report or export, when, and why.

    ``subject`` is a digest of what was seen: of a report its own, of an export that of
    the state it told. Seeing one thing twice is one look of the budget. ``word`` is set
    where the set was sealed and nothing else was shown.
    """

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="looks"
    )
    number = models.PositiveIntegerField()
    report = models.ForeignKey(
        Report, on_delete=models.PROTECT, null=True, related_name="looks"
    )
    what = models.CharField(
        max_length=120, blank=True, help_text="What was seen, where it is no report."
    )
    subject = models.CharField(max_length=64, blank=True)
    looked_at = models.DateTimeField()
    looked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )
    door = models.CharField(max_length=20)
    reason = models.TextField(blank=True)
    held_out_digest = models.CharField(max_length=64)
    config_digest = models.CharField(
        max_length=64, blank=True, help_text="Of the judge whose results were seen."
    )
    word = models.CharField(
        max_length=12,
        blank=True,
        choices=LookWord.choices,
        help_text="All that a look at a sealed set tells.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="look_word_known",
                condition=models.Q(word__in=["", *LookWord.values]),
            ),
            models.UniqueConstraint(
                fields=["gold_set", "number"], name="look_number_once_a_set"
            ),
            models.CheckConstraint(
                name="look_at_a_report_or_something_else",
                condition=models.Q(report__isnull=False, what="")
                | (models.Q(report__isnull=True) & ~models.Q(what="")),
            ),
        ]

    def __str__(self) -> str:
        return f"look {self.number} on {self.gold_set.name}"
