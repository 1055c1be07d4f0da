"""A labelling round, who takes part in it, and its seats."""

from __future__ import annotations

from typing import ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from annotation.domain.outcomes import Order
from annotation.models.cases import Case, Pair
from annotation.models.gold_sets import GoldSet, new_seed


class RoundQuerySet(models.QuerySet["Round"]):
    """What pages ask of rounds."""

    def open_for(self, user_id: int) -> Self:
        """The rounds in which this person may label now."""
        return self.filter(
            closed_at__isnull=True,
            members__reviewer_id=user_id,
            members__removed_at__isnull=True,
        ).order_by("pk")

    def closed_for(self, user_id: int) -> Self:
        """The closed rounds of this person, the one closed last first."""
        return self.filter(
            closed_at__isnull=False,
            members__reviewer_id=user_id,
            members__removed_at__isnull=True,
        ).order_by("-closed_at", "-pk")

    def left_by(self, user_id: int) -> Self:
        """The rounds that this person was taken out of, the newest first."""
        return self.filter(
            members__reviewer_id=user_id, members__removed_at__isnull=False
        ).order_by("-pk")


class Round(models.Model):
    """A span of time in which chosen pairs are labelled.

    What its seats were made from (pairs, labels for each, seed) never changes.
    """

    guard: ClassVar[str] = (
        "append_only_except:name,reservation_minutes,closed_at,closed_by,disclosed_at"
    )

    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.PROTECT, related_name="rounds"
    )
    name = models.CharField(max_length=120)
    labels_per_pair = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(5)]
    )
    reservation_minutes = models.PositiveSmallIntegerField(default=30)
    retest_share = models.FloatField(
        default=0, help_text="Share of pairs shown again, swapped, to one reviewer."
    )
    designed_rate = models.FloatField(
        default=0, help_text="Designed pairs mixed in, as a share of the others."
    )
    selection = models.JSONField(default=dict, blank=True)
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )

    disclosed_at = models.DateTimeField(
        null=True, blank=True, help_text="When something of it was shown to anyone."
    )

    objects = RoundQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["gold_set", "name"], name="round_name_once_a_set"
            ),
            models.CheckConstraint(
                name="round_shares_0_to_1",
                condition=models.Q(
                    retest_share__range=(0, 1), designed_rate__range=(0, 1)
                ),
            ),
            models.CheckConstraint(
                name="round_labels_per_pair_1_to_5",
                condition=models.Q(labels_per_pair__range=(1, 5)),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Whether labels are still taken."""
        return self.closed_at is None


class RoundMemberQuerySet(models.QuerySet["RoundMember"]):
    """What services ask of members."""

    def active(self) -> Self:
        """Those who were not removed."""
        return self.filter(removed_at__isnull=True)


class RoundMember(models.Model):
    """A reviewer who was added to a round; nobody else sees it.

    The row also counts, so that a claim need not count a hundred thousand labels: the
    labels this person gave in each order, and the passes that hold nothing for them any
    more. Its lock makes the requests of one person wait for each other.
    """

    guard: ClassVar[str] = "mutable"

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="members")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships"
    )
    added_at = models.DateTimeField()
    removed_at = models.DateTimeField(
        null=True, blank=True, help_text="Their labels stay."
    )
    baseline_first = models.PositiveIntegerField(
        default=0, help_text="Labels given with the baseline in the first slot."
    )
    candidate_first = models.PositiveIntegerField(
        default=0, help_text="Labels given with the candidate in the first slot."
    )
    retests = models.PositiveIntegerField(
        default=0, help_text="Labels among them that were planned repeats."
    )
    last_case = models.ForeignKey(
        Case,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
        help_text="Of the pair they were shown last.",
    )
    exhausted = models.PositiveSmallIntegerField(
        default=0, help_text="Bits: passes and orders with nothing left for them."
    )
    waiting = models.PositiveIntegerField(
        default=0, help_text="Pairs that waited for them when this was counted."
    )
    waiting_at = models.DateTimeField(null=True, blank=True)

    # No column: labels given and seats reserved, where a request counted them already.
    in_the_round: tuple[int, int] | None = None

    objects = RoundMemberQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "reviewer"], name="round_member_once"
            )
        ]

    def __str__(self) -> str:
        return f"member {self.pk}"

    @property
    def labels(self) -> int:
        """All labels this person gave in the round, planned repeats included."""
        return self.baseline_first + self.candidate_first


class SeatQuerySet(models.QuerySet["Seat"]):
    """What services ask of seats."""

    def labelled_by(self, user_id: int) -> Self:
        """Seats that this person filled with a label that counts, in any round."""
        return self.filter(
            reviewer=user_id, available_at__isnull=True, retest_of__isnull=True
        )


class Seat(models.Model):
    """One wanted label of a pair, its order and rank fixed when the round opens.

    ``available_at`` in the past: free; in the future: reserved; NULL: labelled. An
    expired reservation needs no sweeper.
    """

    guard: ClassVar[str] = "append_only_except:reviewer,available_at"

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="seats")
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="seats")
    # Each label moves its seat in all indexes, so there are none that nothing needs.
    case = models.ForeignKey(
        Case, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    pass_no = models.PositiveSmallIntegerField()
    order = models.CharField(max_length=20, choices=[(o.value, o.value) for o in Order])
    rank = models.BigIntegerField()
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="seats",
    )
    available_at = models.DateTimeField(null=True, blank=True)
    retest_wanted = models.BooleanField(
        default=False,
        help_text="Its pair comes back, swapped, to one of those who label it.",
    )
    retest_of = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="retest",
        help_text="The seat whose reviewer this one is for; its label never counts.",
    )
    due_after = models.PositiveIntegerField(
        default=0, help_text="Labels its reviewer gives before a retest is offered."
    )

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "pair", "pass_no"],
                condition=models.Q(retest_of__isnull=True),
                name="seat_once_a_pass",
            ),
            models.UniqueConstraint(
                fields=["round", "reviewer", "pair"],
                condition=models.Q(reviewer__isnull=False, retest_of__isnull=True),
                name="seat_pair_once_a_reviewer",
            ),
            models.UniqueConstraint(
                fields=["round", "reviewer"],
                condition=models.Q(reviewer__isnull=False, available_at__isnull=False),
                name="seat_one_reservation_each",
            ),
            models.CheckConstraint(
                name="seat_labelled_has_reviewer",
                condition=models.Q(available_at__isnull=False)
                | models.Q(reviewer__isnull=False),
            ),
            models.CheckConstraint(
                name="seat_order_known",
                condition=models.Q(order__in=[o.value for o in Order]),
            ),
        ]
        indexes = [
            models.Index(
                fields=["round", "pass_no", "order", "rank"],
                condition=models.Q(available_at__isnull=False),
                name="seat_open_by_rank",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.pk}"


class Skip(models.Model):
    """A reviewer gave this pair back; it is not offered to them again this round."""

    guard: ClassVar[str] = "append_only"
    leaves_out_repeats: ClassVar[bool] = True

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="skips")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="+")
    skipped_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "reviewer", "pair"], name="skip_once"
            )
        ]

    def __str__(self) -> str:
        return f"skip {self.pk}"
