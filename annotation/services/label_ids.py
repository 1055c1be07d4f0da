"""What an exported label is called, so that it is known when it comes back."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from annotation.models import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.models import GoldSet

COLUMN = "label_id"
DIGITS = 32

Said = tuple[str, int | None, str]


def label_id(gold_set: GoldSet, label_pk: int, extra: Mapping[str, object]) -> str:
    """A label's id, the same in every export; it tells nothing of the label.

    An outside label that came with an id keeps it, so that it is known wherever it
    goes. The letter in front keeps a spreadsheet from taking it for a number.
    """
    brought = extra.get(COLUMN)
    if isinstance(brought, str) and brought:
        return brought
    text = f"{gold_set.seed}|label|{label_pk}"
    return "L" + hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def labels_by_id(gold_set: GoldSet) -> dict[str, tuple[int, Said]]:
    """Every label of a set by its id, old revisions too: its pair and what it said."""
    rows = Label.objects.of_set(gold_set.pk).values_list(
        "pk", "extra", "pair_id", "outcome", "strength", "note"
    )
    return {
        label_id(gold_set, pk, extra): (pair_id, (outcome, strength, note))
        for pk, extra, pair_id, outcome, strength, note in rows.iterator()
    }
