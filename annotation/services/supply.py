"""Which passes and orders of a round may still hold something for one member."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Min

from annotation.domain.outcomes import Order
from annotation.models import Seat
from annotation.services.progress import open_to

if TYPE_CHECKING:
    import random
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


@dataclass
class Supply:
    """What passes and orders still hold for a locked member, looked up when needed.

    Which parts hold nothing is remembered on the member: seats are never added, and
    those labelled, skipped or spoilt stay so. With no reservation of their own a
    person's open seats only get fewer, so an exhausted part stays exhausted.
    """

    member: RoundMember
    soonest: datetime | None = None
    looked: bool = False

    def look(self) -> None:
        """Find, going over the round's open seats once, which parts are exhausted.

        Also notes when the first of what others hold there may come free.
        """
        if self.looked:
            return
        self.looked = True
        seats = Seat.objects.filter(
            open_to(self.member.round_id, self.member.reviewer_id),
            round_id=self.member.round_id,
        )
        parts = seats.order_by().values_list("pass_no", "order")
        left = {
            (pass_no, Order(order)): soonest
            for pass_no, order, soonest in parts.annotate(soonest=Min("available_at"))
        }
        for pass_no in range(1, self.member.round.labels_per_pair + 1):
            for order in Order:
                if (pass_no, order) not in left:
                    self.member.exhausted |= _bit(pass_no, order)
        self.soonest = min(left.values(), default=None)

    def holds(self, part: Part) -> bool:
        """Whether a part may hold something, by what is known so far."""
        return not self.member.exhausted & _bit(*part)
