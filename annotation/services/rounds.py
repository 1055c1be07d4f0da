"""Opening and closing labelling rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.schedule import ScheduleItem, plan_seats
from annotation.models import Case, GoldSet, Pair, Round, RoundMember, Seat
from annotation.services.claims import TOP_RANK
from config.errors import Conflict, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from config.accounts.models import User

MOST_LABELS = 5


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What a lead wants of a round."""

    name: str
    labels_per_pair: int
    reservation_minutes: int = 30

    def problem(self) -> str | None:
        """Why this plan can't be opened, in words, or None."""
        if not self.name.strip():
            return "name: must not be empty"
        if not 1 <= self.labels_per_pair <= MOST_LABELS:
            return f"labels_per_pair: must be 1 to {MOST_LABELS}"
        if not 1 <= self.reservation_minutes <= 24 * 60:
            return "reservation_minutes: must be 1 to 1440"
        return None


@transaction.atomic
def open_round(
    *,
    gold_set: GoldSet,
    plan: RoundPlan,
    pairs: Sequence[Pair],
    reviewers: Iterable[User],
    by: User | None,
    now: datetime,
) -> Round:
    """Open a round: every seat gets its order and rank here, once and for all."""
    if (problem := plan.problem()) is not None:
        raise InvalidInput("round_invalid", problem)
    _check_pairs(gold_set, pairs)
    if Round.objects.filter(gold_set=gold_set, name=plan.name).exists():
        raise Conflict("round_exists", f"There is a round {plan.name!r} already.")
    round_ = Round.objects.create(
        gold_set=gold_set,
        selection={"pairs": len(pairs), "seats": len(pairs) * plan.labels_per_pair},
        name=plan.name,
        labels_per_pair=plan.labels_per_pair,
        reservation_minutes=plan.reservation_minutes,
        opened_at=now,
        opened_by=by,
    )
    Seat.objects.bulk_create(_seats(round_, pairs, now), batch_size=1000)
    add_members(round_=round_, reviewers=reviewers, now=now)
    return round_


def _check_pairs(gold_set: GoldSet, pairs: Sequence[Pair]) -> None:
    if not pairs:
        raise InvalidInput("round_empty", "A round needs at least one pair.")
    if any(pair.gold_set_id != gold_set.pk for pair in pairs):
        raise InvalidInput("round_foreign_pair", "A pair is from another gold set.")
    if len({pair.pk for pair in pairs}) != len(pairs):
        raise InvalidInput("round_repeated_pair", "A pair is named twice.")


def _seats(round_: Round, pairs: Sequence[Pair], now: datetime) -> list[Seat]:
    cases = Case.objects.only("split", "slices").in_bulk({p.case_id for p in pairs})
    key = round_.gold_set.primary_slice
    items = [_item(pair, cases[pair.case_id], key) for pair in pairs]
    case_of = {pair.pk: pair.case_id for pair in pairs}
    schedule = plan_seats(items, seed=round_.seed, passes=round_.labels_per_pair)
    step = TOP_RANK // len(schedule)
    return [
        Seat(
            round=round_,
            pair_id=planned.key,
            case_id=case_of[int(planned.key)],
            pass_no=planned.pass_no,
            order=planned.order.value,
            rank=planned.rank * step,
            available_at=now,
        )
        for planned in schedule
    ]


def _item(pair: Pair, case: Case, primary: str) -> ScheduleItem:
    values = {key: str(value) for key, value in case.slices.items()}
    others = sorted(f"{key}={value}" for key, value in values.items() if key != primary)
    return ScheduleItem(
        key=pair.pk,
        split=case.split,
        slice_value=values.get(primary, ""),
        others=tuple(others),
    )


def add_members(*, round_: Round, reviewers: Iterable[User], now: datetime) -> None:
    """Let reviewers into a round; adding one twice changes nothing."""
    RoundMember.objects.bulk_create(
        [RoundMember(round=round_, reviewer=user, added_at=now) for user in reviewers],
        ignore_conflicts=True,
    )


@transaction.atomic
def close_round(*, round_: Round, by: User | None, now: datetime) -> None:
    """Close a round: no label is taken or revised from here on.

    Labels on their way hold their author's place in the round (queue.locked_member).
    Waiting for all of these makes what is counted after closing all there is.
    """
    closed = Round.objects.filter(pk=round_.pk, closed_at__isnull=True).update(
        closed_at=now, closed_by=by
    )
    if not closed:
        raise Conflict("round_closed", "This round is closed already.")
    places = RoundMember.objects.filter(round=round_).order_by("pk")
    list(places.select_for_update().values_list("pk"))
