"""Which cases events of the activity log are about, and which of them it may name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.models import Pair
from annotation.services.ruling_chains import told_without_a_look
from calibration.models import Waiver, WaiverConfirmation, WaiverRevocation

if TYPE_CHECKING:
    from collections.abc import Sequence


def cases_of(row: Any) -> list[tuple[int, str]]:
    """The cases that an event is about, each by its set's row and its own id."""
    if isinstance(row, WaiverConfirmation | WaiverRevocation):
        row = row.waiver
    if isinstance(row, Waiver):
        return [(row.gold_set_id, str(name)) for name in row.case_ids]
    if (pair := getattr(row, "pair", None)) is None:
        return []
    return [(pair.gold_set_id, pair.case.external_id)]


def closed_cases(rows: Sequence[Any]) -> set[tuple[int, str]]:
    """Those of the rows' cases that have a pair whose rulings a look is needed for."""
    about = {case for row in rows for case in cases_of(row)}
    if not about:
        return set()
    pairs = Pair.objects.filter(
        gold_set__in={set_id for set_id, _ in about},
        case__external_id__in={name for _, name in about},
    ).order_by()
    told = told_without_a_look(pairs).values("pk")
    closed = pairs.exclude(pk__in=told)
    return set(closed.values_list("gold_set", "case__external_id"))
