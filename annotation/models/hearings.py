"""A pair before an adjudicator: the only thing whose id an adjudicator ever sees."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.domain.outcomes import Order, Outcome
from annotation.models.cases import Pair


class Hearing(models.Model):
    """One pair laid before one adjudicator, in one order, under an opaque token.

    ``after`` is the digest of the newest ruling at that time ("" for none): a ruling
    made here counts only while that is still the newest. Labels are shown from
    ``revealed_at`` on; where the set asks for a blind first ruling, not before that.
    """

    guard: ClassVar[str] = (
        "append_only_except:first_outcome,first_at,revealed_at,given_back_at"
    )

    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="hearings")
    adjudicator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hearings"
    )
    order = models.CharField(max_length=20, choices=[(o.value, o.value) for o in Order])
    after = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField()
    first_outcome = models.CharField(
        max_length=10, blank=True, choices=[(o.value, o.value) for o in Outcome]
    )
    first_at = models.DateTimeField(null=True, blank=True)
    revealed_at = models.DateTimeField(null=True, blank=True)
    given_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["adjudicator", "pair", "after"], name="hearing_once_a_link"
            ),
            models.CheckConstraint(
                name="hearing_order_known",
                condition=models.Q(order__in=[o.value for o in Order]),
            ),
            models.CheckConstraint(
                name="hearing_first_outcome_has_time",
                condition=models.Q(first_at__isnull=True, first_outcome="")
                | models.Q(
                    first_at__isnull=False,
                    first_outcome__in=[o.value for o in Outcome],
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"hearing {self.token}"
