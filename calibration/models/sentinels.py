"""Sentinels: fixed pairs that a judge is asked about again and again."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from annotation.models import GoldSet, GoldVersion, Pair
from calibration.domain.sentinels import CheckKind, Step
from judging.models import JudgeConfig, Run


class SentinelPanelQuerySet(models.QuerySet["SentinelPanel"]):
    """What pages and services ask of panels."""

    def watching(self) -> Self:
        """Panels that nobody has ended."""
        return self.filter(ended_at__isnull=True)

    def for_pages(self) -> Self:
        """Newest first, with what a list names."""
        return self.select_related(
            "gold_version__gold_set", "production", "created_by", "ended_by"
        ).order_by("-pk")


class SentinelPanel(models.Model):
    """Which pairs of a gold version are watched, by which judge, and how often.

    Judges are named without a version: the newest frozen one is asked, and a new
    digest starts a new series.
    """

    guard: ClassVar[str] = "append_only_except:ended_at,ended_by"

    name = models.SlugField(max_length=80, unique=True)
    gold_version = models.ForeignKey(
        GoldVersion, on_delete=models.PROTECT, related_name="sentinels"
    )
    judge = models.SlugField(max_length=80)
    pointwise_judge = models.SlugField(max_length=80, blank=True)
    parts = models.PositiveSmallIntegerField(help_text="One is judged at each check.")
    seed = models.PositiveIntegerField(help_text="Of the cut into parts.")
    period_hours = models.PositiveIntegerField(help_text="From one check to the next.")
    concurrency = models.PositiveSmallIntegerField(default=8)
    least_agreement = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        null=True,
        blank=True,
        help_text="Agreement with gold that the judge must not fall below.",
    )
    most_invalid = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        null=True,
        blank=True,
        help_text="Share of invalid verdicts that the judge must not exceed.",
    )
    production = models.ForeignKey(
        GoldSet,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The set whose newly adjudicated pairs are judged beside.",
    )
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    objects = SentinelPanelQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="sentinel_counts_positive",
                condition=models.Q(
                    parts__gte=1, period_hours__gte=1, concurrency__gte=1
                ),
            ),
            models.CheckConstraint(
                name="sentinel_agreement_is_share",
                condition=models.Q(least_agreement__isnull=True)
                | models.Q(least_agreement__gt=0, least_agreement__lte=1),
            ),
            models.CheckConstraint(
                name="sentinel_invalid_is_share",
                condition=models.Q(most_invalid__isnull=True)
                | models.Q(most_invalid__gte=0, most_invalid__lt=1),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def period(self) -> timedelta:
        """The time from one check to the next."""
        return timedelta(hours=self.period_hours)


class SentinelPair(models.Model):
    """One pair of a panel, and the part it was dealt to."""

    guard: ClassVar[str] = "append_only"

    panel = models.ForeignKey(
        SentinelPanel, on_delete=models.PROTECT, related_name="members"
    )
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64)
    part = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["panel", "pair"], name="sentinel_pair_once"
            ),
            models.CheckConstraint(
                name="sentinel_part_from_1", condition=models.Q(part__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"pair {self.pair_id} in part {self.part}"


class SentinelSeries(models.Model):
    """What one instrument measured: judge digest, rubric digest, the panel's gold."""

    guard: ClassVar[str] = "append_only"

    panel = models.ForeignKey(
        SentinelPanel, on_delete=models.PROTECT, related_name="series"
    )
    config = models.ForeignKey(JudgeConfig, on_delete=models.PROTECT, related_name="+")
    judge_digest = models.CharField(max_length=64)
    rubric_digest = models.CharField(max_length=64)
    began_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "sentinel series"
        constraints = [
            models.UniqueConstraint(
                fields=["panel", "judge_digest", "rubric_digest"],
                name="sentinel_series_once_an_instrument",
            ),
        ]

    def __str__(self) -> str:
        return f"series {self.pk} of {self.panel}"


class SentinelCheck(models.Model):
    """A sentinel run: of all pairs as a reference, of one part, or of fresh cases."""

    guard: ClassVar[str] = "append_only"

    series = models.ForeignKey(
        SentinelSeries, on_delete=models.PROTECT, related_name="checks"
    )
    run = models.OneToOneField(
        Run, on_delete=models.PROTECT, related_name="sentinel_check"
    )
    kind = models.CharField(
        max_length=10, choices=[(k.value, k.value) for k in CheckKind]
    )
    cycle = models.PositiveIntegerField()
    part = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField()
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="Nobody, where it was due.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="sentinel_check_kind_known",
                condition=models.Q(kind__in=[k.value for k in CheckKind]),
            ),
            models.CheckConstraint(
                name="sentinel_check_part_fits_kind",
                condition=models.Q(kind="part", part__gte=1)
                | (~models.Q(kind="part") & models.Q(part=0)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} check {self.pk}"

    @property
    def step(self) -> Step:
        """Where in its series it stands."""
        return Step(CheckKind(self.kind), self.cycle, self.part)


class SentinelPoint(models.Model):
    """What a finished check came to, as canonical JSON: a point of the chart."""

    guard: ClassVar[str] = "append_only"

    sentinel_check = models.OneToOneField(
        SentinelCheck, on_delete=models.PROTECT, related_name="point"
    )
    payload = models.TextField(help_text="Schema evenhand.sentinel_point/1.")
    digest = models.CharField(max_length=64)
    recorded_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"point {self.pk}"
