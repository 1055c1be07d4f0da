"""Calls: the questions that a run consists of."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models

from annotation.domain.outcomes import Order
from annotation.models import Case, Pair, Response
from judging.models.runs import Run

if TYPE_CHECKING:
    from judging.models.replies import Reply


class CallState(models.TextChoices):
    """Where a call stands; a claim whose lease ran out counts as pending."""

    PENDING = "pending"
    CLAIMED = "claimed"
    DONE = "done"


class CallQuerySet(models.QuerySet["Call"]):
    """What the runner and the pages ask of calls."""

    def unanswered(self) -> Self:
        """Calls that still lack their one answer."""
        return self.exclude(state=CallState.DONE)

    def verdicts(self) -> Self:
        """Calls that ask for a verdict on a pair."""
        return self.filter(pair__isnull=False)

    def marks(self) -> Self:
        """Calls that ask for a mark of one response."""
        return self.filter(response__isnull=False)

    def rubrics(self) -> Self:
        """Calls that ask for the rubric of a case."""
        return self.filter(case__isnull=False)


class Call(models.Model):
    """One question of a run: exactly one answer kept, every attempt too.

    A verdict is asked for each (pair, order, repeat). A pointwise judge is asked for
    each (response, repeat), and a first step once for each case; these have no order.
    """

    guard: ClassVar[str] = "append_only_except:state,owner,lease_until,tries"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="calls")
    pair = models.ForeignKey(
        Pair, on_delete=models.PROTECT, null=True, related_name="calls"
    )
    response = models.ForeignKey(
        Response,
        on_delete=models.PROTECT,
        null=True,
        db_index=False,
        related_name="calls",
        help_text="What is marked, by a pointwise judge.",
    )
    case = models.ForeignKey(
        Case,
        on_delete=models.PROTECT,
        null=True,
        db_index=False,
        related_name="calls",
        help_text="What a rubric is written for, by the first step of a judge.",
    )
    order = models.CharField(
        max_length=20, blank=True, choices=[(o.value, o.value) for o in Order]
    )
    repeat = models.PositiveSmallIntegerField()
    state = models.CharField(
        max_length=10, choices=CallState.choices, default=CallState.PENDING
    )
    owner = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)

    written: Reply | None = None
    """The rubric of the call's case, once whoever asks has brought it along."""

    objects = CallQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "pair", "order", "repeat"], name="call_once"
            ),
            models.UniqueConstraint(
                fields=["run", "response", "repeat"],
                condition=models.Q(response__isnull=False),
                name="call_once_a_response",
            ),
            models.UniqueConstraint(
                fields=["run", "case"],
                condition=models.Q(case__isnull=False),
                name="call_once_a_case",
            ),
            models.CheckConstraint(
                name="call_claimed_has_owner_and_lease",
                condition=models.Q(
                    state="claimed", owner__isnull=False, lease_until__isnull=False
                )
                | models.Q(
                    state__in=["pending", "done"],
                    owner__isnull=True,
                    lease_until__isnull=True,
                ),
            ),
            models.CheckConstraint(
                name="call_of_one_thing",
                condition=models.Q(
                    pair__isnull=False,
                    response__isnull=True,
                    case__isnull=True,
                    order__in=[o.value for o in Order],
                )
                | models.Q(
                    pair__isnull=True,
                    response__isnull=False,
                    case__isnull=True,
                    order="",
                )
                | models.Q(
                    pair__isnull=True,
                    response__isnull=True,
                    case__isnull=False,
                    order="",
                    repeat=1,
                ),
            ),
            models.CheckConstraint(
                name="call_repeat_from_1", condition=models.Q(repeat__gte=1)
            ),
        ]
        indexes = [
            models.Index(
                fields=["run", "id"],
                condition=~models.Q(state="done"),
                name="call_open_by_run",
            )
        ]

    def __str__(self) -> str:
        return f"call {self.pk}"
