"""Taking outside labels from files, into the same append-only rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.files import read_rows
from annotation.domain.records import parse_labels
from annotation.domain.rows import RowError
from annotation.models import GoldSet, Label, Pair
from annotation.services.importing import (
    BATCH,
    Imported,
    ImportRefused,
    Source,
    accepted,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from annotation.domain.records import LabelRecord

PairKey = tuple[str, str, str]
Said = tuple[str, int | None, str]


@transaction.atomic
def import_labels(*, gold_set: GoldSet, source: Source, now: datetime) -> Imported:
    """Import outside labels; the same label again is left alone, another is refused."""
    # The lock makes two imports of one file at once add each label once.
    GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    rows = read_rows(source.data, source.filename)
    parsed = parse_labels(rows, gold_set.system_names())
    records = accepted(parsed)
    pairs, known = pairs_by_key(gold_set), _outside_labels(gold_set)
    errors = [error for record in records if (error := _problem(record, pairs, known))]
    if errors:
        raise ImportRefused(errors)
    fresh = {
        (pairs[_key(record)], record.reviewer): _label(record, pairs[_key(record)], now)
        for record in records
        if (pairs[_key(record)], record.reviewer) not in known
    }
    Label.objects.bulk_create(fresh.values(), batch_size=BATCH)
    return Imported(
        added=len(fresh),
        known=len(records) - len(fresh),
        notices=tuple(str(notice) for notice in parsed.notices),
    )


def pairs_by_key(gold_set: GoldSet) -> dict[PairKey, int]:
    """Map (case id, baseline, candidate) to the pair's primary key."""
    rows = Pair.objects.filter(gold_set=gold_set).values_list(
        "case__external_id", "baseline__system__name", "candidate__system__name", "pk"
    )
    return {(case, first, second): pk for case, first, second, pk in rows.iterator()}


def unknown_case(line: int, case_id: str) -> RowError:
    """Say that a row speaks of a case that the set does not hold."""
    return RowError(line, "case_id", f"the gold set has no case {case_id!r}")


def _key(record: LabelRecord) -> PairKey:
    return (record.case_id, *record.systems)


def _said(record: LabelRecord) -> Said:
    return (record.outcome.value, record.strength, record.note)


def _outside_labels(gold_set: GoldSet) -> dict[tuple[int, str], Said]:
    rows = Label.objects.of_set(gold_set.pk).filter(seat__isnull=True).current()
    found = rows.values_list(
        "pair_id", "external_reviewer", "outcome", "strength", "note"
    )
    return {
        (pair_id, reviewer): (outcome, strength, note)
        for pair_id, reviewer, outcome, strength, note in found.iterator()
    }


def _problem(
    record: LabelRecord,
    pairs: Mapping[PairKey, int],
    known: Mapping[tuple[int, str], Said],
) -> RowError | None:
    pair_id = pairs.get(_key(record))
    if pair_id is None:
        return unknown_case(record.line, record.case_id)
    earlier = known.get((pair_id, record.reviewer))
    if earlier is None or earlier == _said(record):
        return None
    return RowError(
        record.line,
        "outcome",
        f"{record.reviewer!r} already labelled this pair {earlier[0]!r}; labels are "
        "never overwritten",
    )


def _label(record: LabelRecord, pair_id: int, now: datetime) -> Label:
    return Label(
        pair_id=pair_id,
        external_reviewer=record.reviewer,
        outcome=record.outcome.value,
        strength=record.strength,
        note=record.note,
        extra=dict(record.extra),
        created_at=now,
    )
