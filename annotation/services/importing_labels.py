"""Taking outside labels from files, into the same append-only rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.answer_rows import iter_labels, no_such_case
from annotation.domain.consensus import surplus_notes
from annotation.domain.readers.base import FileKind
from annotation.domain.rows import Problems, RowError
from annotation.models import GoldSet, Label, LabelImport, Pair
from annotation.services.freezing import surplus_labels
from annotation.services.importing import (
    BATCH,
    Imported,
    notice_lines,
    refuse_if_bad,
)
from annotation.services.intake import Intake, Source, intake_of
from annotation.services.label_ids import COLUMN, Said, labels_by_id
from annotation.services.seals import sealed_of
from config.db.statistics import refresh_statistics

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from annotation.domain.records import LabelRecord
    from config.accounts.models import User

LONGEST_REVIEWER = 120
UNTOLD = (
    "this label is on a sealed pair and stands already: it stays as it is, and whether "
    "the file says the same is not told"
)

PairKey = tuple[str, str, str]


def import_labels(
    *,
    gold_set: GoldSet,
    source: Source | Intake,
    now: datetime,
    by: User | None = None,
    actor: str = "",
) -> Imported:
    """Import outside labels; the same label again is left alone, another is refused.

    On a sealed pair either is left alone, since which it was would tell the label. Who
    brought labels is kept, since gold is made of them.
    """
    problems = Problems()
    intake = intake_of(source)
    records = read_labels(gold_set, intake, problems)
    if problems.errors:
        # Refused in any case: let the refusal name what doesn't fit the set, too.
        check_labels(gold_set, records, problems)
    refuse_if_bad(problems)
    who = LabelImport(
        gold_set=gold_set,
        files=intake.named_digests(),
        imported_at=now,
        imported_by=by,
        actor=actor,
    )
    added = _store(records, problems, who)
    surplus = surplus_labels(gold_set) if added else 0
    return Imported(
        added=added,
        known=len(records) - added,
        notices=(
            *notice_lines(problems.notices),
            *surplus_notes(gold_set.labels_per_pair, surplus),
        ),
    )


def read_labels(
    gold_set: GoldSet, intake: Intake, problems: Problems
) -> list[LabelRecord]:
    """Read a labels file for a set; what is wrong goes to ``problems``."""
    systems = gold_set.system_names()
    cases = frozenset(gold_set.cases.values_list("external_id", flat=True))
    rows = intake.rows(FileKind.LABELS, systems, problems)
    records = list(iter_labels(rows, systems, problems, cases))
    for record in records:
        if len(record.reviewer) > LONGEST_REVIEWER:
            reason = f"is longer than {LONGEST_REVIEWER} characters"
            problems.error(record.line, "reviewer", reason)
    return records


def check_labels(
    gold_set: GoldSet, records: Sequence[LabelRecord], problems: Problems
) -> list[tuple[LabelRecord, int]]:
    """Return the labels that are new, each with its pair; report what differs."""
    pairs, known = pairs_by_key(gold_set), _outside_labels(gold_set)
    by_id, sealed = _known_ids(gold_set, records), sealed_of(gold_set)
    stored, fresh = frozenset(by_id), []
    for record in records:
        pair_id = pairs[_key(record)]
        name = record.extra.get(COLUMN)
        earlier = known.get((pair_id, record.reviewer))
        again = isinstance(name, str) and name in stored and by_id[name][0] == pair_id
        if pair_id in sealed and (again or earlier is not None):
            problems.notice(record.line, UNTOLD)
        elif isinstance(name, str) and name in by_id:
            _check_known(record, pair_id, by_id[name], problems)
        elif earlier is None:
            fresh.append((record, pair_id))
            if isinstance(name, str) and name:
                by_id[name] = (pair_id, _said(record))
        elif earlier != _said(record):
            _refuse_change(record, earlier, problems)
    return fresh


def _known_ids(
    gold_set: GoldSet, records: Sequence[LabelRecord]
) -> dict[str, tuple[int, Said]]:
    """The set's labels by their ids, where the file names any."""
    named = any(record.extra.get(COLUMN) for record in records)
    return labels_by_id(gold_set) if named else {}


def _check_known(
    record: LabelRecord, pair_id: int, known: tuple[int, Said], problems: Problems
) -> None:
    """A label that came from an export, whatever its reviewer is called there.

    Taken as a stranger's, it would give its author a second vote.
    """
    of_pair, said = known
    if of_pair != pair_id:
        problems.error(record.line, COLUMN, "is the id of a label on another pair")
    elif said != _said(record):
        _refuse_change(record, said, problems)


def _refuse_change(record: LabelRecord, earlier: Said, problems: Problems) -> None:
    reason = (
        f"{record.reviewer!r} already labelled this pair {_shown(earlier)}; "
        "labels are never overwritten"
    )
    problems.error(record.line, _differing(earlier, _said(record)), reason)


def labelled_pairs(gold_set: GoldSet, intake: Intake) -> list[int]:
    """The pairs that a labels file speaks of."""
    pairs = pairs_by_key(gold_set)
    return [pairs[_key(r)] for r in read_labels(gold_set, intake, Problems())]


@transaction.atomic
def _store(records: Sequence[LabelRecord], problems: Problems, who: LabelImport) -> int:
    """Add the labels that are new, and who brought them; return how many they are."""
    gold_set = who.gold_set
    # The lock makes two imports of one file at once add each label once.
    GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    fresh = check_labels(gold_set, records, problems)
    refuse_if_bad(problems)
    for start in range(0, len(fresh), BATCH):
        Label.objects.bulk_create(
            _label(record, pair_id, who.imported_at)
            for record, pair_id in fresh[start : start + BATCH]
        )
    if fresh:
        who.added, who.known = len(fresh), len(records) - len(fresh)
        who.save()
    refresh_statistics(Label, rows=len(fresh))
    return len(fresh)


def pairs_by_key(gold_set: GoldSet) -> dict[PairKey, int]:
    """Map (case id, baseline, candidate) to the pair's primary key."""
    rows = Pair.objects.filter(gold_set=gold_set).values_list(
        "case__external_id", "baseline__system__name", "candidate__system__name", "pk"
    )
    return {(case, first, second): pk for case, first, second, pk in rows.iterator()}


def unknown_case(line: int, case_id: str) -> RowError:
    """Say that a row speaks of a case that the set does not hold."""
    return RowError(line, "case_id", no_such_case(case_id))


def _key(record: LabelRecord) -> PairKey:
    return (record.case_id, *record.systems)


def _said(record: LabelRecord) -> Said:
    return (record.outcome.value, record.strength, record.note)


def _shown(said: Said) -> str:
    outcome, strength, note = said
    return (
        outcome
        + (f" with strength {strength}" if strength else "")
        + (" with a note" if note else "")
    )


def _differing(one: Said, two: Said) -> str:
    names = ("outcome", "strength", "note")
    pairs = zip(names, one, two, strict=True)
    return ", ".join(name for name, a, b in pairs if a != b)


def _outside_labels(gold_set: GoldSet) -> dict[tuple[int, str], Said]:
    """What outside reviewers said last, by pair and reviewer."""
    rows = Label.objects.of_set(gold_set.pk).filter(seat__isnull=True)
    found = rows.order_by("revision").values_list(
        "pair_id", "external_reviewer", "outcome", "strength", "note"
    )
    return {
        (pair_id, reviewer): (outcome, strength, note)
        for pair_id, reviewer, outcome, strength, note in found.iterator()
    }


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
