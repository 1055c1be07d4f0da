"""Who saw what about which pair: written by every app, through here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.models import Exposure, ExposureKind, GoldSet

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from config.accounts.models import User


def record_exposures(
    *, user: User, pair_ids: Iterable[int], kind: ExposureKind, now: datetime
) -> None:
    """Note that a person saw something about pairs; the first time is kept."""
    rows = [
        Exposure(user=user, pair_id=pair_id, kind=kind, seen_at=now)
        for pair_id in sorted(set(pair_ids))
    ]
    Exposure.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)


def note_judged(*, gold_set_id: int, now: datetime) -> None:
    """Note when the first judge results of a gold set began to exist."""
    GoldSet.objects.filter(pk=gold_set_id, judged_at__isnull=True).update(judged_at=now)


def note_held_out_seen(*, gold_set_id: int, now: datetime) -> None:
    """Note when held-out gold was first shown to anyone: splits are locked then."""
    unseen = GoldSet.objects.filter(pk=gold_set_id, held_out_seen_at__isnull=True)
    unseen.update(held_out_seen_at=now)
