"""A round whose labels were shown to anyone but their author can't be reopened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import ExposureKind, Round, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from annotation.models import Pair

# Labels one by one, or the consensus that follows from them. Systems and verdicts are
# no results of a round: they keep a person from a pair, and the round as it is.
RESULTS = (ExposureKind.LABELS, ExposureKind.RULING)
CHUNK = 500


def note_disclosed(*, pairs: QuerySet[Pair] | Iterable[int], now: datetime) -> None:
    """Mark the rounds that have a label on any of these pairs; the first time is kept.

    Called wherever an exposure to labels is recorded: adjudication, chains of rulings,
    gold versions and their differences, exports.
    """
    labelled = Seat.objects.filter(available_at__isnull=True)
    if isinstance(pairs, QuerySet):
        of_these = pairs.order_by().filter(pk=OuterRef("pair_id"))
        _mark(labelled.filter(Exists(of_these)), now)
        return
    ids = sorted(set(pairs))
    for start in range(0, len(ids), CHUNK):
        _mark(labelled.filter(pair__in=ids[start : start + CHUNK]), now)


def _mark(seats: QuerySet[Seat], now: datetime) -> None:
    Round.objects.filter(
        pk__in=seats.values("round"), disclosed_at__isnull=True
    ).update(disclosed_at=now)
