"""Drafts that never became an answer: what was written stays to be read, with why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models import Case, Exists, OuterRef, Q, When

from annotation.models import Draft, Label, RoundMember, Seat, Skip
from annotation.services.drafting import Reservation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from config.accounts.models import User


def unsent_draft(*, token: str, reviewer: User) -> Draft | None:
    """The one of `unsent_drafts` that is of this assignment, if it is."""
    found = _unsent(reviewer).filter(assignment__token=token)
    return found.first()  # type: ignore[no-any-return]  # Q of Any


def unsent_drafts(*, round_id: int, reviewer: User) -> Sequence[Draft]:
    """Drafts of pairs that this reviewer does not hold any more and never answered.

    Also those of a change to an answer, once it can't be changed any more.
    """
    found = _unsent(reviewer).filter(assignment__round=round_id)
    return list(found)


def unsent_counts(*, reviewer: User, round_ids: Iterable[int]) -> Counter[int]:
    """How many of `unsent_drafts` hold anything, by round, to be told.

    With a pair that they gave back went what was written on it by then.
    """
    found = _unsent(reviewer).filter(assignment__round__in=list(round_ids))
    kept = found.order_by().values_list("assignment__round", "content")
    return Counter(round_id for round_id, content in kept if any(content.values()))


def why_unsent(draft: Any) -> Reservation:
    """What a draft of `unsent_drafts` was too late for."""
    if draft.removed:
        return Reservation.REMOVED
    if draft.gave_back:
        return Reservation.GIVEN_BACK
    return Reservation.CLOSED if draft.held or draft.answered else Reservation.TAKEN


def _unsent(reviewer: User) -> Any:
    here = {"round": OuterRef("assignment__round"), "reviewer": reviewer}
    drafts: Any = Draft.objects.filter(assignment__reviewer=reviewer).annotate(
        removed=Exists(RoundMember.objects.filter(**here, removed_at__isnull=False)),
        gave_back=Exists(
            Skip.objects.filter(**here, pair=OuterRef("assignment__pair"))
        ),
        held=Exists(
            Seat.objects.filter(
                pk=OuterRef("assignment__seat"),
                assignments=OuterRef("assignment"),
                assignments__ended_at__isnull=True,
                reviewer=reviewer,
                available_at__isnull=False,
            )
        ),
        answered=Case(When(_answered(), then=True), default=False),
    )
    over = Q(removed=True) | Q(assignment__round__closed_at__isnull=False)
    said_since = _answered(created_at__gte=OuterRef("saved_at"))
    return (
        drafts.filter(over | Q(answered=False, held=False))
        .exclude(said_since)
        .select_related("assignment__pair__case", "assignment__round")
        .order_by("-saved_at")
    )


def _answered(**when: object) -> Any:
    """Whether they answered the pair, as a repeat where the draft is of one."""
    mine = Label.objects.filter(
        reviewer=OuterRef("assignment__reviewer"),
        pair=OuterRef("assignment__pair"),
        seat__round=OuterRef("assignment__round"),
        **when,
    )
    again = Q(assignment__seat__retest_of__isnull=False)
    return (again & Exists(mine.filter(seat__retest_of__isnull=False))) | (
        ~again & Exists(mine.filter(seat__retest_of__isnull=True))
    )
