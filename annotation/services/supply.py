"""Which passes and orders of a round may still hold something for one member."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import CharField, Min, Value
from django.db.models.functions import Concat

from annotation.domain.outcomes import Order
from annotation.models import Seat
from annotation.services.progress import open_to

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from datetime import datetime

    from annotation.models import RoundMember
    from annotation.services.claims import Part


def parts_for(member: RoundMember, rng: random.Random) -> tuple[Part, ...]:
    """Passes and orders that may hold something, the order labelled less first.

    Labels are counted, not seats: after a lost reservation a label may fill a seat of
    the other order, and what counts is what stood on the screen. Equal counts are
    settled by a fair coin. Who has labelled every pair has nothing left but repeats.
    """
    round_ = member.round
    pairs = round_.selection.get("pairs")
    if pairs is not None and member.labels - member.retests >= pairs:
        return ()
    lead = member.baseline_first - member.candidate_first
    if lead == 0:
        lead = rng.choice((-1, 1))
    first = Order.BASELINE_FIRST if lead < 0 else Order.CANDIDATE_FIRST
    return tuple(
        (number, order)
        for order in (first, first.opposite)
        for number in range(1, round_.labels_per_pair + 1)
        if not member.exhausted & _bit(number, order)
    )


def _bit(pass_no: int, order: Order) -> int:
    return 1 << (2 * (pass_no - 1) + (order is Order.CANDIDATE_FIRST))


def mark_exhausted(member: RoundMember, in_vain: Sequence[Part]) -> datetime | None:
    """Remember which parts hold nothing for this person and never will again.

    Seats are never added, and those labelled, skipped or spoilt stay so: with no
    reservation of their own a person's open seats only get fewer. Returns when the
    first of what others hold in the parts searched may come free.
    """
    if not in_vain:
        return None
    left = dict(
        Seat.objects.filter(
            open_to(member.round_id, member.reviewer_id),
            round_id=member.round_id,
            pass_no__in={number for number, _ in in_vain},
        )
        .order_by()
        .values_list(Concat("pass_no", Value(":"), "order", output_field=CharField()))
        .annotate(soonest=Min("available_at"))
    )
    for number, order in in_vain:
        if f"{number}:{order.value}" not in left:
            member.exhausted |= _bit(number, order)
    return min(left.values(), default=None)
