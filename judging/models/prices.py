"""What providers charge, by day: data, so that a change needs no release."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from judging.domain import costs
from judging.models.providers import Provider


class PriceQuerySet(models.QuerySet["Price"]):
    """What the pages and the sums ask of prices."""

    def newest_first(self) -> Self:
        """By day; of one day, what was entered last comes first and counts."""
        return self.select_related("provider", "created_by").order_by(
            "provider__alias", "model", "-valid_from", "-pk"
        )

    def as_domain(self) -> list[costs.Price]:
        """All of them as values, of one day the last entered first."""
        return [price.as_domain() for price in self.newest_first()]


class Price(models.Model):
    """Price of one model from a day on, per million tokens; corrected by a newer row.

    A row entered later for the same day replaces the earlier one.
    """

    guard: ClassVar[str] = "append_only"

    provider = models.ForeignKey(
        Provider, on_delete=models.PROTECT, related_name="prices"
    )
    model = models.CharField(max_length=200)
    valid_from = models.DateField()
    prompt = models.DecimalField(max_digits=14, decimal_places=6)
    completion = models.DecimalField(max_digits=14, decimal_places=6)
    cached = models.DecimalField(max_digits=14, decimal_places=6, null=True, blank=True)
    batch_share = models.DecimalField(
        max_digits=5,
        decimal_places=4,
        null=True,
        blank=True,
        help_text="What part of these prices a call in a batch costs; empty: unknown.",
    )
    currency = models.CharField(max_length=3, default="USD")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    objects = PriceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="price_not_below_zero",
                condition=models.Q(prompt__gte=0, completion__gte=0)
                & (models.Q(cached__isnull=True) | models.Q(cached__gte=0)),
            ),
            models.CheckConstraint(
                name="price_batch_share_0_to_1",
                condition=models.Q(batch_share__isnull=True)
                | models.Q(batch_share__gte=0, batch_share__lte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} from {self.valid_from}"

    def as_domain(self) -> costs.Price:
        """The value that sums are made with."""
        return costs.Price(
            provider=self.provider.alias,
            model=self.model,
            valid_from=self.valid_from,
            prompt=self.prompt,
            completion=self.completion,
            cached=self.cached,
            batch_share=self.batch_share,
            currency=self.currency,
        )
