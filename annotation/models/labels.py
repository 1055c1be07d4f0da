"""Labels: append-only; a change of mind is a new revision."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.db.models.lookups import LessThan

from annotation.domain.outcomes import Order, Outcome, SlotChoice, outcome_of
from annotation.models.assignments import Assignment
from annotation.models.cases import Pair
from annotation.models.guidelines import Guideline
from annotation.models.rounds import Seat


def _mapping_holds() -> Q:
    """Every allowed (choice, order, outcome), so that no row can contradict the map."""
    allowed = Q(choice="", order="", seat__isnull=True)
    for order in Order:
        for choice in SlotChoice:
            allowed |= Q(
                choice=choice.value,
                order=order.value,
                outcome=outcome_of(choice, order).value,
            )
    return allowed


class LabelQuerySet(models.QuerySet["Label"]):
    """What pages and services ask of labels."""

    def current(self) -> Self:
        """The last revision of each label."""
        later = Label.objects.filter(
            Q(seat=OuterRef("seat"), seat__isnull=False)
            | Q(
                seat__isnull=True,
                pair=OuterRef("pair"),
                external_reviewer=OuterRef("external_reviewer"),
            ),
            revision__gt=OuterRef("revision"),
        )
        return self.filter(~Exists(later))

    def counted(self) -> Self:
        """Labels that may settle a pair: all but those of planned repeats.

        A repeat tells whether a person says the same again; counted as well, it would
        give that person two votes.
        """
        return self.filter(seat__retest_of__isnull=True)

    def votes(self) -> Self:
        """What settles pairs: one label for each person on a pair, the newest.

        Somebody who met a pair in two rounds still has one vote on it. All labels that
        rounds asked for count; outside ones fill up what the set wants of a pair, in
        the order in which they came (DESIGN rule 10).
        """
        return self.newest_of_each().filter(Q(seat__isnull=False) | Q(_is_wanted()))

    def surplus(self) -> Self:
        """Outside labels that settle nothing: their pairs have what the set wants."""
        return self.newest_of_each().filter(~Q(_is_wanted()), seat__isnull=True)

    def newest_of_each(self) -> Self:
        """What each person on a pair said last, but for planned repeats."""
        later = Label.objects.counted().filter(
            pair=OuterRef("pair"), pk__gt=OuterRef("pk")
        )
        ours = later.filter(seat__isnull=False, reviewer=OuterRef("reviewer"))
        outside = later.filter(
            seat__isnull=True, external_reviewer=OuterRef("external_reviewer")
        )
        return self.counted().filter(~Exists(ours), ~Exists(outside))

    def of_assignment(self, assignment: Assignment) -> Self:
        """What the assignment's reviewer said of its pair in its round, newest first.

        It may have been said through another assignment, after a lost reservation; a
        planned repeat is a label of its own.
        """
        return self.filter(
            reviewer_id=assignment.reviewer_id,
            pair_id=assignment.pair_id,
            seat__round_id=assignment.round_id,
            seat__retest_of__isnull=assignment.seat.retest_of_id is None,
        ).order_by("-revision")

    def of_set(self, gold_set_id: int) -> Self:
        """Every label on the pairs of a gold set."""
        return self.filter(pair__gold_set_id=gold_set_id)


def _is_wanted() -> LessThan:
    """Whether an outside label's pair has fewer votes before it than its set wants."""
    before = (
        Label.objects.all()
        .newest_of_each()
        .filter(Q(seat__isnull=False) | Q(pk__lt=OuterRef("pk")), pair=OuterRef("pair"))
        .order_by()
        .values("pair")
        .annotate(n=Count("pk"))
        .values("n")
    )
    votes = Coalesce(Subquery(before, output_field=IntegerField()), 0)
    return LessThan(votes, F("pair__gold_set__labels_per_pair"))


class Label(models.Model):
    """One reviewer's outcome on one pair, with the order it was shown in.

    Outside labels have a reviewer name in place of a seat, and no order.
    """

    guard: ClassVar[str] = "append_only"

    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="labels")
    seat = models.ForeignKey(  # the index by revision begins with it
        Seat, on_delete=models.PROTECT, null=True, related_name="labels", db_index=False
    )
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, null=True, related_name="labels"
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="labels",
    )
    external_reviewer = models.CharField(max_length=120, blank=True)
    revision = models.PositiveSmallIntegerField(default=1)
    choice = models.CharField(
        max_length=10, blank=True, choices=[(c.value, c.value) for c in SlotChoice]
    )
    order = models.CharField(
        max_length=20, blank=True, choices=[(o.value, o.value) for o in Order]
    )
    outcome = models.CharField(
        max_length=10, choices=[(o.value, o.value) for o in Outcome]
    )
    strength = models.PositiveSmallIntegerField(null=True, blank=True)
    note = models.TextField(blank=True)
    guideline = models.ForeignKey(
        Guideline, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    confidence = models.PositiveSmallIntegerField(null=True, blank=True)
    abstain_reason = models.CharField(max_length=40, blank=True)
    critical = models.JSONField(
        default=dict, blank=True, help_text="Flags by slot, as they were shown."
    )
    criteria = models.JSONField(
        default=dict, blank=True, help_text="Slot choices by criterion."
    )
    view = models.JSONField(
        default=dict, blank=True, help_text="How the texts were shown: raw, diff."
    )
    elapsed_seconds = models.FloatField(null=True, blank=True)
    active_seconds = models.FloatField(null=True, blank=True)
    extra = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()

    objects = LabelQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "revision"], name="label_revision_once_a_seat"
            ),
            models.UniqueConstraint(
                fields=["pair", "external_reviewer", "revision"],
                condition=Q(seat__isnull=True),
                name="label_revision_once_outside",
            ),
            models.CheckConstraint(
                name="label_outcome_follows_order", condition=_mapping_holds()
            ),
            models.CheckConstraint(
                name="label_outcome_known",
                condition=Q(outcome__in=[o.value for o in Outcome]),
            ),
            models.CheckConstraint(
                name="label_has_one_author",
                condition=Q(
                    seat__isnull=False, reviewer__isnull=False, external_reviewer=""
                )
                | (
                    Q(seat__isnull=True, reviewer__isnull=True)
                    & ~Q(external_reviewer="")
                ),
            ),
            models.CheckConstraint(
                name="label_confidence_1_to_3",
                condition=Q(confidence__isnull=True) | Q(confidence__range=(1, 3)),
            ),
            models.CheckConstraint(
                name="label_reason_only_when_abstaining",
                condition=Q(abstain_reason="") | Q(outcome="abstain"),
            ),
            models.CheckConstraint(
                name="label_strength_1_or_2_when_decisive",
                condition=Q(strength__isnull=True)
                | Q(strength__in=[1, 2], outcome__in=["baseline", "candidate"]),
            ),
        ]

    def __str__(self) -> str:
        return f"label {self.pk}"

    def pair_round_id(self) -> int:
        """The round it was given in. Raises ``ValueError`` for an outside label."""
        if self.assignment is None:
            raise ValueError("an outside label belongs to no round")
        return self.assignment.round_id
