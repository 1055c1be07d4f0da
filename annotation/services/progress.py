"""How far a round is, as one of its reviewers may know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Exposure, Round, Seat, Skip

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class Progress:
    """Three honest numbers for a reviewer, and the total they stand against.

    ``mine`` are the labels they gave, ``waiting`` the pairs that they could be given
    now, ``reserved`` the seats that others hold now; ``labelled`` of ``seats`` labels
    are in.
    """

    mine: int
    waiting: int
    reserved: int
    labelled: int
    seats: int


def progress(*, round_: Round, reviewer: User, now: datetime) -> Progress:
    """Count the round's seats as one reviewer may know them."""
    counts = Seat.objects.filter(round=round_).aggregate(
        seats=Count("pk"),
        labelled=Count("pk", filter=Q(available_at__isnull=True)),
        mine=Count("pk", filter=Q(available_at__isnull=True, reviewer=reviewer)),
        reserved=Count(
            "pk",
            filter=Q(available_at__gt=now, reviewer__isnull=False)
            & ~Q(reviewer=reviewer),
        ),
    )
    waiting = Seat.objects.filter(
        open_to(round_, reviewer), round=round_, available_at__lte=now
    ).aggregate(pairs=Count("pair_id", distinct=True))["pairs"]
    return Progress(waiting=waiting, **counts)


def open_to(round_: Round, reviewer: User) -> Q:
    """Seats this reviewer could still be given, reserved by others or not."""
    pair = OuterRef("pair_id")
    mine = Seat.objects.filter(round=round_, reviewer=reviewer, pair_id=pair)
    skipped = Skip.objects.filter(round=round_, reviewer=reviewer, pair_id=pair)
    seen = Exposure.objects.of(reviewer.pk, "pair_id")
    return Q(~Exists(mine), ~Exists(skipped), ~Exists(seen), available_at__isnull=False)
