"""Waivers of critical cases: asked for, confirmed and revoked in rows of their own."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from annotation.models import GoldSet


class WaiverQuerySet(models.QuerySet["Waiver"]):
    """What pages and services ask of waivers."""

    def with_people(self) -> Self:
        """With who asked, confirmed and revoked."""
        return self.select_related(
            "gold_set",
            "asked_by",
            "confirmation__confirmed_by",
            "revocation__revoked_by",
        ).order_by("-pk")


class Waiver(models.Model):
    """A recorded exception. It counts once a second person has confirmed it."""

    guard: ClassVar[str] = "append_only"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="waivers"
    )
    case_ids = models.JSONField(help_text="The critical cases it lifts, by their ids.")
    systems = models.JSONField(
        null=True,
        help_text="Baseline and candidate that it is for. Older ones name none, and "
        "count where the set compares no others.",
    )
    impact = models.TextField()
    owner = models.CharField(max_length=200)
    reason = models.TextField()
    expires_at = models.DateTimeField()
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )

    objects = WaiverQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="waiver_says_all",
                condition=~models.Q(impact="")
                & ~models.Q(owner="")
                & ~models.Q(reason=""),
            ),
            models.CheckConstraint(
                name="waiver_expires_later",
                condition=models.Q(expires_at__gt=models.F("asked_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"waiver {self.pk}"


class WaiverConfirmation(models.Model):
    """A second person stands for a waiver; the service refuses the first."""

    guard: ClassVar[str] = "append_only"

    waiver = models.OneToOneField(
        Waiver, on_delete=models.PROTECT, related_name="confirmation"
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="As in the waiver, so that the database can tell the two apart.",
    )
    confirmed_at = models.DateTimeField()
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="waiver_confirmed_by_another",
                condition=~models.Q(confirmed_by=models.F("asked_by")),
            )
        ]

    def __str__(self) -> str:
        return f"confirmation of waiver {self.waiver_id}"


class WaiverRevocation(models.Model):
    """A waiver counts no more."""

    guard: ClassVar[str] = "append_only"

    waiver = models.OneToOneField(
        Waiver, on_delete=models.PROTECT, related_name="revocation"
    )
    reason = models.TextField()
    revoked_at = models.DateTimeField()
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="waiver_revoked_for_a_reason", condition=~models.Q(reason="")
            )
        ]

    def __str__(self) -> str:
        return f"revocation of waiver {self.waiver_id}"
