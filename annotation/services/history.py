"""The labels that a reviewer gave in a round, and opening one of them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, F, OuterRef, Subquery

from annotation.models import Assignment, Exposure, Label
from annotation.services.places import UNKNOWN, no_such_pair_for
from annotation.services.queue import ROUND_CLOSED
from config.errors import Conflict, NotAllowed, NotFound

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class Reopened:
    """A pair that was labelled, as it was shown, with what is said of it now."""

    assignment: Assignment
    label: Label


def my_labels(*, round_id: int, reviewer: User) -> QuerySet[Label]:
    """The current labels of one person in a round; those of new pairs come first.

    ``first_pk`` is the row of the first revision: changing a label does not move it.
    ``exposed`` tells that its results were seen meanwhile, so it can't be changed.
    """
    first = Label.objects.filter(seat=OuterRef("seat"), revision=1)
    return (
        Label.objects.current()
        .filter(reviewer=reviewer, seat__round=round_id)
        .annotate(
            first_pk=Subquery(first.values("pk")),
            first_at=Subquery(first.values("created_at")),
            exposed=Exists(Exposure.objects.of(reviewer.pk, "pair_id")),
        )
        .select_related("assignment", "pair__case", "guideline")
        .order_by(F("first_pk").desc())
    )


def held_pair(*, token: str, reviewer: User) -> Assignment | None:
    """The pair before this reviewer, which has no label yet.

    Theirs until somebody else takes it, also when the reservation ran out; who saw
    results of it meanwhile sees it no more.
    """
    held = Assignment.objects.filter(
        ~Exists(Exposure.objects.of(reviewer.pk, "pair_id")),
        token=token,
        reviewer=reviewer,
        ended_at__isnull=True,
        round__closed_at__isnull=True,
        round__members__reviewer=reviewer,
        round__members__removed_at__isnull=True,
        seat__reviewer=reviewer,
        seat__available_at__isnull=False,
    )
    found = held.select_related("round__gold_set", "seat").first()
    if found is not None:
        found.reviewer = reviewer  # the very object, with its roles read already
    return found


def round_of(*, token: str, reviewer: User) -> int | None:
    """The round in which this reviewer labelled a pair, if they did."""
    mine = Label.objects.filter(reviewer=reviewer, assignment__token=token)
    return mine.values_list("assignment__round_id", flat=True).first()


def reopen(*, token: str, reviewer: User) -> Reopened:
    """Return a pair that this reviewer has labelled, to be looked at and changed."""
    first = Label.objects.filter(seat=OuterRef("seat"), revision=1)
    label = (
        Label.objects.current()
        .annotate(first_at=Subquery(first.values("created_at")))
        .filter(
            reviewer=reviewer,
            assignment__token=token,
            assignment__round__members__reviewer=reviewer,
            assignment__round__members__removed_at__isnull=True,
        )
        .select_related("assignment__round__gold_set", "assignment__seat")
        .first()
    )
    if label is None or label.assignment is None:
        if held_pair(token=token, reviewer=reviewer) is not None:
            raise NotFound(
                UNKNOWN, "You have not labelled this pair yet: it is still before you."
            )
        raise no_such_pair_for(token, reviewer)
    label.assignment.reviewer = reviewer
    if not label.assignment.round.is_open:
        raise Conflict(ROUND_CLOSED, "This round is closed: labels stay as they are.")
    if Exposure.objects.filter(user=reviewer, pair=label.pair_id).exists():
        raise NotAllowed(
            "pair_exposed", "You have seen results of this pair, so it stays as it is."
        )
    return Reopened(label.assignment, label)


def reopen_last(
    *, round_id: int, reviewer: User, before: str | None = None
) -> Reopened:
    """Return the label given last in a round, or the one given before another."""
    mine: Any = my_labels(round_id=round_id, reviewer=reviewer)
    mine = mine.filter(exposed=False)
    if before is not None:
        shown = mine.filter(assignment__token=before).first()
        if shown is not None:
            mine = mine.filter(first_pk__lt=shown.first_pk)
    last = mine.first()
    if last is None or last.assignment is None:
        raise NotFound("no_label_before", "You have given no label before this one.")
    return reopen(token=str(last.assignment.token), reviewer=reviewer)


def revisions_of(label: Label) -> list[Label]:
    """All revisions of a label, newest first."""
    return list(Label.objects.filter(seat=label.seat_id).order_by("-revision"))
