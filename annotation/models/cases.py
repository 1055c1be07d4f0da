"""Inputs, the systems' responses to them, and the pairs that are compared."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models

from annotation.domain.outcomes import Outcome, Split
from annotation.models.gold_sets import GoldSet, System


class Case(models.Model):
    """One input. Its texts never change; only its split is assigned later."""

    guard: ClassVar[str] = "append_only_except:split"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="cases"
    )
    external_id = models.CharField(max_length=200)
    prompt = models.JSONField(help_text="A string, or a list of chat messages.")
    context = models.JSONField(null=True, blank=True)
    reference = models.JSONField(null=True, blank=True)
    slices = models.JSONField(default=dict, blank=True)
    critical = models.BooleanField(default=False)
    group = models.CharField(max_length=200, blank=True)
    split = models.CharField(
        max_length=10, blank=True, choices=[(s.value, s.value) for s in Split]
    )
    extra = models.JSONField(default=dict, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["gold_set", "external_id"], name="case_id_once_a_set"
            ),
            models.CheckConstraint(
                name="case_split_known",
                condition=models.Q(split__in=["", *(s.value for s in Split)]),
            ),
        ]
        indexes = [models.Index(fields=["gold_set", "split"], name="case_by_split")]

    def __str__(self) -> str:
        return self.external_id

    @property
    def cluster(self) -> str:
        """The unit that stays together: the group, or the case where it has none."""
        return f"group:{self.group}" if self.group else f"case:{self.external_id}"


class Response(models.Model):
    """One system's output for one case."""

    guard: ClassVar[str] = "append_only"

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="responses")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    text = models.JSONField(help_text="A string, or a list of chat messages.")
    sha256 = models.CharField(max_length=64)
    length = models.PositiveIntegerField(help_text="Characters of the plain text.")
    meta = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case", "system"], name="response_once_a_system"
            )
        ]

    def __str__(self) -> str:
        return f"response {self.pk}"


class PairQuerySet(models.QuerySet["Pair"]):
    """What pages and services ask of pairs."""

    def with_texts(self) -> Self:
        """Bring case, responses and systems along in one query."""
        return self.select_related(
            "case", "baseline__system", "candidate__system", "gold_set"
        )

    def with_names(self) -> Self:
        """Bring ids, splits and system names along, but none of the long texts."""
        return self.select_related(
            "case", "baseline__system", "candidate__system"
        ).only(
            "gold_set_id", "digest", "designed", "case__external_id", "case__split",
            "case__slices", "case__critical", "case__group",
            "baseline__case_id", "baseline__system__name", "candidate__case_id",
            "candidate__system__name",
        )  # fmt: skip

    def usable(self) -> Self:
        """Leave out what a lead set aside after the set's checks."""
        kept_out = self.model.objects.filter(
            set_aside__isnull=False, set_aside__lifted_at__isnull=True
        )
        return self.exclude(pk__in=kept_out.values("pk"))

    def in_order(self) -> Self:
        """The set's own order: by case, then by the systems' positions."""
        return self.order_by(
            "case_id", "baseline__system__position", "candidate__system__position"
        )


class Pair(models.Model):
    """Two responses to one case; the baseline is the system earlier in the list."""

    guard: ClassVar[str] = "append_only_except:flags"

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="pairs"
    )
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="pairs")
    baseline = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="+")
    candidate = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="+")
    designed = models.CharField(
        max_length=10, blank=True, choices=[(o.value, o.value) for o in Outcome]
    )
    flags = models.JSONField(default=list, blank=True)
    digest = models.CharField(max_length=64)
    texts_digest = models.CharField(
        max_length=64,
        help_text="Of prompt and responses alone: the same under any name.",
    )

    objects = PairQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["baseline", "candidate"], name="pair_of_responses_once"
            ),
            models.CheckConstraint(
                name="pair_of_two_responses",
                condition=~models.Q(baseline=models.F("candidate")),
            ),
            models.CheckConstraint(
                name="pair_designed_known",
                condition=models.Q(designed__in=["", *(o.value for o in Outcome)]),
            ),
            models.CheckConstraint(
                name="pair_texts_have_digest", condition=~models.Q(texts_digest="")
            ),
        ]
        indexes = [models.Index(fields=["texts_digest"], name="pair_by_texts")]

    def __str__(self) -> str:
        return f"pair {self.pk}"
