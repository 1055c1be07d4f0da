"""Rulings on disputed pairs, each a link of an append-only chain."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory
from annotation.models.cases import Pair
from annotation.models.guidelines import Guideline
from annotation.models.hearings import Hearing


class RequestKind(models.TextChoices):
    """Why a pair that has gold is ruled on again."""

    CORRECTION = "correction"
    CONTROL = "control"


class RulingRequest(models.Model):
    """A pair sent to blind adjudication again, its reason hidden (DESIGN rule 14).

    A batch holds as many controls, on which judge and gold agree, as corrections; the
    adjudicator sees no difference between them.
    """

    guard: ClassVar[str] = "append_only_except:closed_at"

    pair = models.ForeignKey(
        Pair, on_delete=models.PROTECT, related_name="ruling_requests"
    )
    kind = models.CharField(max_length=12, choices=RequestKind.choices)
    batch = models.UUIDField()
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    category = models.CharField(
        max_length=40,
        blank=True,
        choices=[(c.value, c.value) for c in RulingCategory],
    )
    note = models.TextField(blank=True)
    requested_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair"],
                condition=models.Q(closed_at__isnull=True),
                name="ruling_request_one_open_a_pair",
            ),
            models.CheckConstraint(
                name="ruling_request_kind_known",
                condition=models.Q(kind__in=RequestKind.values),
            ),
            models.CheckConstraint(
                name="ruling_request_correction_has_reason",
                condition=models.Q(kind="control")
                | (~models.Q(category="") & ~models.Q(note="")),
            ),
        ]

    def __str__(self) -> str:
        return f"ruling request {self.pk}"


class RulingHold(models.Model):
    """A pair on one adjudicator's screen; others are given another one meanwhile."""

    guard: ClassVar[str] = "mutable"

    pair = models.OneToOneField(Pair, on_delete=models.PROTECT, related_name="hold")
    adjudicator = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hold"
    )
    hearing = models.OneToOneField(
        Hearing, on_delete=models.PROTECT, related_name="hold"
    )
    held_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"hold of {self.hearing_id}"


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
        max_length=40, help_text="One of all sets' categories, or of the set's own."
    )
    note = models.TextField()
    after_judge = models.BooleanField(default=False)
    guideline = models.ForeignKey(
        Guideline, on_delete=models.PROTECT, null=True, related_name="+"
    )
    first_outcome = models.CharField(
        max_length=10,
        blank=True,
        choices=[(o.value, o.value) for o in Outcome],
        help_text="What was ruled before the labels were shown, where the set asks.",
    )
    request = models.ForeignKey(
        RulingRequest,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="rulings",
    )
    hearing = models.OneToOneField(
        Hearing,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="ruling",
        help_text="Where it was made, so in which order; none if from a file.",
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
                name="adjudication_has_category", condition=~models.Q(category="")
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
