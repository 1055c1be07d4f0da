"""Planned repeats: the same pair again, swapped, to the same person, spaced apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order
from annotation.models import Seat
from annotation.services.claims import RETEST_PASS

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.models import Label

SPACING = 10


def plan_retest(seat: Seat, label: Label, *, labels: int, now: datetime) -> Seat | None:
    """Add the repeat of a seat that the round chose for one; its label never counts.

    The order is the opposite of what was shown. It is offered to this reviewer alone,
    after ``SPACING`` more labels of theirs, or when they have nothing else left.
    """
    if not seat.retest_wanted or seat.retest_of_id is not None:
        return None
    return Seat.objects.create(
        round_id=seat.round_id,
        pair_id=seat.pair_id,
        case_id=seat.case_id,
        pass_no=RETEST_PASS,
        order=Order(label.order).opposite.value,
        rank=0,
        retest_of_id=seat.pk,
        due_after=labels + SPACING,
        available_at=now,
    )
