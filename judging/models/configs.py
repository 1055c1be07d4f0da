"""Judge configurations: drafts that freeze under a digest."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models

from judging.domain.terms import CombiningRule, RepeatRule
from judging.models.providers import Provider


class ConfigKind(models.TextChoices):
    """How a judge comes to its verdicts."""

    PAIRWISE = "pairwise"
    PANEL = "panel"
    POINTWISE = "pointwise"


class ConfigQuerySet(models.QuerySet["JudgeConfig"]):
    """What the pages and the API ask of judges."""

    def frozen(self) -> Self:
        """Judges that can run."""
        return self.filter(frozen_at__isnull=False)

    def drafts(self) -> Self:
        """Judges that can still be edited."""
        return self.filter(frozen_at__isnull=True)

    def in_use(self) -> Self:
        """Judges that nobody has retired."""
        return self.filter(retirement__isnull=True)

    def for_pages(self) -> Self:
        """With what a list of judges names."""
        return self.select_related(
            "provider",
            "created_by",
            "frozen_by",
            "retirement__retired_by",
            "simulation",
        )


class JudgeConfig(models.Model):
    """Everything that determines a verdict. ``spec`` is what the digest is taken of.

    For a pointwise judge ``verdict_format`` is its kind of scale; it combines nothing.
    """

    guard: ClassVar[str] = "frozen_when:frozen_at"

    name = models.SlugField(max_length=80)
    version = models.PositiveIntegerField()
    kind = models.CharField(
        max_length=20, choices=ConfigKind.choices, default=ConfigKind.PAIRWISE
    )
    provider = models.ForeignKey(
        Provider, on_delete=models.PROTECT, null=True, related_name="configs"
    )
    spec = models.JSONField(default=dict)
    verdict_format = models.CharField(max_length=40)
    combining_rule = models.CharField(
        max_length=30, blank=True, choices=[(r.value, r.value) for r in CombiningRule]
    )
    repeats = models.PositiveSmallIntegerField(default=1)
    repeat_rule = models.CharField(
        max_length=20, choices=[(r.value, r.value) for r in RepeatRule]
    )
    recorded = models.BooleanField(
        default=False, help_text="Replies come from a file; nothing is asked."
    )
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    frozen_at = models.DateTimeField(null=True, blank=True)
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor = models.CharField(
        max_length=80, blank=True, help_text="Who ran the command, where no user did."
    )
    digest = models.CharField(max_length=64, blank=True)

    objects = ConfigQuerySet.as_manager()

    class Meta:
        ordering = ["name", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["name", "version"], name="judge_version_once"
            ),
            models.CheckConstraint(
                name="judge_frozen_has_digest",
                condition=models.Q(frozen_at__isnull=True, digest="")
                | (models.Q(frozen_at__isnull=False) & ~models.Q(digest="")),
            ),
            models.CheckConstraint(
                name="judge_repeats_positive", condition=models.Q(repeats__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def retired(self) -> bool:
        """Whether somebody took it out of use."""
        return hasattr(self, "retirement")

    @property
    def simulated(self) -> bool:
        """Whether its answers say nothing about a real model.

        Of a frozen judge that is noted once and for all; a draft goes by its provider.
        """
        if self.frozen_at is not None:
            return hasattr(self, "simulation")
        return bool(self.provider and self.provider.simulated)


class Retirement(models.Model):
    """A judge that is not to be used for new runs; a frozen row can't say so itself."""

    guard: ClassVar[str] = "append_only"

    config = models.OneToOneField(
        JudgeConfig, on_delete=models.PROTECT, related_name="retirement"
    )
    reason = models.TextField(blank=True)
    retired_at = models.DateTimeField()
    retired_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"retirement of {self.config}"


class Simulation(models.Model):
    """That a frozen judge is simulated: noted once, and never taken back.

    When it was frozen, when its provider was marked, or when a reply of it said so.
    """

    guard: ClassVar[str] = "append_only"

    config = models.OneToOneField(
        JudgeConfig, on_delete=models.PROTECT, related_name="simulation"
    )
    noted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.config} is simulated"
