"""Keeping pairs out of new rounds, and letting them in again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.hygiene import Check
from annotation.models import Pair, SetAside
from annotation.services.hygiene import last_check
from config.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.models import GoldSet
    from config.accounts.models import User

BY_HAND = "by-hand"
REASONS = (*(check.value for check in Check), BY_HAND)
LONGEST_NOTE = 2000
BATCH = 1000


def pairs_set_aside(gold_set: GoldSet) -> QuerySet[SetAside]:
    """The pairs of a set that no new round takes, newest first."""
    rows = SetAside.objects.in_force().filter(pair__gold_set=gold_set)
    return rows.select_related("pair__case", "set_aside_by").order_by("-pk")


@transaction.atomic
def set_aside(
    *,
    gold_set: GoldSet,
    pair_ids: Sequence[int],
    reason: str,
    note: str = "",
    by: User | None,
    now: datetime,
) -> int:
    """Keep pairs out of new rounds; return how many were not kept out already."""
    _refuse_bad(pair_ids, reason, note)
    wanted = set(pair_ids)
    mine = _among(gold_set, wanted)
    if mine != wanted:
        raise NotFound("pair_unknown", "A pair is not in this gold set.")
    rows = [
        SetAside(
            pair_id=pk, reason=reason, note=note, set_aside_at=now, set_aside_by=by
        )
        for pk in sorted(mine - _kept_out(gold_set))
    ]
    SetAside.objects.bulk_create(rows, ignore_conflicts=True, batch_size=BATCH)
    return len(rows)


def set_aside_all(
    *, gold_set: GoldSet, reason: str, note: str = "", by: User | None, now: datetime
) -> int:
    """Keep out every pair that the last run of a check found."""
    found = last_check(gold_set)
    if found is None or reason not in set(Check):
        raise InvalidInput("set_aside_reason", f"There are no findings of {reason!r}.")
    findings = found.of(Check(reason)).findings
    pairs = sorted({pair for finding in findings for pair in finding.pairs})
    return set_aside(
        gold_set=gold_set, pair_ids=pairs, reason=reason, note=note, by=by, now=now
    )


def lift(
    *, gold_set: GoldSet, pair_ids: Sequence[int], by: User | None, now: datetime
) -> int:
    """Let pairs into new rounds again; return how many were kept out."""
    wanted = sorted(set(pair_ids))
    rows = SetAside.objects.in_force().filter(pair__gold_set=gold_set)
    return sum(
        rows.filter(pair_id__in=wanted[start : start + BATCH]).update(
            lifted_at=now, lifted_by=by
        )
        for start in range(0, len(wanted), BATCH)
    )


def _refuse_bad(pair_ids: Sequence[int], reason: str, note: str) -> None:
    if not pair_ids:
        raise InvalidInput("set_aside_nothing", "Choose at least one pair.")
    if reason not in REASONS:
        raise InvalidInput("set_aside_reason", f"There is no check {reason!r}.")
    if len(note) > LONGEST_NOTE:
        raise InvalidInput("set_aside_note", f"note: over {LONGEST_NOTE} characters")


def _among(gold_set: GoldSet, wanted: set[int]) -> set[int]:
    keys = sorted(wanted)
    found: set[int] = set()
    for start in range(0, len(keys), BATCH):
        rows = Pair.objects.filter(
            gold_set=gold_set, pk__in=keys[start : start + BATCH]
        )
        found.update(rows.values_list("pk", flat=True))
    return found


def _kept_out(gold_set: GoldSet) -> set[int]:
    rows = SetAside.objects.in_force().filter(pair__gold_set=gold_set)
    return set(rows.values_list("pair_id", flat=True))
