"""Once held-out results were seen, which pairs are held out can't change any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from annotation.models import GoldSet, Pair
from config.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime


def note_held_out_seen(*, gold_set_id: int, now: datetime) -> None:
    """Note when held-out gold or results of a set were first seen; the first is kept.

    Every app calls this where it shows them.
    """
    GoldSet.objects.filter(pk=gold_set_id, held_out_seen_at__isnull=True).update(
        held_out_seen_at=now
    )


def refuse_if_seen(gold_set: GoldSet) -> None:
    """Refuse to move splits of a set whose held-out pairs were looked at."""
    if gold_set.held_out_seen_at is None:
        return
    when = f"{gold_set.held_out_seen_at:%Y-%m-%d %H:%M} UTC"
    raise Conflict(
        "splits_locked",
        f"Held-out results of {gold_set.name} were looked at on {when}: its splits "
        "stay as they are. New splits need a new gold set.",
        {"held_out_seen_at": gold_set.held_out_seen_at.isoformat()},
    )


def seen_elsewhere(gold_set: GoldSet) -> int:
    """How many pairs were held out, and looked at, as pairs of another set.

    The same texts under another name are no fresh material.
    """
    seen = Pair.objects.filter(
        gold_set__held_out_seen_at__isnull=False, case__split=Split.HELD_OUT.value
    ).exclude(gold_set=gold_set)
    mine = Pair.objects.filter(gold_set=gold_set, digest__in=seen.values("digest"))
    return mine.count()
